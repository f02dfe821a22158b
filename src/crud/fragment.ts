import {
  createQueryId,
  type OperationNode,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  type RawBuilder,
  RawNode,
  sql,
  ValueNode,
} from 'kysely'
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

/**
 * A condition that always holds and names the moment: what follows from other tables than a list's own must not be remembered as its
 * total, which is kept by the values of its statement.
 */
export const atMoment = (now: Date): Fragment => sql`${now}::timestamptz IS NOT NULL`

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

/** What a prepared statement is called, and its text. */
interface Prepared {
  readonly name: string
  readonly text: string
}

const prepared = new Map<string, Prepared>()
/** More shapes of statements than this are not kept prepared, so that odd filters cannot fill a connection's memory. */
const mostNames = 800

const marks = new WeakMap<OperationNode, string>()
let marked = 0

/** A long piece of SQL that many statements hold: where statements are compared, a mark stands for its text. */
export function fixed(text: string): Fragment {
  const fragment = sql.raw(text)
  marks.set(fragment.toOperationNode(), `\0${++marked}\0`)
  return fragment
}

/** A fragment that is written out: its text so far, and its values. */
interface Draft {
  text: string
  readonly values: unknown[]
  /** Whether marks stand for the texts that have one. */
  readonly isMarked: boolean
}

/** Writes out what is nothing but pieces of SQL and bound values, as nearly all fragments are. False for one that holds more. */
function write(node: OperationNode, draft: Draft): boolean {
  if (ValueNode.is(node)) {
    if (node.immediate) return false
    draft.text += `$${draft.values.push(node.value)}`
    return true
  }
  if (!RawNode.is(node)) return false
  const mark = draft.isMarked ? marks.get(node) : undefined
  if (mark) {
    draft.text += mark
    return true
  }
  const { sqlFragments, parameters } = node
  for (let at = 0; at < sqlFragments.length; at++) {
    draft.text += sqlFragments[at]
    const parameter = parameters[at]
    if (parameter && !write(parameter, draft)) return false
  }
  return true
}

/** The visitor of Kysely knows every kind of node, and takes many times as long as {@link write}. */
function written(fragment: Fragment, isMarked: boolean): Statement {
  const node = fragment.toOperationNode()
  const draft: Draft = { text: '', values: [], isMarked }
  if (write(node, draft)) return draft
  const { sql: text, parameters } = compiler.compileQuery(node, createQueryId())
  return { text, values: [...parameters] }
}

/** The text and the values of a fragment. */
export const compiled = (fragment: Fragment): Statement => written(fragment, false)

/** What tells a fragment from others, with its values: its text, with marks in the place of what is {@link fixed}. */
export const identityOf = (fragment: Fragment): Statement => written(fragment, true)

/** The statement of a fragment, prepared under a name of its own shape: Kysely itself prepares none. */
export function statement(fragment: Fragment): Statement {
  const { text: shape, values } = identityOf(fragment)
  const known = prepared.get(shape)
  if (known) return { name: known.name, text: known.text, values }
  const { text } = compiled(fragment)
  if (prepared.size >= mostNames) return { text, values }
  const made = { name: `crud_${prepared.size}`, text }
  prepared.set(shape, made)
  return { ...made, values }
}
