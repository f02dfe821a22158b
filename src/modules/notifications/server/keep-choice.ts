import type { FastifyInstance } from 'fastify'
import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/database.ts'
import { removeRows } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { lockUnarchived } from '../../exams/server/archived.ts'

/** What an exam has settled of an event in one place: a channel, or its words. */
interface Place {
  readonly examId: string
  readonly code: string
  readonly channel: string
}

/**
 * Puts what an exam settles of an event in the place of what it had settled there; nothing where it goes by the product again. The exam is
 * locked, so that of two who settle at once one comes after the other.
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
      await lockUnarchived(trx, place.examId)
      await removeRows(trx, 'eventchoice')
        .where('examId', '=', place.examId)
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
