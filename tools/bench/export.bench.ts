import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Embedded, openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { copyOut, fillPositions, takeExport } from './export.ts'
import { type Running, signInAs, startProduct } from './servers.ts'

/** Rows of an export by the letters their codes begin with. */
const sizes = { BA: 10_000, BB: 100_000, BC: 300_000 } as const

const lines: string[] = []
let folder: string
let server: Running
let database: Embedded
let pool: pg.Pool

const start = (node: readonly string[] = [], env: Record<string, string> = {}) =>
  startProduct(path.join(folder, 'data'), true, { node, env })

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-bench-'))
  // User nobody, who runs PostgreSQL when root runs this, must get in.
  await chmod(folder, 0o755)
  server = await start()
  database = await openEmbedded(path.join(folder, 'data'))
  pool = new pg.Pool({ ...database.connection, max: 1 })
  for (const [code, rows] of Object.entries(sizes)) await fillPositions(pool, code, rows)
}, 900_000)

afterAll(async () => {
  await pool?.end()
  await server?.stop()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
  console.log(`\n${lines.join('\n')}\n`)
})

test('time and memory', { timeout: 900_000 }, async () => {
  const headers = await signInAs(server, 'admin')
  // Node lets garbage lie until the heap is four times what is in use; from then on it is as large as it will be.
  await takeExport({ server, headers }, 'BB')
  lines.push(`Exports of positions, all columns (load ${os.loadavg()[0]?.toFixed(1)})`)
  const peaks: number[] = []
  for (const [code, rows] of Object.entries(sizes)) {
    const { seconds, bytes, peak } = await takeExport({ server, headers }, code)
    peaks.push(peak)
    const plain = await copyOut(pool, code)
    lines.push(
      `${rows.toLocaleString().padStart(8)} rows ${seconds.toFixed(1).padStart(6)} s, ${(bytes / 1024 / 1024).toFixed(1)} MiB; the server has ${peak.toFixed(0)} MiB at most; plain COPY ${plain.toFixed(2)} s`,
    )
  }
  expect(Math.max(...peaks) / (peaks[1] ?? 0)).toBeLessThan(1.05)
})

test('memory in use', { timeout: 900_000 }, async () => {
  await server.stop()
  const heapFile = path.join(folder, 'heap')
  server = await start(['--expose-gc', '--import', path.join(import.meta.dirname, 'heap.mjs')], { HEAP_FILE: heapFile })
  const headers = await signInAs(server, 'admin')
  await takeExport({ server, headers }, 'BA')
  const used: number[] = []
  for (const code of Object.keys(sizes)) used.push((await takeExport({ server, headers, heapFile }, code)).used)
  lines.push(`In use when garbage is collected all the time: ${used.map(one => `${one.toFixed(1)} MiB`).join(', ')}`)
  expect(Math.max(...used) / Math.min(...used)).toBeLessThan(1.05)
})
