import type { FastifyInstance } from 'fastify'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { body, id, query } from '../../../../platform/http/server/schemas.ts'
import { isTimely } from '../../../exams/rules/act-windows.ts'
import { actorOf } from '../../../exams/server/routes/examination.ts'
import { bundleOf, marksOfRoom } from '../check-in/bundle.ts'
import type { SentMark } from '../check-in/judge.ts'
import { proctorsOfStage, setProctors } from '../check-in/proctors.ts'
import { recordsOfRoom } from '../check-in/records.ts'
import { clearRehearsal, endRehearsals } from '../check-in/rehearsal.ts'
import { checkInRooms, checkInStages } from '../check-in/rooms.ts'
import { doorFacts, findRoom } from '../check-in/scope.ts'
import { syncMarks } from '../check-in/sync.ts'

const base = '/api/blade-exam/checkIn'

/** Notes sent at once: a room has at most 99 people. */
const most = 300

/** An id that a device makes up: 128 random bits as hexadecimal digits. */
const ownId = { type: 'string', pattern: '^[0-9a-f]{32}$' } as const

const mark = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'ticketId', 'kind', 'at'],
  properties: {
    id: ownId,
    ticketId: id,
    undoes: ownId,
    reason: { type: 'string', maxLength: 200 },
    kind: { type: 'string', enum: ['arrive', 'absent', 'breach', 'undo'] },
    at: { type: 'integer', minimum: 0, maximum: 8_640_000_000_000 },
    code: { type: 'string', maxLength: 500 },
  },
  // What is taken back is named, and why; nobody breaks the rules without a reason.
  allOf: [
    { if: { properties: { kind: { const: 'undo' } } }, then: { required: ['undoes', 'reason'] } },
    { if: { properties: { kind: { const: 'breach' } } }, then: { required: ['reason'] } },
  ],
} as const

/** The check-in on the day of an exam: rooms and totals, what a door needs without a network, and what was noted there. */
export default async function checkInRoutes(app: FastifyInstance): Promise<void> {
  const may = (permission: string) => ({ config: { access: { permission } } })

  app.get(`${base}/stages`, may('checkin'), async request => ok(await checkInStages(app, person(request))))
  app.get<{ Querystring: { itemId: string } }>(
    `${base}/rooms`,
    { ...may('checkin'), schema: query({ itemId: id }, ['itemId']) },
    async request => ok(await checkInRooms(app, person(request), request.query.itemId)),
  )
  app.get<{ Querystring: { roomId: string } }>(
    `${base}/records`,
    { ...may('checkin'), schema: query({ roomId: id }, ['roomId']) },
    async request => ok(await recordsOfRoom(app, person(request), request.query.roomId)),
  )
  app.get<{ Querystring: { itemId: string } }>(
    `${base}/proctors`,
    { ...may('checkin_appoint'), schema: query({ itemId: id }, ['itemId']) },
    async request => ok(await proctorsOfStage(app, person(request), request.query.itemId)),
  )
  app.post<{ Body: { roomId: string; userIds: string[] } }>(
    `${base}/appoint`,
    {
      ...may('checkin_appoint'),
      schema: body({ roomId: id, userIds: { type: 'array', maxItems: 20, items: id } }, ['roomId', 'userIds']),
    },
    async request => {
      await setProctors(app, person(request), request.body, actorOf(request))
      return ok()
    },
  )
  app.get<{ Querystring: { roomId: string; rehearsal?: boolean } }>(
    `${base}/bundle`,
    { ...may('checkin_act'), schema: query({ roomId: id, rehearsal: { type: 'boolean' } }, ['roomId']) },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return ok(await bundleOf(app, person(request), request.query.roomId, request.query.rehearsal ?? false))
    },
  )
  app.post<{ Body: { roomId?: string; rehearsal?: boolean; events: SentMark[] } }>(
    `${base}/sync`,
    {
      ...may('checkin_act'),
      schema: body(
        { roomId: id, rehearsal: { type: 'boolean' }, events: { type: 'array', maxItems: most, items: mark } },
        ['events'],
      ),
    },
    async request => {
      const { roomId, events, rehearsal = false } = request.body
      const synced = await syncMarks(app, person(request), events, rehearsal)
      // What was sent is kept by now: whoever has lost the room meanwhile is told what became of it, and no more.
      const own = roomId && (await findRoom(app, person(request), roomId))
      if (!own) return ok({ ...synced, marks: null })
      if (!rehearsal && !isTimely('door.rehearse', doorFacts(own), app.now())) await endRehearsals(app, own.itemId)
      return ok({ ...synced, marks: await marksOfRoom(app, roomId, rehearsal) })
    },
  )
  app.post<{ Body: { itemId: string } }>(
    `${base}/clearRehearsal`,
    { ...may('checkin_act'), schema: body({ itemId: id }, ['itemId']) },
    async request => {
      await clearRehearsal(app, person(request), request.body.itemId)
      return ok()
    },
  )
}
