import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/helper/app.ts'
import { login, makeUser } from '../../../tests/helper/login.ts'
import { often } from './often.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('a statement that is asked often is prepared once for a connection, whatever its values; others are not', async () => {
  // Behind a pooler that hands connections on nothing is prepared.
  const isKept = t.app.config.databasePrepared ? 1 : 0
  await t.db.connection().execute(async db => {
    for (const n of [1, 2, 3]) {
      await sql`SELECT ${n}::int AS kept_one ${often}`.execute(db)
      await sql`SELECT ${n}::int AS kept_none`.execute(db)
      await db.transaction().execute(trx => sql`SELECT ${n}::int AS kept_two ${often}`.execute(trx))
    }
    const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(db)
    const kept = (part: string) => rows.filter(({ statement }) => statement.includes(part)).length
    expect([kept('kept_one'), kept('kept_two'), kept('kept_none')]).toEqual([isKept, isKept, 0])
  })
})

test('one that answers * is refused: what it answers changes with its table', async () => {
  for (const text of ['SELECT * FROM param', 'SELECT p.* FROM param p', 'DELETE FROM param RETURNING *'])
    await expect(sql`${sql.raw(text)} ${often}`.execute(t.db)).rejects.toThrow('cannot be prepared')
})

test('whoever signs in while a newer program adds columns is let in', async () => {
  await makeUser(t, { role: 'candidate', account: 'early' })
  await login(t, 'early')
  for (const table of ['"user"', 'client', 'session', 'session_token', 'auditlog', 'param'])
    await t.pool.query(`ALTER TABLE ${table} ADD COLUMN later integer`)
  expect((await login(t, 'early')).body.access_token).toBeTruthy()
})
