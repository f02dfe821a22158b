import type { Condition, Test } from '#engine'
import { all, type Fragment, ident, q, raw } from './fragment.ts'

function testOf(column: Fragment, test: Test | undefined): Fragment {
  if (test !== null && typeof test === 'object' && 'not' in test) return q`NOT (${testOf(column, test.not)})`
  const values = test === null || test === undefined ? [null] : typeof test === 'object' ? test : [test]
  const known = values.filter(value => value !== null)
  const parts: Fragment[] = []
  if (known.length > 0) parts.push(q`coalesce(${column} = ANY(${known}), false)`)
  if (known.length < values.length) parts.push(q`${column} IS NULL`)
  return parts.reduce((one, other) => q`(${one} OR ${other})`)
}

/**
 * The SQL of a definition's condition on rows of a table; true when there is none.
 * @param alias name of the table in the statement
 */
export function conditionSql(condition: Condition | null | undefined, alias = 't'): Fragment {
  return all(Object.entries(condition ?? {}).map(([name, test]) => testOf(raw(`${alias}.${ident(name)}`), test)))
}
