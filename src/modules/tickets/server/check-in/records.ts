import type { FastifyInstance } from 'fastify'
import { withRemoved } from '../../../../platform/database/live.ts'
import type { Person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { roomInScope } from './scope.ts'

/** Notes told at once: those of a full room several times over. */
const most = 500

/**
 * Everything that was noted at the door of a room, the latest first: also what was taken back, what clashed and what
 * did not count, each with the time that the device said. @throws row.notFound
 */
export async function recordsOfRoom(app: FastifyInstance, who: Person, roomId: string) {
  await roomInScope(app, who, roomId)
  return liveAs(app, who)
    .selectFrom('check_in as mark')
    .innerJoin(withRemoved('examinationticket as ticket'), 'ticket.id', 'mark.ticketId')
    .innerJoin(withRemoved('user'), 'user.id', 'mark.userId')
    .select(['mark.id', 'mark.kind', 'mark.undoes', 'mark.reason', 'mark.conflict', 'mark.counts'])
    .select('mark.rehearsal')
    .select(['mark.time', 'mark.deviceTime', 'mark.receiveTime'])
    .select(['ticket.seatNo', 'ticket.name', 'ticket.ticketNo', 'user.realName as by'])
    .where('ticket.roomId', '=', roomId)
    .orderBy('mark.time', 'desc')
    .orderBy('mark.id')
    .limit(most)
    .execute()
}
