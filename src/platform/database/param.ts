import { parameterProblem } from '#engine'
import { type ParameterKey, parameters } from '#schemas/parameters'
import { firstTenant } from './first-tenant.ts'
import { type AnyHandle, type Live, raw } from './live.ts'

const usable = (key: ParameterKey, stored: string | undefined): string =>
  stored !== undefined && parameterProblem(parameters[key], stored) === null ? stored : parameters[key].preset

/** Reads a system parameter of the tenant of a live handle, as {@link readParam} does. */
export async function readOwnParam(db: Live, key: ParameterKey): Promise<string> {
  const row = await db.selectFrom('param').select('paramValue').where('paramKey', '=', key).executeTakeFirst()
  return usable(key, row?.paramValue)
}

/** Reads a system parameter of a tenant; its preset value when the tenant has none, or one that its definition refuses. */
export async function readParam(db: AnyHandle, tenantId: string, key: ParameterKey): Promise<string> {
  const row = await raw(db)
    .selectFrom('param')
    .select('paramValue')
    .where('tenantId', '=', tenantId)
    .where('paramKey', '=', key)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  return usable(key, row?.paramValue)
}

/** Reads a system parameter that is a whole number, in the unit of its definition. */
export const readNumberParam = async (db: AnyHandle, tenantId: string, key: ParameterKey): Promise<number> =>
  Number(await readParam(db, tenantId, key))

/** Reads a parameter that holds for the whole installation, such as what the server may reach: no other tenant decides on it. */
export const readPlatformParam = (db: AnyHandle, key: ParameterKey): Promise<string> => readParam(db, firstTenant, key)
