import { SensitiveLevel } from '#schemas/dictionaries'
import type { HookContext } from '../../../crud/rules.ts'
import { firstTenant } from '../../../platform/database/first-tenant.ts'
import { liveFor, withRemoved } from '../../../platform/database/live.ts'
import type { ModuleSeed } from '../../../platform/tenants/server/seed/module-seed.ts'
import type { Seeding } from '../../../platform/tenants/server/seed/tenant.ts'
import { builtinItems } from '../rules/builtin-items.ts'

const asText = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))

const itemsOf = ({ trx, now }: Pick<Seeding, 'trx' | 'now'>, tenantId: string) =>
  liveFor(trx, { tenantId, userId: null, now: () => now })

/** The field library's own items that are missing. They can be switched off, but neither changed nor removed. */
async function addMissing(seeding: Seeding): Promise<void> {
  const db = itemsOf(seeding, firstTenant)
  const found = await db.selectFrom(withRemoved('items')).select('itemCode').execute()
  const missing = builtinItems.filter(item => !found.some(row => row.itemCode === item.itemCode))
  if (missing.length === 0) return
  const rows = missing.map(item => ({
    itemCode: item.itemCode,
    itemName: item.itemName,
    groupName: item.groupName ?? null,
    inputType: item.inputType as 1,
    dictCode: item.dictCode ?? null,
    required: item.required === 1 ? (1 as const) : (0 as const),
    rules: asText(item.rules),
    showWhen: asText(item.showWhen),
    columns: asText(item.columns),
    span: item.span ?? null,
    sensitive: item.sensitive ?? SensitiveLevel.plain,
    builtin: 1 as const,
    status: 1 as const,
    sort: (builtinItems.indexOf(item) + 1) * 10,
  }))
  await db.insertInto('items').values(rows).execute()
}

const copied = [
  'itemCode',
  'itemName',
  'groupName',
  'inputType',
  'dictCode',
  'required',
  'rules',
  'showWhen',
  'columns',
  'span',
  'sensitive',
  'builtin',
  'status',
  'sort',
] as const

/** A new tenant begins with the items as the first one has them. */
async function copyItems(ctx: HookContext, tenantId: string): Promise<void> {
  const found = await itemsOf(ctx, firstTenant).selectFrom('items').select(copied).where('builtin', '=', 1).execute()
  const rows = found.map(({ rules, showWhen, columns, ...row }) => ({
    ...row,
    rules: asText(rules),
    showWhen: asText(showWhen),
    columns: asText(columns),
  }))
  if (rows.length > 0) await itemsOf(ctx, tenantId).insertInto('items').values(rows).execute()
}

/** The built-in fields of sign-up forms. */
export const itemsSeed: ModuleSeed = { source: builtinItems, installation: addMissing, tenant: copyItems }
