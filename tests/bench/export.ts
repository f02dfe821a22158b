import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { Running } from './servers.ts'

/** Memory of a process in MiB, as Linux counts it; not a number elsewhere. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}

/** What a large export had cost. */
export interface ExportCost {
  seconds: number
  bytes: number
  /** MiB of the server before, and at most meanwhile. */
  before: number
  peak: number
}

/** Takes a whole export and forgets it, as a client that saves it to a disk. @throws when it is refused */
export async function takeExport(server: Running, path: string, headers: Record<string, string>): Promise<ExportCost> {
  const cost: ExportCost = { seconds: 0, bytes: 0, before: await memoryOf(server.pid), peak: 0 }
  const look = async () => {
    cost.peak = Math.max(cost.peak, await memoryOf(server.pid))
  }
  const timer = setInterval(look, 50)
  const begun = performance.now()
  try {
    const answer = await fetch(`${server.url}${path}`, { headers })
    if (!answer.ok || !answer.body) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    for await (const part of answer.body) cost.bytes += (part as Uint8Array).length
    cost.seconds = (performance.now() - begun) / 1000
  } finally {
    clearInterval(timer)
  }
  return cost
}

/** Seconds in which PostgreSQL gives the same rows away as plain text. */
export async function copyOut(pool: pg.Pool, table: string): Promise<number> {
  const begun = performance.now()
  await pool.query(`COPY ${table} TO STDOUT`)
  return (performance.now() - begun) / 1000
}

/** Fills a table of positions. */
export async function fillPositions(pool: pg.Pool, rows: number): Promise<void> {
  const { rows: found } = await pool.query<{ name: string }>(
    `SELECT quote_ident(column_name) AS name FROM information_schema.columns
      WHERE table_name = 'examitems' AND column_name NOT IN ('id', 'code', 'isDeleted')`,
  )
  const names = found.map(one => one.name).join(', ')
  await pool.query(`INSERT INTO examitems (${names}, code) SELECT ${names}, 'B' || n FROM generate_series(1, ${rows}) n
    CROSS JOIN (SELECT * FROM examitems WHERE "isDeleted" = 0 ORDER BY id LIMIT 1) s`)
  await pool.query('VACUUM ANALYZE examitems')
}
