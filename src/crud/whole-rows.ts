import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Condition, type Resource, tableOf } from '#engine'
import { conditionSql } from './condition.ts'
import { readByCursor } from './cursor.ts'
import { ident } from './fragment.ts'
import { selectList, unsealText } from './reader.ts'
import { ownRows } from './scope-rule.ts'

/** Rows for a copy that leaves the program. */
export interface WholeRows {
  readonly tenantId: string
  readonly resource: Resource
  /** Names of the fields that are read; none that is hidden. */
  readonly fields: readonly string[]
  /** The field whose value is one of `ids`; `id` for the rows themselves. */
  readonly field: string
  readonly ids: readonly string[]
  /** Only rows that meet this. */
  readonly where?: Condition | undefined
  /** Sealed texts as lists show them instead of whole. */
  readonly isMasked?: boolean
}

/** A row in its wire shape, with `<field>Name` beside references. */
export type WholeRow = Readonly<Record<string, unknown>>

/**
 * Rows in their wire shape in the order of their ids, read some at a time. They are those of the tenant that are not removed and have
 * no further scope: whoever calls has decided for whom they are.
 */
export async function* wholeRows(
  app: Pick<FastifyInstance, 'pool' | 'vault'>,
  { tenantId, resource, fields, field, ids, where, isMasked = false }: WholeRows,
): AsyncGenerator<WholeRow> {
  if (ids.length === 0) return
  const { entity } = resource
  const list = sql.raw(selectList(resource, fields, !isMasked))
  const from = sql.raw(ident(tableOf(entity.name)))
  const rows = readByCursor(
    app.pool,
    sql`SELECT ${list} FROM ${from} t WHERE ${ownRows({ tenantId }, 't')}
      AND ${sql.raw(`t.${ident(field)}`)} = ANY(${[...ids]}::bigint[]) AND ${conditionSql(where)} ORDER BY t.id`,
  )
  for await (const texts of rows)
    for (const text of texts) yield JSON.parse(unsealText(text, entity, app.vault, !isMasked)) as WholeRow
}
