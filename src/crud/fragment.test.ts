import { createQueryId, PostgresQueryCompiler, sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { all, compiled, type Fragment, fixed, identityOf, join } from './fragment.ts'

const byKysely = (fragment: Fragment) => {
  const { sql: text, parameters } = new PostgresQueryCompiler().compileQuery(
    fragment.toOperationNode(),
    createQueryId(),
  )
  return { text, values: [...parameters] }
}

const at = new Date(0)
const list = fixed('t.a, t.b')
const nested = sql`SELECT ${list} FROM ${sql.raw('"t"')} t WHERE ${all([sql`a = ${1}`, sql`b = ANY(${['x', 'y']}::text[])`])}`

test.each<[string, Fragment]>([
  ['text alone', sql.raw('now()')],
  ['values', sql`a = ${1} AND b = ${null} AND c > ${at}`],
  ['fragments within others', sql`SELECT (${nested}) AS one, (${nested}) AS other, ${'last'} AS last`],
  ['lists, an empty one among them', sql`${join([sql`${1}`, sql`x`, sql`${2}`], ', ')} ${join([], ' ')} ${all([])}`],
  ['literals, names and tables', sql`${sql.lit("it's")} ${sql.ref('a.b')} ${sql.table('t')} ${sql.id('c')} ${3}`],
])('is written out as Kysely does it: %s', (_name, fragment) => {
  const { text, values } = compiled(fragment)
  expect({ text, values }).toEqual(byKysely(fragment))
})

test('a mark stands for what is fixed, and another for another', () => {
  const one = (fragment: Fragment) => identityOf(sql`SELECT ${fragment} FROM t WHERE a = ${1}`).text
  const [a, b] = [fixed('t.a'), fixed('t.a')]
  expect(one(a)).toBe(one(a))
  expect(one(a)).not.toBe(one(b))
  expect(one(a)).not.toContain('t.a')
  expect(one(sql.raw('t.a'))).toContain('t.a')
})

test('one name stands for one text', async () => {
  // Other tests of this process may have used up the names.
  vi.resetModules()
  const { fixed, statement } = await import('./fragment.ts')
  const [a, b] = [fixed('t.a'), fixed('t.b')]
  const made = [a, b, a].map(fragment => statement(sql`SELECT ${fragment} FROM named WHERE a = ${1}`))
  expect(made.map(({ text }) => text)).toEqual(['a', 'b', 'a'].map(name => `SELECT t.${name} FROM named WHERE a = $1`))
  expect(made[0]?.name).toBe(made[2]?.name)
  expect(made[0]?.name).not.toBe(made[1]?.name)
})
