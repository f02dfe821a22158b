import type { ChannelName, DomainEvent } from '#engine'
import type { Live } from '../../../platform/database/live.ts'

/** What was chosen for an event and a channel. */
interface Choice {
  readonly examId: string | null
  readonly code: string
  readonly channel: string
  readonly isOn: 0 | 1
}

/** What the tenant and an exam have chosen beyond the presets. */
export const choicesOf = (db: Live, examId: string | null): Promise<Choice[]> =>
  db
    .selectFrom('eventchoice')
    .select(['examId', 'code', 'channel', 'isOn'])
    .where(eb => eb.or([eb('examId', 'is', null), eb('examId', '=', examId)]))
    .execute()

/** Whether a channel is used for an event: what the exam says, else the tenant, else the preset; what must be told is told. */
export function isUsed(event: DomainEvent, channel: ChannelName, choices: readonly Choice[]): boolean {
  const preset = event.by?.[channel]
  if (preset === undefined) return false
  if (preset === 'must') return true
  const own = choices.filter(one => one.code === event.name && one.channel === channel)
  const chosen = own.find(one => one.examId !== null) ?? own[0]
  return chosen ? chosen.isOn === 1 : preset
}
