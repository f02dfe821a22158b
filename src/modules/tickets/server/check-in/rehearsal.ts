import type { FastifyInstance } from 'fastify'
import { type Live, withRemoved } from '../../../../platform/database/live.ts'
import type { Person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { inMyRooms } from './scope.ts'

/** Deletes the notes of rehearsals about the tickets of a stage or of some rooms, also of tickets that are removed. */
const forget = (db: Live, column: 'ticket.itemId' | 'ticket.roomId', ids: readonly string[]) =>
  db
    .deleteFrom('check_in')
    .where('rehearsal', '=', true)
    .where('ticketId', 'in', ({ selectFrom }) =>
      selectFrom(withRemoved('examinationticket as ticket'))
        .select('ticket.id')
        .where(column, 'in', [...ids]),
    )
    .execute()

/**
 * Deletes what was noted in rehearsals in the caller's rooms of a stage.
 * @throws row.notFound when no room of it is the caller's
 */
export async function clearRehearsal(app: FastifyInstance, who: Person, itemId: string): Promise<void> {
  const db = liveAs(app, who)
  const rooms = await db
    .selectFrom('examroom as room')
    .select('room.id')
    .where('room.itemId', '=', itemId)
    .where(inMyRooms(app, who))
    .execute()
  if (rooms.length === 0) throw refuse('row.notFound')
  await forget(
    db,
    'ticket.roomId',
    rooms.map(room => room.id),
  )
}

/** Deletes what was noted in rehearsals of the whole stage of a room: its real check-in has begun. */
export async function endRehearsals(app: FastifyInstance, who: Person, itemId: string): Promise<void> {
  await forget(liveAs(app, who), 'ticket.itemId', [itemId])
}
