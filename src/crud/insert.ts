import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { tableOf } from '#engine'
import { batchQueries } from '../platform/database/batch-queries.ts'
import { type KeptAnswer, keyLock } from '../platform/http/server/idempotency.ts'
import { foundAll, type LookUp, type Writer } from './checks.ts'
import type { Cell } from './encode.ts'
import { type Fragment, ident, statement } from './fragment.ts'

/** A row to be added: name of its entity, and what stands in its columns. */
export interface NewRow {
  readonly entity: string
  readonly cells: readonly Cell[]
}

/** A row that is added when everything it points at is there. */
export interface LinkedRow extends NewRow {
  readonly lookUps: readonly LookUp[]
  readonly writer: Writer
  /** What is kept under the key of the call, with the row or not at all. */
  readonly kept?: KeptAnswer | undefined
}

/**
 * Adds a row in a transaction that it may share with others. False: something that it points at is not there, or the key of the
 * call is taken, and nothing was added.
 * @throws what the database says about this row alone
 */
type Inserts = (row: LinkedRow) => Promise<boolean>

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds rows that need nothing but an insert, those of the same moment in one statement and one commit. */
    inserts: Inserts
  }
}

// JSON cannot carry half of a surrogate pair into the database.
const valueText = ({ value, isJson }: Cell): string =>
  isJson ? String(value) : JSON.stringify(typeof value === 'string' ? value.toWellFormed() : value)

const rowText = (cells: readonly Cell[]): string =>
  `{${cells.map(cell => `${JSON.stringify(cell.column)}:${valueText(cell)}`).join()}}`

/** Rows as the JSON text that `json_populate_recordset` takes. */
export const rowsText = (rows: readonly (readonly Cell[])[]): string => `[${rows.map(rowText).join()}]`

/** The columns of a row, quoted, in their order. */
export const columnsOf = ({ cells }: NewRow): string => cells.map(({ column }) => ident(column)).join(', ')

/**
 * The statement that adds rows, in their order. The rows are sent as one value, so that any number of them is one text to
 * prepare.
 * @param rows of one entity and with the same columns in the same order
 * @param condition without which none is added
 */
export function insertion(rows: readonly [NewRow, ...NewRow[]], condition: Fragment = sql.raw('true')): Fragment {
  const [first] = rows
  const table = sql.raw(ident(tableOf(first.entity)))
  const columns = sql.raw(columnsOf(first))
  const text = rowsText(rows.map(({ cells }) => cells))
  return sql`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, ${text}::json)
    WHERE ${condition}`
}

/** What has become of a row. */
interface Outcome {
  isAdded: boolean
  error?: unknown
}

const isMany = (rows: readonly LinkedRow[]): rows is readonly [LinkedRow, ...LinkedRow[]] => rows.length > 0

/** What any of some rows points at, each target once. */
function lookUpsOf(rows: readonly LinkedRow[]): LookUp[] {
  const all = new Map<string, string[]>()
  for (const { lookUps } of rows)
    for (const { target, keys } of lookUps) all.set(target, [...(all.get(target) ?? []), ...keys])
  return [...all].map(([target, keys]) => ({ target, keys }))
}

/** True when the database refused the statement; after anything else it may have been done all the same. */
const isRefused = (error: unknown): boolean => error instanceof pg.DatabaseError && error.severity === 'ERROR'

/** Whose key it is, for what. */
type Key = Pick<KeptAnswer, 'userId' | 'path' | 'key'>
const keyText = ({ userId, path, key }: Key): string => `${userId} ${path} ${key}`

/** The statement that adds those of some rows whose keys are free, the first of each key, with what is kept under it, and answers these keys. */
function keyedInsertion(rows: readonly [LinkedRow, ...LinkedRow[]], condition: Fragment): Fragment {
  const kept = JSON.stringify(rows.map(row => row.kept))
  const names = sql.raw('"userId", path, key, "bodyHash", response, "lockedAt", "expireTime"')
  const lock = sql.raw(keyLock(`c."userId" || ' ' || c.path || ' ' || c.key`))
  const table = sql.raw(ident(tableOf(rows[0].entity)))
  const columns = sql.raw(columnsOf(rows[0]))
  const text = rowsText(rows.map(({ cells }) => cells))
  return sql`WITH given AS (SELECT * FROM json_populate_recordset(NULL::idempotency, ${kept}::json) WITH ORDINALITY),
    taken AS (INSERT INTO idempotency (${names}) SELECT ${names} FROM given c
      WHERE ${condition} AND pg_try_advisory_xact_lock(${lock}) ON CONFLICT DO NOTHING RETURNING "userId", path, key),
    added AS (INSERT INTO ${table} (${columns}) SELECT ${columns}
      FROM json_populate_recordset(NULL::${table}, ${text}::json) WITH ORDINALITY
      WHERE ordinality IN (SELECT min(g.ordinality) FROM given g JOIN taken USING ("userId", path, key) GROUP BY "userId", path, key))
    SELECT "userId", path, key FROM taken`
}

/** Adds rows in one statement. @returns those that were added; the others were not */
async function insertSome(
  { pool }: FastifyInstance,
  rows: readonly [LinkedRow, ...LinkedRow[]],
): Promise<readonly LinkedRow[]> {
  // Nobody waits for what only another row needs: that one is added by itself.
  const condition = foundAll(lookUpsOf(rows), rows[0].writer, rows.length === 1)
  if (!rows[0].kept) {
    const { rowCount } = await pool.query(statement(insertion(rows, condition)))
    return rowCount === rows.length ? rows : []
  }
  const { rows: keys } = await pool.query<Key>(statement(keyedInsertion(rows, condition)))
  const taken = new Set(keys.map(keyText))
  // Of rows with the same key the first was added.
  return rows.filter(({ kept }) => kept && taken.delete(keyText(kept)))
}

/** Adds rows in one transaction; when one of them is refused or points at nothing, the others are added without it. */
async function insertAll(app: FastifyInstance, rows: readonly LinkedRow[]): Promise<Outcome[]> {
  if (!isMany(rows)) return []
  try {
    const added = new Set(await insertSome(app, rows))
    if (added.size > 0 || rows.length === 1) return rows.map(row => ({ isAdded: added.has(row) }))
  } catch (error) {
    if (rows.length === 1 || !isRefused(error)) return rows.map(() => ({ isAdded: false, error }))
  }
  const half = rows.length >> 1
  return [...(await insertAll(app, rows.slice(0, half))), ...(await insertAll(app, rows.slice(half)))]
}

/** Rows share a statement that have the same columns, and whose writers look up the same things in the same tenant. */
const groupOf = (row: LinkedRow): string =>
  [
    row.entity,
    columnsOf(row),
    row.writer.person.tenantId,
    row.kept !== undefined,
    ...row.lookUps.map(({ target }) => target),
  ].join(' ')

/** Makes the adder of rows. */
export function insertsOf(app: FastifyInstance): Inserts {
  const ask = batchQueries<LinkedRow, Outcome>(rows => insertAll(app, rows), groupOf)
  return async row => {
    const { isAdded, error } = await ask(row)
    if (error) throw error
    return isAdded
  }
}
