import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Person } from '../../../../platform/http/server/access.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { inMyRooms } from './scope.ts'

/**
 * Deletes what was noted in rehearsals in the caller's rooms of a stage.
 * @throws row.notFound when no room of it is the caller's
 */
export async function clearRehearsal(app: FastifyInstance, who: Person, itemId: string): Promise<void> {
  const rooms = await app.db
    .selectFrom('examroom as room')
    .select('room.id')
    .where('room.itemId', '=', itemId)
    .where(inMyRooms(app, who))
    .execute()
  if (rooms.length === 0) throw refuse('row.notFound')
  const ids = rooms.map(room => room.id)
  await sql`DELETE FROM check_in USING examinationticket ticket WHERE check_in.rehearsal
    AND ticket.id = check_in."ticketId" AND ticket."roomId" = ANY(${ids}::bigint[])`.execute(app.db)
}

/** Deletes what was noted in rehearsals of the whole stage of a room: its real check-in has begun. */
export async function endRehearsals(app: FastifyInstance, itemId: string): Promise<void> {
  await sql`DELETE FROM check_in USING examinationticket ticket WHERE check_in.rehearsal
    AND ticket.id = check_in."ticketId" AND ticket."itemId" = ${itemId}`.execute(app.db)
}
