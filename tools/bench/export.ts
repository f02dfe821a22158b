import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { memoryOf } from './memory.ts'
import type { Running } from './servers.ts'

/** What an export had cost. */
export interface ExportCost {
  seconds: number
  bytes: number
  /** MiB of the server at most, with the garbage that it had not collected yet. */
  peak: number
  /** MiB that were in use at most, counted after collecting; only where that was asked for. */
  used: number
}

/** How the memory of a server is looked at. */
export interface Watched {
  server: Running
  headers: Record<string, string>
  /** Where the server writes what is in use when told to collect; without it nothing is collected. */
  heapFile?: string
}

async function data<T>({ server, headers }: Watched, path: string): Promise<T> {
  const answer = await fetch(`${server.url}/api${path}`, { headers })
  const { code, data, msg } = (await answer.json()) as { code: number; data: T; msg: string }
  if (code !== 200) throw new Error(`${path}: ${code} ${msg}`)
  return data
}

/** Has the positions whose code begins with some letters made into a workbook in the background, and fetches it. */
export async function takeExport(watched: Watched, code: string): Promise<ExportCost> {
  const { server, headers, heapFile } = watched
  const cost: ExportCost = { seconds: 0, bytes: 0, peak: 0, used: 0 }
  const look = async () => {
    cost.peak = Math.max(cost.peak, await memoryOf(server.pid))
    if (!heapFile) return
    cost.used = Math.max(cost.used, Number(await readFile(heapFile, 'utf8').catch(() => 0)))
    process.kill(server.pid, 'SIGUSR2')
  }
  const begun = performance.now()
  const { taskId } = await data<{ taskId: string }>(watched, `/blade-examitem/examitems/export?code_likeright=${code}`)
  const timer = setInterval(look, heapFile ? 400 : 50)
  const base = '/blade-exam/exporttask'
  try {
    for (let status = 0; status < 2; await pause(200)) {
      const task = await data<{ taskStatus: number; failReason: string }>(watched, `${base}/detail?id=${taskId}`)
      status = task.taskStatus
      if (status > 2) throw new Error(task.failReason)
    }
    cost.seconds = (performance.now() - begun) / 1000
    const file = await fetch(`${server.url}/api${base}/download?id=${taskId}`, { headers })
    for await (const part of file.body ?? []) cost.bytes += (part as Uint8Array).length
  } finally {
    clearInterval(timer)
  }
  return cost
}

/** Seconds in which PostgreSQL gives the same rows away as plain text. */
export async function copyOut(pool: pg.Pool, code: string): Promise<number> {
  const begun = performance.now()
  await pool.query(`COPY (SELECT * FROM examitems WHERE code LIKE '${code}%') TO STDOUT`)
  return (performance.now() - begun) / 1000
}

/** Adds positions whose codes begin with some letters. */
export async function fillPositions(pool: pg.Pool, code: string, rows: number): Promise<void> {
  const { rows: found } = await pool.query<{ name: string }>(
    `SELECT quote_ident(column_name) AS name FROM information_schema.columns
      WHERE table_name = 'examitems' AND column_name NOT IN ('id', 'code', 'isDeleted')`,
  )
  const names = found.map(one => one.name).join(', ')
  await pool.query(`INSERT INTO examitems (${names}, code) SELECT ${names}, '${code}' || n FROM generate_series(1, ${rows}) n
    CROSS JOIN (SELECT * FROM examitems WHERE "isDeleted" = 0 ORDER BY id LIMIT 1) s`)
  await pool.query('VACUUM ANALYZE examitems')
}
