import { execFile } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../src/platform/database/database.ts'
import { type TestDatabase, testDatabase } from '../helper/app.ts'
import { buildServer } from '../helper/process.ts'
import { testSecretKey } from '../helper/secret-key.ts'

const root = path.resolve(import.meta.dirname, '../..')

let database: TestDatabase
beforeAll(async () => {
  buildServer()
  database = await testDatabase()
})
afterAll(() => database?.drop())

/** Runs it as `npm run schema -- plan --json` does. */
async function plan(): Promise<{ code: number; plan: unknown }> {
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, SECRET_KEY: testSecretKey }
  const args = ['dist/server/schema.js', 'plan', '--json']
  const { code, output, errors } = await new Promise<{ code: number; output: string; errors: string }>(resolve =>
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout, errors: stderr }),
    ),
  )
  expect(errors).toBe('')
  return { code, plan: JSON.parse(output) }
}

test('a plan ends with 2 when something is to be done, and with 1 when somebody must decide first', async () => {
  const pool = openPool({ connectionString: database.url, max: 1 })
  try {
    const { rows } = await pool.query<{ name: string }>(
      String.raw`SELECT indexname AS name FROM pg_indexes WHERE tablename = 'param' AND indexname LIKE 'i\_%' LIMIT 1`,
    )
    const name = rows[0]!.name
    await pool.query(`DROP INDEX "${name}"`)
    const made = [expect.stringMatching(`^CREATE INDEX "${name}" ON "param" `)]
    const index = { class: 'safe', table: 'param', name, says: 'new index', sql: made }
    expect(await plan()).toEqual({ code: 2, plan: { files: [], differences: [index] } })
    await pool.query(`ALTER TABLE param ALTER "paramKey" DROP NOT NULL`)
    const { rows: added } = await pool.query<{ id: string }>(
      `INSERT INTO param ("paramName", "paramValue") VALUES ('a', '1') RETURNING id::text`,
    )
    const lacking = { class: 'refused', table: 'param', name: 'paramKey', rows: 1, ids: [added[0]!.id] }
    expect(await plan()).toMatchObject({ code: 1, plan: { differences: [index, lacking] } })
  } finally {
    await pool.end()
  }
})
