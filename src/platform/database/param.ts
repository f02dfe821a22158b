import { sql } from 'kysely'
import { parameterProblem } from '#engine'
import { type ParameterKey, parameters } from '#schemas/parameters'
import { firstTenant } from './first-tenant.ts'
import { type AnyHandle, type Live, liveFor, raw } from './live.ts'
import { often } from './often.ts'

const usable = (key: ParameterKey, stored: string | undefined): string =>
  stored !== undefined && parameterProblem(parameters[key], stored) === null ? stored : parameters[key].preset

/**
 * Reads a system parameter of the tenant of a live handle; its preset value when the tenant has none, or one that its
 * definition refuses.
 */
export async function readParam(db: Live, key: ParameterKey): Promise<string>
/** Reads a system parameter of a tenant that is named. */
export async function readParam(db: AnyHandle, tenantId: string, key: ParameterKey): Promise<string>
/** Finds the tenant of the parameter, then reads it. */
export async function readParam(
  db: AnyHandle,
  ...given: readonly [key: ParameterKey] | readonly [tenantId: string, key: ParameterKey]
): Promise<string> {
  const [key, live] =
    given.length === 1
      ? [given[0], db as Live]
      : [given[1], liveFor(raw(db), { tenantId: given[0], userId: null, now: () => new Date() })]
  const row = await live
    .selectFrom('param')
    .select('paramValue')
    .where('paramKey', '=', key)
    .modifyEnd(often)
    .executeTakeFirst()
  return usable(key, row?.paramValue)
}

/** What a tenant has stored of a system parameter, as a part of a statement: {@link numberFrom} makes it the parameter's value. */
export const storedParam = (tenantId: string, key: ParameterKey) =>
  sql<
    string | null
  >`(SELECT "paramValue" FROM param WHERE "tenantId" = ${tenantId} AND "paramKey" = ${key} AND "isDeleted" = 0 LIMIT 1)`

/** The value of a system parameter that is a whole number, from what is stored of it. */
export const numberFrom = (key: ParameterKey, stored: string | null): number => Number(usable(key, stored ?? undefined))

/** Reads a system parameter that is a whole number, in the unit of its definition. */
export const readNumberParam = async (db: AnyHandle, tenantId: string, key: ParameterKey): Promise<number> =>
  Number(await readParam(db, tenantId, key))

/** Reads a parameter that holds for the whole installation, such as what the server may reach: no other tenant decides on it. */
export const readPlatformParam = (db: AnyHandle, key: ParameterKey): Promise<string> => readParam(db, firstTenant, key)
