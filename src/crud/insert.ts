import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { tableOf } from '#engine'
import { batchQueries } from '../platform/database/batch-queries.ts'
import type { Cell } from './encode.ts'
import { type Fragment, ident, statement } from './fragment.ts'

/** A row to be added: name of its entity, and what stands in its columns. */
export interface NewRow {
  readonly entity: string
  readonly cells: readonly Cell[]
}

/** Adds a row in a transaction that it may share with others. @throws what the database says about this row alone */
type Inserts = (row: NewRow) => Promise<void>

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
 */
export function insertion(rows: readonly [NewRow, ...NewRow[]]): Fragment {
  const [first] = rows
  const table = sql.raw(ident(tableOf(first.entity)))
  const columns = sql.raw(columnsOf(first))
  const text = rowsText(rows.map(({ cells }) => cells))
  return sql`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, ${text}::json)`
}

/** The error of a row that was not added. */
interface Outcome {
  error?: unknown
}

const isMany = (rows: readonly NewRow[]): rows is readonly [NewRow, ...NewRow[]] => rows.length > 0

/** True when the database refused the statement; after anything else it may have been done all the same. */
const isRefused = (error: unknown): boolean => error instanceof pg.DatabaseError && error.severity === 'ERROR'

/** Adds rows in one transaction; when one of them is refused, the others are added without it. */
async function insertAll(app: FastifyInstance, rows: readonly NewRow[]): Promise<Outcome[]> {
  if (!isMany(rows)) return []
  try {
    await app.pool.query(statement(insertion(rows)))
    return rows.map(() => ({}))
  } catch (error) {
    if (rows.length === 1 || !isRefused(error)) return rows.map(() => ({ error }))
    const half = rows.length >> 1
    return [...(await insertAll(app, rows.slice(0, half))), ...(await insertAll(app, rows.slice(half)))]
  }
}

/** Makes the adder of rows. */
export function insertsOf(app: FastifyInstance): Inserts {
  const ask = batchQueries<NewRow, Outcome>(
    rows => insertAll(app, rows),
    row => `${row.entity} ${columnsOf(row)}`,
  )
  return async row => {
    const { error } = await ask(row)
    if (error) throw error
  }
}
