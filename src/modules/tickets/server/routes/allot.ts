import type { FastifyInstance, FastifyRequest } from 'fastify'
import { examinationitem } from '#resources/exams/examinationitem'
import { examinationticket } from '#resources/tickets/examinationticket'
import { isId } from '../../../../crud/input.ts'
import { wasRemovedBy } from '../../../../crud/removed.ts'
import { changeable, hasDuty, scoped } from '../../../../crud/scope.ts'
import { transit } from '../../../../crud/transition.ts'
import { withRemoved } from '../../../../platform/database/live.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../../platform/http/server/repeated.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { actorOf, examInScope, idOf, purposeOf, textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import * as contract from '../../contract.ts'
import type { DrawOptions } from '../../rules/seat-draw.ts'
import { allotSwap, clearAllot, drawStage } from '../allot.ts'
import { allotInfo, stagesOf } from '../info.ts'
import { lockAllot, unlockAllot } from '../lock.ts'
import { deleteTicket, reissueTicket } from '../reissue.ts'

const dbOf = (request: FastifyRequest) => liveAs(request.server, person(request))

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

/** Calls that change how many tickets of a stage are out, and the transition of each. */
const releases = [
  [contract.releaseTickets, 'releaseTicket'],
  [contract.recallTickets, 'recallTicket'],
] as const

/** Seats of a stage: drawing, changing places, locking, and the release of its tickets. */
export async function allotRoutes(app: FastifyInstance): Promise<void> {
  serve(app, contract.seatingStages, async ({ values, request }) => {
    const exam = await examInScope(request, idOf(values, 'examId'), 'examinationticket')
    return stagesOf(dbOf(request), exam.id, app.now())
  })
  serve(app, contract.seatingPlan, async ({ request }) =>
    allotInfo(dbOf(request), await stageInScope(request), app.now()),
  )
  serve(app, contract.drawSeats, async ({ values, request }) =>
    drawStage(dbOf(request), await stageInScope(request), actorOf(request), drawOptions(values)),
  )
  serve(app, contract.swapSeats, async ({ values, request }) => {
    const itemId = await stageInScope(request)
    const seatNo = Number(values.seatNo)
    if (!Number.isInteger(seatNo)) throw refuse('input.invalid', { 说明: '座位号应为整数' })
    const seen = values.seen === undefined ? undefined : textOf(values, 'seen')
    const target = { roomId: idOf(values, 'roomId'), seatNo, seen }
    await allotSwap(dbOf(request), itemId, idOf(values, 'signupId'), target, actorOf(request))
  })
  serve(app, contract.clearSeats, async ({ request }) =>
    clearAllot(dbOf(request), await stageInScope(request), actorOf(request)),
  )
  serve(app, contract.lockSeats, async ({ request }) => ({
    num: await lockAllot(dbOf(request), await stageInScope(request), actorOf(request), keyOf(app)),
  }))
  serve(app, contract.unlockSeats, async ({ request }) =>
    unlockAllot(app, person(request), await stageInScope(request)),
  )
  for (const [endpoint, transition] of releases)
    serve(app, endpoint, async ({ request }) => ({
      num: (await transit(request, examinationitem, transition, [await stageInScope(request)])).num,
    }))
  onTickets(app)
}

/** What becomes of single tickets. */
function onTickets(app: FastifyInstance): void {
  const stageAsked = async (request: FastifyRequest) =>
    textOf(valuesOf(request), 'itemId') ? stageInScope(request) : ''
  serve(app, contract.voidTickets, async ({ request }) => {
    const ids = await ticketsInScope(request, await stageAsked(request))
    return { num: (await transit(request, examinationticket, 'void', ids)).num }
  })
  serve(app, contract.reissueTickets, async ({ values, request }) => {
    const ids = await ticketsInScope(request, await stageAsked(request))
    const how = { reason: textOf(values, 'reason'), key: keyOf(app) }
    return { num: await reissueTicket(dbOf(request), ids, { ...person(request), now: app.now() }, how) }
  })
  serve(app, contract.removeTickets, async ({ request }) => {
    const itemId = await stageAsked(request)
    if (await deletedBefore(request, itemId)) return { num: 0 }
    return { num: await deleteTicket(dbOf(request), await ticketsInScope(request, itemId)) }
  })
}

const askedTickets = (request: FastifyRequest): string[] => {
  const values = valuesOf(request)
  return (textOf(values, 'ticketIds') || textOf(values, 'ids')).split(',').filter(isId)
}

/** Whether the caller has removed all these tickets before; of a stage, all that are left. */
async function deletedBefore(request: FastifyRequest, itemId: string): Promise<boolean> {
  const asked = askedTickets(request)
  if (asked.length > 0) return wasRemovedBy(dbOf(request), 'examinationticket', asked, person(request))
  if (itemId === '') return false
  const last = await dbOf(request)
    .selectFrom(withRemoved('examinationticket'))
    .select(['isDeleted', 'updateUser'])
    .where('itemId', '=', itemId)
    .orderBy('isDeleted')
    .orderBy('updateTime', 'desc')
    .executeTakeFirst()
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
