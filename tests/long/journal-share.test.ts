import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../helper/app.ts'
import { type Applicant, applicant, formOf, makeExam, post, signApp } from '../helper/sign-bench.ts'

// How much of what the database writes ahead (WAL) are the lines of the journal, while candidates fill in their forms.

/** Candidates, and how often each saves: a thousand calls. */
const [people, saves] = [20, 50]

let t: TestApp
beforeAll(async () => {
  t = await signApp()
}, 240_000)
afterAll(() => t?.close())

const position = async (): Promise<bigint> => {
  const { rows } = await t.pool.query<{ at: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS at`,
  )
  return BigInt(rows[0]!.at)
}

/** Bytes that work adds; without the pages that are written whole after a checkpoint, which depend on when it was. */
async function written(work: () => Promise<unknown>): Promise<number> {
  await t.pool.query('CHECKPOINT')
  const before = await position()
  await work()
  return Number((await position()) - before)
}

async function fillIn(who: Applicant, examId: string): Promise<void> {
  let more: { id?: string; version?: number } = {}
  for (let n = 0; n < saves; n++) {
    const content = { education: '30', major: `临床医学 ${n}`, note: `第 ${n} 次保存` }
    const body = formOf(who, examId, { draft: 1, content, ...more })
    const { code, data } = await post<{ id: string; version: number }>(t, who, 'submit', body, randomUUID())
    expect(code).toBe(200)
    more = { id: data.id, version: data.version }
  }
}

test('a line of the journal writes little beside what a saved form writes', async () => {
  const { exam } = await makeExam(t)
  const all: Applicant[] = []
  for (let n = 0; n < people; n++) all.push(await applicant(t))
  await t.app.journal.flush()
  const whole = await written(async () => {
    await Promise.all(all.map(who => fillIn(who, exam.id)))
    await t.app.journal.flush()
  })
  const lines = `FROM log_api WHERE title = (SELECT title FROM log_api ORDER BY id DESC LIMIT 1)`
  const { rows } = await t.pool.query<{ n: number; bytes: number }>(
    `SELECT count(*)::int AS n, avg(pg_column_size(log_api.*))::int AS bytes ${lines}`,
  )
  expect(rows[0]?.n).toBe(people * saves)
  // The same lines once more, as many at once as in a second: what they alone write.
  const columns = await t.pool.query<{ list: string }>(
    `SELECT string_agg(quote_ident(attname), ', ') AS list FROM pg_attribute
     WHERE attrelid = 'log_api'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id'`,
  )
  const list = columns.rows[0]!.list
  await t.pool.query(`CREATE TABLE kept AS SELECT row_number() OVER (ORDER BY id) AS n, ${list} ${lines}`)
  const journal = await written(async () => {
    for (let n = 0; n < people * saves; n += 100)
      await t.pool.query(`INSERT INTO log_api (${list}) SELECT ${list} FROM kept WHERE n > $1 AND n <= $1 + 100`, [n])
  })
  const share = (journal / whole) * 100
  console.log(
    `WAL of ${people * saves} saved forms ${(whole / 1024).toFixed(0)} KiB, of their ${rows[0]?.n} lines of ${rows[0]?.bytes} bytes ${(journal / 1024).toFixed(0)} KiB: ${share.toFixed(1)} %`,
  )
  // 1.9 KB when lines were written one by one; now 0.7 KB of the 2.6 KB that a saved draft writes in all.
  expect(journal / (people * saves)).toBeLessThan(900)
  expect(share).toBeLessThan(33)
}, 240_000)
