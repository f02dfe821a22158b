import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { buildServer, startServer } from '../helper/process.ts'
import { soon } from '../helper/soon.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-slow-'))
  // User nobody, who runs PostgreSQL when root runs the tests, must get in.
  await chmod(folder, 0o755)
  buildServer()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The process of the database in a folder that writes to the disk at its end. @throws while there is none */
async function checkpointerIn(dir: string): Promise<number> {
  const visitor = await openEmbedded(dir)
  const client = new pg.Client(visitor.connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`,
    )
    return rows[0]!.pid
  } finally {
    await client.end()
    await visitor.close()
  }
}

test('a server ends in order though its PostgreSQL is slow to end, and the next start waits for that', async () => {
  const dir = path.join(folder, 'data')
  const server = await startServer({ DATA_DIR: dir })
  const pid = await soon(() => checkpointerIn(dir))
  process.kill(pid, 'SIGSTOP')
  try {
    expect(await server.stop(), server.output()).toBe(0)
    expect(server.output()).toContain('ends by itself')
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  const next = await startServer({ DATA_DIR: dir })
  expect((await fetch(`${next.url}/api/public/health`)).status).toBe(200)
  expect(await next.stop()).toBe(0)
})
