import type { FastifyInstance } from 'fastify'
import { person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { isTimely } from '../../../exams/rules/act-windows.ts'
import { actorOf } from '../../../exams/server/routes/examination.ts'
import * as contract from '../../check-in/contract.ts'
import { ticketWindows } from '../../rules/act-windows.ts'
import { bundleOf, marksOfRoom } from '../check-in/bundle.ts'
import { proctorsOfStage, setProctors } from '../check-in/proctors.ts'
import { recordsOfRoom } from '../check-in/records.ts'
import { clearRehearsal, endRehearsals } from '../check-in/rehearsal.ts'
import { checkInRooms, checkInStages } from '../check-in/rooms.ts'
import { doorFacts, findRoom } from '../check-in/scope.ts'
import { syncMarks } from '../check-in/sync.ts'

/** The check-in on the day of an exam: rooms and totals, what a door needs without a network, and what was noted there. */
export default async function checkInRoutes(app: FastifyInstance): Promise<void> {
  serve(app, contract.checkInStages, ({ request }) => checkInStages(app, person(request)))
  serve(app, contract.checkInRooms, ({ query, request }) => checkInRooms(app, person(request), query.itemId))
  serve(app, contract.checkInRecords, ({ query, request }) => recordsOfRoom(app, person(request), query.roomId))
  serve(app, contract.stageProctors, ({ query, request }) => proctorsOfStage(app, person(request), query.itemId))
  serve(app, contract.appointProctors, ({ body, request }) => setProctors(app, person(request), body, actorOf(request)))
  serve(app, contract.doorBundle, ({ query, request, reply }) => {
    reply.header('cache-control', 'private, no-store')
    return bundleOf(app, person(request), query.roomId, query.rehearsal ?? false)
  })
  serve(app, contract.syncMarks, async ({ body: { roomId, events, rehearsal = false }, request }) => {
    const synced = await syncMarks(app, person(request), events, rehearsal)
    // What was sent is kept by now: whoever has lost the room meanwhile is told what became of it, and no more.
    const own = roomId && (await findRoom(app, person(request), roomId))
    if (!own) return { ...synced, marks: null }
    if (!rehearsal && !isTimely(ticketWindows.rehearse, doorFacts(own), app.now()))
      await endRehearsals(app, person(request), own.itemId)
    return { ...synced, marks: await marksOfRoom(liveAs(app, person(request)), roomId, rehearsal) }
  })
  serve(app, contract.clearRehearsal, ({ body, request }) => clearRehearsal(app, person(request), body.itemId))
}
