import { parameterProblem } from '#engine'
import { type ParameterKey, parameters } from '#schemas/parameters'
import type { Reader } from './database.ts'
import { firstTenant } from './first-tenant.ts'

/** Reads a system parameter of a tenant; its preset value when the tenant has none, or one that its definition refuses. */
export async function readParam(db: Reader, tenantId: string, key: ParameterKey): Promise<string> {
  const row = await db
    .selectFrom('param')
    .select('paramValue')
    .where('tenantId', '=', tenantId)
    .where('paramKey', '=', key)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  const { [key]: parameter } = parameters
  return row && parameterProblem(parameter, row.paramValue) === null ? row.paramValue : parameter.preset
}

/** Reads a system parameter that is a whole number, in the unit of its definition. */
export const readNumberParam = async (db: Reader, tenantId: string, key: ParameterKey): Promise<number> =>
  Number(await readParam(db, tenantId, key))

/** Reads a parameter that holds for the whole installation, such as what the server may reach: no other tenant decides on it. */
export const readPlatformParam = (db: Reader, key: ParameterKey): Promise<string> => readParam(db, firstTenant, key)
