import type { FastifyInstance } from 'fastify'
import { type ChannelName, type DomainEvent, variablesOf, wordsWith } from '#engine'
import { domainEvents } from '#resources/events'
import { reminderRules } from '#resources/reminders'
import { SignStatus } from '#schemas/dictionaries'
import { scoped } from '../../../crud/scope.ts'
import { usableTemplates } from '../../../platform/auth/server/sms/template.ts'
import { type Live, removeRows } from '../../../platform/database/live.ts'
import { readNumberParam } from '../../../platform/database/param.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { balanceOf } from '../../messages/server/ledger.ts'
import { colleagues } from './audiences.ts'

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

/** An exam that somebody may change. @throws exams.notFound */
export async function examOf(app: FastifyInstance, person: Person, examId: string) {
  const exam = await scoped(app, person, 'examination', app, 'change')
    .select(['id', 'examName', 'contactPhone'])
    .where('id', '=', examId)
    .executeTakeFirst()
  if (!exam) throw refuse('exams.notFound')
  return exam
}

/** How an event goes out as a text message unless somebody chooses otherwise. */
export const presetOf = (event: DomainEvent) => {
  const preset = event.by?.sms
  if (preset === undefined) return 'none'
  if (preset === 'must') return 'must'
  return preset ? 'on' : 'off'
}

/** What people are told in an exam, and whether by text message. @throws exams.notFound */
export async function choicesIn(app: FastifyInstance, person: Person, examId: string) {
  const exam = await examOf(app, person, examId)
  const db = liveAs(app, person)
  const [choices, templates, signed, balance, unitFen] = await Promise.all([
    choicesOf(db, examId),
    usableTemplates(db),
    db
      .selectFrom('signup')
      .select(eb => eb.fn.countAll<string>().as('n'))
      .where('examId', '=', examId)
      .where('signStatus', '=', SignStatus.submitted)
      .executeTakeFirstOrThrow(),
    balanceOf(db),
    readNumberParam(db, person.tenantId, 'sms.unitFen'),
  ])
  const codes = new Set(templates.map(({ smsCode }) => smsCode))
  const known: Readonly<Record<string, string>> = {
    exam: exam.examName,
    examName: exam.examName,
    phone: exam.contactPhone ?? '',
  }
  const events = [...domainEvents.values()]
    .filter(({ name, to }) => !reminderRules.has(name) && to.some(name => !colleagues.includes(name)))
    .map(event => {
      const names = variablesOf(event.text.zh)
      const values = Object.fromEntries(names.map(name => [name, known[name] ?? `{${titleOf(event, name)}}`]))
      return {
        code: event.name,
        label: event.label,
        text: wordsWith(event.text.zh, values),
        sms: presetOf(event) as 'must' | 'on' | 'off' | 'none',
        isOn: isUsed(event, 'sms', choices),
        hasTemplate: codes.has(event.name),
      }
    })
  return { events, people: Number(signed.n), unitFen, balance }
}

/** What a fact of an event is called. */
export const titleOf = ({ entity, data }: DomainEvent, name: string): string =>
  data[name]?.title ?? (entity.properties as Readonly<Record<string, { title: string }>>)[name]?.title ?? name

/**
 * Switches text messages of an event on or off for an exam.
 * @throws exams.notFound, input.invalid for an event that has none, row.builtIn for one that must be told
 */
export async function choose(
  app: FastifyInstance,
  person: Person,
  { examId, code, isOn }: { examId: string; code: string; isOn: boolean },
): Promise<void> {
  await examOf(app, person, examId)
  const event = domainEvents.get(code)
  if (!event || presetOf(event) === 'none') throw refuse('input.invalid', { 说明: '该事件不发短信' })
  if (presetOf(event) === 'must' && !isOn) throw refuse('row.builtIn')
  await liveAs(app, person)
    .transaction()
    .execute(async trx => {
      await trx.selectFrom('examination').select('id').where('id', '=', examId).forNoKeyUpdate().execute()
      await removeRows(trx, 'eventchoice')
        .where('examId', '=', examId)
        .where('code', '=', code)
        .where('channel', '=', 'sms')
        .execute()
      await trx
        .insertInto('eventchoice')
        .values({ examId, code, channel: 'sms', isOn: isOn ? 1 : 0 })
        .execute()
    })
}
