import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Resource } from '#engine'
import { refuse } from '../platform/http/server/refusal.ts'
import { namingRow } from './form-rows.ts'
import { rowsOf } from './fragment.ts'
import { readIds, type Values, wrongInput } from './input.ts'
import { byKey } from './key.ts'
import { updateRow } from './store.ts'
import { inWrite, type Write } from './write.ts'

/** Rows of one call: their ids, and the version of each that whoever calls has read. */
interface Named {
  readonly ids: readonly string[]
  readonly versions: readonly (string | undefined)[]
}

/** @throws input.invalid for ids and versions that do not belong together */
function namedIn({ entity }: Resource, body: Values): Named {
  const ids = readIds(body.ids)
  if (!entity.version) return { ids, versions: [] }
  const versions = String(body.versions ?? '').split(',')
  if (versions.length !== ids.length)
    throw wrongInput([{ field: 'versions', msg: '每条数据需要一个版本号，请刷新后重试' }])
  return { ids, versions }
}

/** The fields that all rows take. @throws input.invalid when there is none, or one that many rows do not take at once */
function valuesIn({ bulk }: Resource, { ids: _ids, versions: _versions, ...given }: Values): Values {
  const names = Object.keys(given)
  const strange = names.filter(name => !bulk.includes(name))
  if (strange.length > 0) throw wrongInput(strange.map(field => ({ field, msg: `不支持批量修改${field}` })))
  if (names.length === 0) throw wrongInput([{ field: 'ids', msg: '请选择要修改的字段' }])
  return given
}

/** The rows as they are stored, locked in one direction. @throws row.notFound when one of them is not there for the caller */
async function lockedRows(
  { resource, table, scope, trx }: Write,
  ids: readonly string[],
): Promise<Map<string, Values>> {
  const rows = await rowsOf<Values>(
    trx,
    sql`SELECT t.* FROM ${table} t WHERE ${byKey(resource, ids)} AND ${scope} ORDER BY t.id FOR NO KEY UPDATE OF t`,
  )
  if (rows.length < ids.length) throw refuse('row.notFound')
  return new Map(rows.map(row => [String(row[resource.entity.key]), row]))
}

/**
 * Gives several rows the same values in some of their fields, each as the form would: all of them or none.
 * @returns how many there were
 * @throws what {@link updateRow} refuses a row with, naming the row; row.notFound, input.invalid
 */
export function changeRows(request: FastifyRequest, resource: Resource, body: Values): Promise<{ num: number }> {
  const { ids, versions } = namedIn(resource, body)
  const values = valuesIn(resource, body)
  return inWrite(request, resource, async write => {
    const stored = await lockedRows(write, ids)
    for (const [at, key] of ids.entries()) {
      const before = stored.get(key)
      const label = String(before?.[resource.entity.label] ?? key)
      const given = { ...values, version: versions[at] }
      const changing = updateRow(write, String(before?.id), given).then(row => write.hooks.afterRows?.(write, row))
      await namingRow(`ids.${at}`, `「${label}」`, changing)
    }
    return { num: ids.length }
  })
}
