import { createQueryId, PostgresQueryCompiler, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { quoteName } from '../platform/database/wanted.ts'

/** A piece of SQL with its bound values: text never holds a value, and names come from definitions only. */
export type Fragment = RawBuilder<unknown>

/** The quoted name of a table or column. */
export const ident = quoteName

/** Several fragments with a separator between them. */
export const join = (fragments: readonly Fragment[], separator: string): Fragment =>
  sql.join(fragments, sql.raw(separator))

/** All of the conditions; true when there is none. */
export const all = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? sql.raw('true') : join(conditions, ' AND ')

/** The rows that a fragment answers. */
export const rowsOf = async <T = Readonly<Record<string, unknown>>>(
  on: QueryExecutorProvider,
  fragment: Fragment,
): Promise<T[]> => (await fragment.$castTo<T>().execute(on)).rows

/** A statement as the driver takes it; one with a name is parsed and planned once per connection. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
}

const compiler = new PostgresQueryCompiler()

const names = new Map<string, string>()
/** More shapes of statements than this are not kept prepared, so that odd filters cannot fill a connection's memory. */
const mostNames = 800

/** The text and the values of a fragment. */
export function compiled(fragment: Fragment): Statement {
  const { sql: text, parameters } = compiler.compileQuery(fragment.toOperationNode(), createQueryId())
  return { text, values: [...parameters] }
}

/** The statement of a fragment, prepared under a name of its own shape: Kysely itself prepares none. */
export function statement(fragment: Fragment): Statement {
  const { text, values } = compiled(fragment)
  const known = names.get(text)
  if (known) return { name: known, text, values }
  if (names.size >= mostNames) return { text, values }
  const name = `crud_${names.size}`
  names.set(text, name)
  return { name, text, values }
}
