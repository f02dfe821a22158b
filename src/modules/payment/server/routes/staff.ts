import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { isId, readIds } from '../../../../crud/input.ts'
import { countRemoved } from '../../../../crud/removed.ts'
import { scoped } from '../../../../crud/scope.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { textOf, type Values } from '../../../exams/server/routes/examination.ts'
import {
  checkOrder,
  closeOrder,
  exemptRecord,
  payOffline,
  recallFee,
  releaseFee,
  removeBatches,
  reopenRecord,
} from '../../contract.ts'
import { type Actor, payContext } from '../context.ts'
import { deletePay, releasePay } from '../fee.ts'
import { idInScope } from '../in-scope.ts'
import { askAboutOrder, closeByStaff } from '../order.ts'
import { exempt, offlinePay, reopen } from '../records.ts'
import { leaveExemption } from '../records-handlers.ts'

const actor = (request: FastifyRequest): Actor => person(request)

/** What finance does with fees, records and orders. */
export async function staffRoutes(app: FastifyInstance): Promise<void> {
  feeRoutes(app)
  recordRoutes(app)
  orderRoutes(app)
}

function feeRoutes(app: FastifyInstance): void {
  serve(app, releaseFee, async ({ values, request }) =>
    releasePay(payContext(app), actor(request), await rowOf(request, values, 'exampay', 'row.notFound')),
  )
  serve(app, recallFee, async ({ values, request }) =>
    deletePay(payContext(app), actor(request), await rowOf(request, values, 'exampay', 'row.notFound')),
  )
  serve(app, removeBatches, async ({ values, request }) => {
    for (const id of await feesOf(request, values)) await deletePay(payContext(app), actor(request), id)
  })
}

function recordRoutes(app: FastifyInstance): void {
  serve(app, exemptRecord, async ({ values, request }) => {
    const file = textOf(values, 'exemptFile') || undefined
    if (file && !isId(file)) throw refuse('file.notFound')
    const id = await rowOf(request, values, 'payrecord', 'payment.notFound')
    const given = { reason: limited(values, 'exemptReason', 255), file }
    await exempt(payContext(app), actor(request), [id], given, leaveExemption(app, person(request)))
  })
  serve(app, payOffline, async ({ values, request }) => {
    const id = await rowOf(request, values, 'payrecord', 'payment.notFound')
    await offlinePay(payContext(app), actor(request), id, limited(values, 'remark', 100))
  })
  serve(app, reopenRecord, async ({ values, request }) =>
    reopen(payContext(app), actor(request), await rowOf(request, values, 'payrecord', 'payment.notFound')),
  )
}

function orderRoutes(app: FastifyInstance): void {
  serve(app, checkOrder, async ({ values, request }) => {
    const { channelState, outcome } = await askAboutOrder(payContext(app), await orderInScope(request, values))
    return { channelState, action: outcome }
  })
  serve(app, closeOrder, async ({ values, request }) =>
    closeByStaff(payContext(app), actor(request), await orderInScope(request, values)),
  )
}

/** The id of the row a call is about, if the caller may meet it. @throws `missing` */
async function rowOf(
  request: FastifyRequest,
  values: Values,
  table: 'exampay' | 'payrecord' | 'payorder',
  missing: 'payment.notFound' | 'row.notFound',
): Promise<string> {
  const id = textOf(values, 'id')
  if (!isId(id)) throw refuse(missing)
  return idInScope({ app: request.server, person: person(request), id }, table, missing)
}

async function orderInScope(request: FastifyRequest, values: Values) {
  const id = await rowOf(request, values, 'payorder', 'payment.notFound')
  const query = scoped(request.server, person(request), 'payorder').selectAll().where('id', '=', id)
  return query.executeTakeFirstOrThrow()
}

/** The fees whose batches a call names: by `ids` of batches, or by exam and stage. */
async function feesOf(request: FastifyRequest, values: Values): Promise<string[]> {
  const named = textOf(values, 'ids')
  const ids = named ? readIds(named) : []
  const [examId, itemId] = [textOf(values, 'examId'), textOf(values, 'itemId')]
  if (ids.length === 0 && !(examId && itemId)) throw refuse('input.invalid', { 说明: '请选择要删除的批次' })
  const batches = scoped(request.server, person(request), 'payrecordmain').select('exampayId')
  const chosen =
    ids.length > 0 ? batches.where('id', 'in', ids) : batches.where('examId', '=', examId).where('itemId', '=', itemId)
  const rows = await chosen.execute()
  if (rows.length > 0) return [...new Set(rows.map(row => row.exampayId))]
  const meant =
    ids.length > 0 ? sql`t.id = ANY(${ids}::bigint[])` : sql`t."examId" = ${examId} AND t."itemId" = ${itemId}`
  const db = liveAs(request.server, person(request))
  if ((await countRemoved(db, 'payrecordmain', meant, person(request))) > 0) return []
  throw refuse('row.notFound')
}

/** A text of the call. @throws input.invalid when it is longer than `most` */
function limited(values: Values, name: string, most: number): string {
  const text = textOf(values, name)
  if (text.length > most) throw refuse('input.invalid', { 说明: `最多${most}个字` })
  return text
}
