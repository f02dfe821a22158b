import type { FastifyInstance, FastifyRequest } from 'fastify'
import { examinationitem } from '#resources/exams/examinationitem'
import { examinationticket } from '#resources/tickets/examinationticket'
import { isId } from '../../../../crud/input.ts'
import { wasRemovedBy } from '../../../../crud/removed.ts'
import { changeable, hasDuty, scoped } from '../../../../crud/scope.ts'
import { transit } from '../../../../crud/transition.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../../platform/http/server/repeated.ts'
import { actorOf, examInScope, idOf, purposeOf, textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import type { DrawOptions } from '../../rules/seat-draw.ts'
import { allotSeat, allotSwap, clearAllot } from '../allot.ts'
import { allotInfo, stagesOf } from '../info.ts'
import { lockAllot, unlockAllot } from '../lock.ts'
import { deleteTicket, reissueTicket } from '../reissue.ts'

const base = '/api/blade-exam/examination'
const grouping = ['type', 'unit', 'code', 'subject'] as const

/**
 * The stage of a call, if its exam is in the caller's scope.
 * @param table whose rows of the stage the call is about
 * @throws row.notFound
 */
export async function stageInScope(
  request: FastifyRequest,
  table: 'examinationticket' | 'result' = 'examinationticket',
): Promise<string> {
  const id = idOf(valuesOf(request), 'itemId')
  const caller = person(request)
  const found = await scoped(request.server, caller, 'examinationitem')
    .select('id')
    .where('id', '=', id)
    .where(hasDuty(request.server, caller, table, 'examinationitem.examId', purposeOf(request)))
    .executeTakeFirst()
  if (!found) throw refuse('row.notFound')
  return found.id
}

/** What the seats are to be drawn with. @throws input.invalid */
function drawOptions(values: Record<string, unknown>): DrawOptions {
  const strategy = Number(values.strategy ?? 1)
  if (strategy !== 1 && strategy !== 2 && strategy !== 3)
    throw refuse('input.invalid', { 说明: '编排方式只能是 1、2、3' })
  const reserve = Number(values.reserve ?? 0)
  if (!Number.isInteger(reserve) || reserve < 0 || reserve > 99)
    throw refuse('input.invalid', { 说明: '每考场预留座位应为 0 到 99 的整数' })
  const seed = textOf(values, 'seed')
  if (!/^[0-9A-Za-z_-]{0,64}$/.test(seed)) throw refuse('input.invalid', { 说明: '随机种子只能是字母和数字' })
  const asked = Array.isArray(values.groupBy) ? values.groupBy : []
  return {
    strategy,
    reserve,
    snake: values.snake === true || values.snake === 1,
    seed: seed || null,
    groupBy: grouping.filter(name => asked.includes(name)),
  }
}

/** Seats of a stage: drawing, changing places, locking, and the release of its tickets. */
export async function allotRoutes(app: FastifyInstance): Promise<void> {
  const may = (permission: string) => ({ config: { access: { permission } } })
  const act = (name: string, permission: string, run: (request: FastifyRequest, itemId: string) => Promise<unknown>) =>
    app.post(`${base}/${name}`, may(permission), async request => ok(await run(request, await stageInScope(request))))

  app.get(`${base}/getAllotStages`, may('allot'), async request => {
    const exam = await examInScope(request, idOf(valuesOf(request), 'examId'), 'examinationticket')
    return ok(await stagesOf(app.db, exam.id, app.now()))
  })
  app.get(`${base}/getAllotInfo`, may('allot'), async request =>
    ok(await allotInfo(app.db, await stageInScope(request), app.now())),
  )

  act('allotSeat', 'allot_act', (request, itemId) =>
    allotSeat(app.db, itemId, actorOf(request), drawOptions(valuesOf(request))),
  )
  act('allotSwap', 'allot_act', async (request, itemId) => {
    const values = valuesOf(request)
    const seatNo = Number(values.seatNo)
    if (!Number.isInteger(seatNo)) throw refuse('input.invalid', { 说明: '座位号应为整数' })
    const seen = values.seen === undefined ? undefined : textOf(values, 'seen')
    const target = { roomId: idOf(values, 'roomId'), seatNo, seen }
    await allotSwap(app.db, itemId, idOf(values, 'signupId'), target, actorOf(request))
  })
  act('clearAllot', 'allot_act', (request, itemId) => clearAllot(app.db, itemId, actorOf(request)))
  act('lockAllot', 'allot_act', async (request, itemId) => {
    return { num: await lockAllot(app.db, itemId, actorOf(request), keyOf(app)) }
  })
  act('unlockAllot', 'allot_act', (request, itemId) => unlockAllot(app.db, itemId, actorOf(request)))
  for (const name of ['releaseTicket', 'recallTicket'] as const)
    act(name, 'allot_release', async (request, itemId) => ({
      num: (await transit(request, examinationitem, name, [itemId])).num,
    }))

  const onTickets = (name: string, run: (ids: string[], request: FastifyRequest) => Promise<number>) =>
    app.post(`${base}/${name}`, may('allot_release'), async request => {
      const found = await ticketsInScope(
        request,
        textOf(valuesOf(request), 'itemId') ? await stageInScope(request) : '',
      )
      return ok({ num: await run(found, request) })
    })
  onTickets('voidTicket', async (ids, request) => (await transit(request, examinationticket, 'void', ids)).num)
  onTickets('reissueTicket', (ids, request) =>
    reissueTicket(app.db, ids, actorOf(request), { reason: textOf(valuesOf(request), 'reason'), key: keyOf(app) }),
  )
  app.post(`${base}/deleteTicket`, may('allot_release'), async request => {
    const itemId = textOf(valuesOf(request), 'itemId') ? await stageInScope(request) : ''
    if (await deletedBefore(request, itemId)) return ok({ num: 0 })
    return ok({ num: await deleteTicket(app.db, await ticketsInScope(request, itemId), actorOf(request)) })
  })
}

const askedTickets = (request: FastifyRequest): string[] => {
  const values = valuesOf(request)
  return (textOf(values, 'ticketIds') || textOf(values, 'ids')).split(',').filter(isId)
}

/** Whether the caller has removed all these tickets before; of a stage, all that are left. */
async function deletedBefore(request: FastifyRequest, itemId: string): Promise<boolean> {
  const { db } = request.server
  const asked = askedTickets(request)
  if (asked.length > 0) return wasRemovedBy(db, 'examinationticket', asked, person(request))
  if (itemId === '') return false
  const tickets = db.selectFrom('examinationticket').select(['isDeleted', 'updateUser']).where('itemId', '=', itemId)
  const last = await tickets.orderBy('isDeleted').orderBy('updateTime', 'desc').executeTakeFirst()
  return last !== undefined && isOwnRepeat(last, last.isDeleted === 1, person(request))
}

/**
 * The tickets of a call by their ids, or all of a stage.
 * @throws input.invalid when none is named, row.notFound when none is in the caller's scope
 */
async function ticketsInScope(request: FastifyRequest, itemId: string): Promise<string[]> {
  const asked = askedTickets(request)
  if (!asked.length && !itemId) throw refuse('input.invalid', { 说明: '请选择至少一条数据' })
  const found = await changeable(request.server, person(request), 'examinationticket')
    .select('id')
    .$if(asked.length > 0, query => query.where('id', 'in', asked.slice(0, 500)))
    .$if(itemId !== '', query => query.where('itemId', '=', itemId))
    .execute()
  if (!found.length) throw refuse('row.notFound')
  return found.map(one => one.id)
}

const keyOf = (app: FastifyInstance) => ({
  id: String(app.secrets.version('ticket')),
  privateKey: app.secrets.pair('ticket').privateKey,
})
