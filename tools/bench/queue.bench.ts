import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entities } from '#schemas'
import { WorkState } from '#schemas/dictionaries'
import { tablesOf } from '../../src/crud/table.ts'
import { openDatabase, openPool } from '../../src/platform/database/database.ts'
import { type Embedded, openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { claim } from '../../src/platform/queue/claim.ts'

/** Pieces that are open, and how many are taken by one statement. */
const [open, together] = [10_000, 5]
/** Pieces that are taken while the time is measured, and how often. */
const [most, rounds] = [1000, 3]

const lines: string[] = []
let folder: string
let database: Embedded
let pool: pg.Pool

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-bench-'))
  // User nobody, who runs PostgreSQL when root runs this, must get in.
  await chmod(folder, 0o755)
  const data = path.join(folder, 'data')
  database = await openEmbedded(data)
  pool = openPool(database.connection)
  await migrate(pool, tablesOf(entities))
}, 300_000)

afterAll(async () => {
  await pool?.end()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
  console.log(`\n${lines.join('\n')}\n`)
})

/** Pieces that wait, a few of each of several kinds and lanes. */
async function fill(): Promise<void> {
  await pool.query('TRUNCATE work_item')
  await pool.query(
    `INSERT INTO work_item (kind, lane, key, "tenantId", state, "runAt", tries, "maxTries", payload, "createTime", "updateTime")
     SELECT 'job.run', 'job', n::text, '000000', 1, now() - n * interval '1 second', 0, 3, repeat('x', 200), now(), now()
     FROM generate_series(1, ${open}) n`,
  )
  await pool.query('VACUUM ANALYZE work_item')
}

/** Milliseconds in which some pieces were taken; what was taken is ended between, and that is not counted. */
async function timed(take: () => Promise<number>): Promise<number> {
  await fill()
  let time = 0
  for (let taken = 0; taken < most; taken += together) {
    const begun = performance.now()
    expect(await take()).toBe(together)
    time += performance.now() - begun
    await pool.query(
      `UPDATE work_item SET state = ${WorkState.done}, "endTime" = now() WHERE state = ${WorkState.running}`,
    )
  }
  return time
}

test('claims', { timeout: 300_000 }, async () => {
  const db = openDatabase(pool)
  const kinds = ['job.run', 'export', 'sms.send', 'flow.timer', 'flow.call', 'flow.resume']
  const rooms = new Map([['job', together] as const, ['export', 2] as const, ['sms', 2] as const, ['flow', 5] as const])
  const ours = async () => (await claim(db, { node: 'bench-1', kinds, rooms, now: new Date() })).length
  const byHand = async () => {
    const { rows } = await pool.query(
      `UPDATE work_item SET state = ${WorkState.running}, tries = tries + 1, "leaseBy" = $1, "leaseUntil" = clock_timestamp() + interval '60 seconds'
       WHERE id IN (SELECT id FROM work_item WHERE lane = 'job' AND state = ${WorkState.waiting} AND "runAt" <= $2
         ORDER BY priority DESC, "runAt", id FOR UPDATE SKIP LOCKED LIMIT ${together})
       RETURNING id, kind, key, "tenantId", tries, payload`,
      ['bench-1', new Date()],
    )
    return rows.length
  }
  const best = async (take: () => Promise<number>) => {
    const times: number[] = []
    for (let n = 0; n < rounds; n++) times.push(await timed(take))
    return Math.min(...times)
  }
  const [mine, plain] = [await best(ours), await best(byHand)]
  const perSecond = (time: number) => Math.round(((most / time) * 1000) / 10) * 10
  lines.push(
    `Pieces of work taken, ${open.toLocaleString()} open, ${together} by one statement (load ${os.loadavg()[0]?.toFixed(1)})`,
    `${perSecond(mine)} a second over four lanes; ${perSecond(plain)} by a statement by hand on one; ratio ${(mine / plain).toFixed(2)}`,
  )
  expect(mine / plain).toBeLessThan(3)
})
