import { SensitiveLevel } from '#schemas/dictionaries'
import { builtinItems } from '../../../../modules/exams/rules/builtin-items.ts'
import { firstTenant } from '../../../database/first-tenant.ts'
import type { Seeding } from './tenant.ts'

const asText = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** The field library's own items that are missing. They can be switched off, but neither changed nor removed. */
export async function seedItems({ trx }: Seeding): Promise<void> {
  const found = await trx.selectFrom('items').select('itemCode').where('tenantId', '=', firstTenant).execute()
  const missing = builtinItems.filter(item => !found.some(row => row.itemCode === item.itemCode))
  if (missing.length === 0) return
  const rows = missing.map(item => ({
    tenantId: firstTenant,
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
  await trx.insertInto('items').values(rows).execute()
}
