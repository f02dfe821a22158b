import type { Selectable } from 'kysely'
import type { tenant } from '#resources/system/tenant'
import { TenantStatus } from '#schemas/dictionaries'
import { wasRemovedBy } from '../../../crud/removed.ts'
import type { ActionContext, Handler, HandlerOf } from '../../../crud/rules.ts'
import type { Database, Trx } from '../../database/database.ts'
import { firstTenant } from '../../database/first-tenant.ts'
import { refuse, refuseSaying } from '../../http/server/refusal.ts'
import { isOwnRepeat } from '../../http/server/repeated.ts'

type TenantRow = Selectable<Database['tenant']>
/** Tenants belong to whoever runs the installation. @throws 403 */
export function requirePlatform({ person }: Pick<ActionContext, 'person'>): void {
  if (!person.roles.includes('administrator')) throw refuse('request.forbidden')
}

/** Locks the tenants of a call. @throws 403, row.notFound for one that is not there */
const withTenants =
  <V>(work: (ctx: ActionContext<V>, trx: Trx, rows: TenantRow[]) => Promise<void>): Handler<V> =>
  ctx => {
    requirePlatform(ctx)
    return ctx.app.db.transaction().execute(async trx => {
      const rows = await trx
        .selectFrom('tenant')
        .selectAll()
        .where('id', 'in', ctx.ids)
        .where('isDeleted', '=', 0)
        .orderBy('id')
        .forUpdate()
        .execute()
      if (rows.length > 0 && rows.length === ctx.ids.length) return work(ctx, trx, rows)
      if (ctx.action === 'erase' && (await wasRemovedBy(trx, 'tenant', ctx.ids, ctx.person))) return
      throw refuse('row.notFound')
    })
  }

const change = (
  { person, now }: Pick<ActionContext, 'person' | 'now'>,
  trx: Trx,
  rows: readonly TenantRow[],
  set: object,
) =>
  trx
    .updateTable('tenant')
    .set({ ...set, updateUser: person.userId, updateTime: now })
    .where(
      'id',
      'in',
      rows.map(row => row.id),
    )
    .execute()

/** Quota and end of several tenants; what is not given stays. The first tenant has no end. */
const setting: HandlerOf<typeof tenant, 'setting'> = withTenants(async (ctx, trx, rows) => {
  const { accountNumber, expireTime } = ctx.values
  if (expireTime && rows.some(row => row.tenantId === firstTenant)) throw refuse('row.builtIn')
  const set = { ...(accountNumber !== undefined && { accountNumber }), ...(expireTime !== undefined && { expireTime }) }
  await change(ctx, trx, rows, set)
})

async function endSessionsOf(trx: Trx, rows: readonly TenantRow[], now: Date): Promise<void> {
  const numbers = rows.map(row => row.tenantId)
  await trx
    .updateTable('session')
    .set({ endTime: now, endReason: 'disabled' })
    .where('tenantId', 'in', numbers)
    .where('endTime', 'is', null)
    .execute()
}

/** Into the recycle bin: everybody of the tenant is logged out and cannot come back. */
const recycle = withTenants(async (ctx, trx, rows) => {
  if (rows.some(row => row.tenantId === firstTenant)) throw refuse('row.builtIn')
  const isDone = (row: TenantRow) =>
    isOwnRepeat({ updateUser: row.recycleUser }, row.tenantStatus === TenantStatus.recycled, ctx.person)
  if (rows.every(isDone)) return
  if (rows.some(row => row.tenantStatus !== TenantStatus.active)) throw refuse('row.wrongState')
  const set = {
    tenantStatus: TenantStatus.recycled,
    recycleUser: ctx.person.userId,
    recycleTime: ctx.now,
    dumpTime: null,
  }
  await change(ctx, trx, rows, set)
  await endSessionsOf(trx, rows, ctx.now)
})

/** Out of the recycle bin. */
const pass = withTenants(async (ctx, trx, rows) => {
  if (rows.every(row => isOwnRepeat(row, row.tenantStatus === TenantStatus.active, ctx.person))) return
  if (rows.some(row => row.tenantStatus !== TenantStatus.recycled)) throw refuse('row.wrongState')
  await change(ctx, trx, rows, {
    tenantStatus: TenantStatus.active,
    recycleUser: null,
    recycleTime: null,
    dumpTime: null,
  })
})

/** For good: out of the recycle bin, after a full export, by a second person who types the number. */
const erase: HandlerOf<typeof tenant, 'erase'> = withTenants(async (ctx, trx, rows) => {
  const [row] = rows
  if (rows.some(one => one.tenantId === firstTenant)) throw refuse('row.builtIn')
  if (!row || rows.some(one => one.tenantStatus !== TenantStatus.recycled))
    throw refuseSaying(
      'row.wrongState',
      '请先将租户移入回收站（tenant/recycle），再导出全部数据（tenant/export-data），最后由另一人删除',
    )
  if (rows.length > 1) throw refuse('input.invalid', { 说明: '一次只能删除一个租户' })
  const typed = (ctx.values.confirmNumber ?? '').trim()
  if (!typed)
    throw refuse(
      'input.invalid',
      { 说明: '删除租户还须给出租户编号（confirmNumber），并已导出其全部数据（tenant/export-data）' },
      [{ field: 'confirmNumber', msg: '请输入租户编号' }],
    )
  const isTyped = typed === row.tenantId
  if (!isTyped)
    throw refuse('input.invalid', { 说明: '租户编号不一致' }, [{ field: 'confirmNumber', msg: '租户编号不一致' }])
  if (row.recycleUser === ctx.person.userId) throw refuse('row.sameApprover')
  if (!row.dumpTime || (row.recycleTime && row.dumpTime < row.recycleTime))
    throw refuse('input.invalid', { 说明: '请先导出该租户的全部数据（tenant/export-data）' })
  await change(ctx, trx, rows, { isDeleted: 1 })
})

/** What is done to tenants beyond adding and changing them. */
export const tenantHandlers = { setting, recycle, pass, erase }
