import { sql } from 'kysely'
import type { Condition, Test } from '#engine'
import { all, type Fragment, ident } from './fragment.ts'

function testOf(column: Fragment, test: Test | undefined): Fragment {
  if (test !== null && typeof test === 'object' && 'not' in test) return sql`NOT (${testOf(column, test.not)})`
  const values = test === null || test === undefined ? [null] : typeof test === 'object' ? test : [test]
  const known = values.filter(value => value !== null)
  const parts: Fragment[] = []
  if (known.length > 0) parts.push(sql`coalesce(${column} = ANY(${known}), false)`)
  if (known.length < values.length) parts.push(sql`${column} IS NULL`)
  return parts.reduce((one, other) => sql`(${one} OR ${other})`)
}

/**
 * The SQL of a definition's condition on rows of a table; true when there is none.
 * @param alias name of the table in the statement
 */
export function conditionSql(condition: Condition | null | undefined, alias = 't'): Fragment {
  return all(Object.entries(condition ?? {}).map(([name, test]) => testOf(sql.raw(`${alias}.${ident(name)}`), test)))
}
