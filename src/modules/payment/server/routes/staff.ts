import type { FastifyInstance, FastifyRequest } from 'fastify'
import { q } from '../../../../crud/fragment.ts'
import { isId, readIds } from '../../../../crud/input.ts'
import { countRemoved } from '../../../../crud/removed.ts'
import { inScope, scoped } from '../../../../crud/scope.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import { type Actor, payContext } from '../context.ts'
import { checkOrder, closeByStaff } from '../query-order.ts'
import { exempt, offlinePay, reopen } from '../records.ts'
import { deletePay, releasePay } from '../release.ts'

type Table = 'exampay' | 'payrecord' | 'payorder'

const actor = (request: FastifyRequest): Actor => ({ userId: person(request).userId })
const allow = (...permission: string[]) => ({ config: { access: { permission } } })

/** What finance does with fees, records and orders. */
export async function staffRoutes(app: FastifyInstance): Promise<void> {
  feeRoutes(app)
  recordRoutes(app)
  orderRoutes(app)
}

function feeRoutes(app: FastifyInstance): void {
  const base = '/api/blade-examPay/exampay'
  app.post(`${base}/releasePay`, allow('exampay_release'), async request => {
    await releasePay(payContext(app), actor(request), await idInScope(request, 'exampay', 'row.notFound'))
    return ok()
  })
  app.post(`${base}/deletePay`, allow('exampay_recall'), async request => {
    await deletePay(payContext(app), actor(request), await idInScope(request, 'exampay', 'row.notFound'))
    return ok()
  })
  app.post(
    '/api/blade-payrecordmain/payrecordmain/remove',
    allow('payrecordmain_delete', 'exampay_recall'),
    async request => {
      for (const id of await feesOf(request)) await deletePay(payContext(app), actor(request), id)
      return ok()
    },
  )
}

function recordRoutes(app: FastifyInstance): void {
  const base = '/api/blade-payrecord/payrecord'
  app.post(`${base}/exempt`, allow('payrecord_exempt'), async request => {
    const values = valuesOf(request)
    const file = textOf(values, 'exemptFile') || undefined
    if (file && !isId(file)) throw refuse('file.notFound')
    const id = await idInScope(request, 'payrecord', 'payment.notFound')
    await exempt(payContext(app), actor(request), id, { reason: limited(values, 'exemptReason', 255), file })
    return ok()
  })
  app.post(`${base}/offlinePay`, allow('payrecord_offline'), async request => {
    const id = await idInScope(request, 'payrecord', 'payment.notFound')
    await offlinePay(payContext(app), actor(request), id, limited(valuesOf(request), 'remark', 100))
    return ok()
  })
  app.post(`${base}/reopen`, allow('payrecord_reopen'), async request => {
    await reopen(payContext(app), actor(request), await idInScope(request, 'payrecord', 'payment.notFound'))
    return ok()
  })
}

function orderRoutes(app: FastifyInstance): void {
  const base = '/api/blade-payOrder/payorder'
  app.post(`${base}/check`, allow('payorder_check'), async request => {
    const { channelState, outcome } = await checkOrder(payContext(app), await orderInScope(request))
    return ok({ channelState, action: outcome })
  })
  app.post(`${base}/close`, allow('payorder_close'), async request => {
    await closeByStaff(payContext(app), actor(request), await orderInScope(request))
    return ok()
  })
}

/** The id of the row a call is about, if the caller may meet it. */
async function idInScope(
  request: FastifyRequest,
  table: Table,
  missing: 'payment.notFound' | 'row.notFound',
): Promise<string> {
  const id = textOf(valuesOf(request), 'id')
  if (!isId(id)) throw refuse(missing)
  const found = await request.server.db
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .where(inScope(request.server, person(request), table))
    .executeTakeFirst()
  if (!found) throw refuse(missing)
  return found.id
}

async function orderInScope(request: FastifyRequest) {
  const id = await idInScope(request, 'payorder', 'payment.notFound')
  return request.server.db.selectFrom('payorder').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** The fees whose batches a call names: by `ids` of batches, or by exam and stage. */
async function feesOf(request: FastifyRequest): Promise<string[]> {
  const values = valuesOf(request)
  const named = textOf(values, 'ids')
  const ids = named ? readIds(named) : []
  const [examId, itemId] = [textOf(values, 'examId'), textOf(values, 'itemId')]
  if (ids.length === 0 && !(examId && itemId)) throw refuse('input.invalid', { 说明: '请选择要删除的批次' })
  const batches = scoped(request.server, person(request), 'payrecordmain').select('exampayId')
  const chosen =
    ids.length > 0 ? batches.where('id', 'in', ids) : batches.where('examId', '=', examId).where('itemId', '=', itemId)
  const rows = await chosen.execute()
  if (rows.length > 0) return [...new Set(rows.map(row => row.exampayId))]
  const meant = ids.length > 0 ? q`t.id = ANY(${ids}::bigint[])` : q`t."examId" = ${examId} AND t."itemId" = ${itemId}`
  if ((await countRemoved(request.server.db, 'payrecordmain', meant, person(request))) > 0) return []
  throw refuse('row.notFound')
}

/** A text of the call. @throws input.invalid when it is longer than `most` */
function limited(values: Record<string, unknown>, name: string, most: number): string {
  const text = textOf(values, name)
  if (text.length > most) throw refuse('input.invalid', { 说明: `最多${most}个字` })
  return text
}
