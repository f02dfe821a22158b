import type { FastifyInstance } from 'fastify'
import { type Insertable, sql } from 'kysely'
import type { Database } from '../../../platform/database/database.ts'
import { removeRows } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { lockUnarchived } from '../../exams/server/archived.ts'

/** What an exam, or the tenant for all of them, has settled of an event in one place: a channel, or its words. */
interface Place {
  readonly examId: string | null
  readonly code: string
  readonly channel: string
}

/**
 * Puts what an exam or the tenant settles of an event in the place of what it had settled there; nothing where it goes by what holds otherwise.
 * Of two who settle at once one comes after the other.
 * @throws exams.archived
 */
export async function keepChoice(
  app: FastifyInstance,
  person: Person,
  place: Place,
  choice: Pick<Insertable<Database['eventchoice']>, 'isOn' | 'textZh' | 'textEn'> | null,
): Promise<void> {
  await liveAs(app, person)
    .transaction()
    .execute(async trx => {
      if (place.examId !== null) await lockUnarchived(trx, place.examId)
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`choice:${person.tenantId}:${place.examId}:${place.code}`}, 0))`.execute(
        trx,
      )
      await removeRows(trx, 'eventchoice')
        .where('examId', place.examId === null ? 'is' : '=', place.examId)
        .where('code', '=', place.code)
        .where('channel', '=', place.channel)
        .execute()
      if (choice)
        await trx
          .insertInto('eventchoice')
          .values({ ...place, ...choice })
          .execute()
    })
}
