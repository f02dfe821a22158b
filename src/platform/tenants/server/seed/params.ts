import type { Parameter } from '#engine'
import { type ParameterKey, parameters } from '#schemas/parameters'
import { firstTenant } from '../../../database/first-tenant.ts'
import type { Seeding } from './tenant.ts'

/** First values that the environment decides instead of the definitions. */
const firstValues = ({
  demo,
  registerMode,
}: {
  demo: boolean
  registerMode: boolean
}): Partial<Record<ParameterKey, string>> => ({
  'site.register': String(registerMode),
  ...(demo && { 'register.audit': '0' }),
})

/** The parameters that are missing. */
export async function seedParams({ app, trx }: Seeding): Promise<void> {
  const found = await trx.selectFrom('param').select('paramKey').where('tenantId', '=', firstTenant).execute()
  const given = firstValues(app.config)
  const rows = Object.entries<Parameter>(parameters)
    .filter(([key]) => !found.some(row => row.paramKey === key))
    .map(([key, { field, preset }]) => ({
      tenantId: firstTenant,
      paramKey: key,
      paramName: field.title,
      remark: field.help ?? null,
      paramValue: given[key as ParameterKey] ?? preset,
    }))
  if (rows.length > 0) await trx.insertInto('param').values(rows).execute()
}
