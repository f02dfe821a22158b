import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FlowCategory, FlowTaskState } from '#schemas/dictionaries'
import { type Embedded, openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { bpmn, lines as ways } from '../../tests/helper/flow-bench.ts'
import { inTurns } from '../../tests/helper/in-turns.ts'
import { connections } from './load.ts'
import { type Running, signInAs, startProduct } from './servers.ts'

/** Tasks that are open while others are decided on. */
const open = 10_000
/** Decisions that are measured. */
const decisions = 2000
const patience = 900_000

const task = (id: string): string => `<userTask id="${id}" name="步骤${id}" flowable:assignee="\${initiator}"/>`
/** Two tasks, one after the other, so that a decision ends one task and makes the next. */
const model = bpmn(
  'bench',
  `<startEvent id="s"/>${task('a')}${task('b')}<endEvent id="e"/>${ways('s>a', 'a>b', 'b>e')}`,
)

const lines: string[] = []
let folder: string
let server: Running
let database: Embedded
let pool: pg.Pool
let headers: Record<string, string>

async function call<T>(method: 'GET' | 'POST', address: string, body?: object): Promise<T> {
  const answer = await fetch(`${server.url}/api/${address}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { code, msg, data } = await answer.json()
  if (code !== 200) throw new Error(`${address}: ${code} ${msg}`)
  return data
}

/** How many of some pieces of work were done each second, {@link connections} of them at a time. */
async function perSecond<T>(pieces: readonly T[], work: (piece: T) => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await inTurns(connections, pieces, work)
  return pieces.length / ((performance.now() - begun) / 1000)
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-bench-'))
  // User nobody, who runs PostgreSQL when root runs this, must get in.
  await chmod(folder, 0o755)
  server = await startProduct(path.join(folder, 'data'))
  headers = await signInAs(server, 'admin')
  database = await openEmbedded(path.join(folder, 'data'))
  pool = new pg.Pool({ ...database.connection, max: connections })
}, patience)

afterAll(async () => {
  await pool?.end()
  await server?.stop()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
  console.log(`\n${lines.join('\n')}\n`)
})

/** What a person would write by hand: the next open row of a plain table becomes done. */
async function byHand(): Promise<number> {
  await pool.query(`CREATE TABLE bench_task (id bigserial PRIMARY KEY, "endTime" timestamptz)`)
  await pool.query(`CREATE INDEX ON bench_task (id) WHERE "endTime" IS NULL`)
  await pool.query('INSERT INTO bench_task (id) SELECT generate_series(1, $1)', [open])
  const next = `UPDATE bench_task SET "endTime" = now() WHERE id =
    (SELECT id FROM bench_task WHERE "endTime" IS NULL ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1)`
  return perSecond(Array.from({ length: decisions }), () => pool.query(next))
}

test('moves of processes', { timeout: patience }, async () => {
  const saved = { name: '测速', modelKey: 'bench', category: FlowCategory.business, xml: model }
  const { id } = await call<{ id: string }>('POST', 'blade-flow/model/submit', saved)
  await call('POST', `blade-flow/model/deploy?modelId=${id}`)
  const starts = await perSecond(Array.from({ length: open }), () =>
    call('POST', 'blade-flow/process/start-process', { processDefinitionId: id }),
  )
  const { rows } = await pool.query<{ id: string; run: string }>(
    `SELECT id::text, "instanceId"::text AS run FROM flow_task WHERE state = $1 ORDER BY random() LIMIT $2`,
    [FlowTaskState.open, decisions],
  )
  expect(rows).toHaveLength(decisions)
  const moves = await perSecond(rows, one =>
    call('POST', 'blade-flow/work/complete-task', { taskId: one.id, processInstanceId: one.run, pass: true }),
  )
  const plain = await byHand()
  const told = (name: string, speed: number) =>
    lines.push(`${name.padEnd(34)} ${speed.toFixed(0).padStart(6)}/s   ${(speed / plain).toFixed(2)} of by hand`)
  lines.push(
    `With ${open.toLocaleString()} open tasks, ${connections} connections (load ${os.loadavg()[0]?.toFixed(1)})`,
  )
  told('starts of processes, by calls', starts)
  told('decisions, by calls', moves)
  told('UPDATE … SKIP LOCKED, by hand', plain)
})
