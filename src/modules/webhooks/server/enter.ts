import { sql } from 'kysely'
import { HookStatus } from '#schemas/dictionaries'
import type { EventListener } from '../../notifications/server/tell.ts'
import { bodyOf } from './body.ts'

/** The id that receivers know an event by. */
const messageIdOf = (eventId: string): string => `evt_${eventId}`

/** Enters an event for every hook that is on, has chosen it and is for its exam, or for all. Entered twice it is there once. */
export const enterDeliveries: EventListener = async (db, event) => {
  const hooks = await db
    .selectFrom('hook')
    .select('id')
    .where('hookStatus', '=', HookStatus.enabled)
    .where(eb => eb.or([eb('examId', 'is', null), eb('examId', '=', event.examId)]))
    .where(sql<boolean>`${event.code} = ANY(string_to_array(hook.events, ','))`)
    .execute()
  if (hooks.length === 0) return
  const { id: eventId, code, subjectId, examId } = event
  const body = bodyOf(event)
  await db
    .insertInto('hookdelivery')
    .values(
      hooks.map(({ id: hookId }) => ({
        hookId,
        eventId,
        messageId: messageIdOf(eventId),
        code,
        subjectId,
        examId,
        body,
        goAt: event.createTime,
        tries: 0,
        waits: 0,
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}
