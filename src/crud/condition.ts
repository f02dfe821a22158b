import { sql } from 'kysely'
import type { Condition, Test } from '#engine'
import { quoteValue as literal } from '../platform/database/wanted.ts'
import { all, type Fragment, ident } from './fragment.ts'

/** The SQL of what one value has to be. */
export function testOf(column: Fragment, test: Test | undefined): Fragment {
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

/**
 * A test of a definition as SQL without bound values, for what the database keeps: indexes and CHECKs. Of a row whose column is
 * null it is unknown, unless the test names null.
 * @param column the quoted column
 */
export function literalTest(column: string, test: Test | undefined): string {
  if (test !== null && typeof test === 'object' && 'not' in test) return `NOT (${literalTest(column, test.not)})`
  if (test === null || test === undefined) return `${column} IS NULL`
  const values = typeof test === 'object' ? test : [test]
  const known = values.filter(value => value !== null)
  const parts = known.length ? [`${column} IN (${known.map(literal).join(', ')})`] : []
  if (known.length < values.length) parts.push(`${column} IS NULL`)
  return parts.length === 1 ? parts[0]! : `(${parts.join(' OR ')})`
}
