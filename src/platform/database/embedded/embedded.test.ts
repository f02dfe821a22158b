import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServer, startServer } from '../../../../tests/helper/process.ts'
import { signalAll } from '../../../../tests/helper/program.ts'
import { soon } from '../../../../tests/helper/soon.ts'
import { locateBinaries } from './binaries.ts'
import { type Embedded, openEmbedded } from './embedded.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-embedded-'))
  await chmod(folder, 0o755)
  buildServer()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const pidFile = (dir: string) => path.join(dir, 'postgres/postmaster.pid')
const postmaster = async (dir: string) => Number((await readFile(pidFile(dir), 'utf8')).split('\n')[0])

async function ask(embedded: Embedded, sql: string): Promise<unknown> {
  const client = new pg.Client(embedded.connection)
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows[0]
}

/** The process of a database that writes to the disk at its end. @throws while there is none */
async function checkpointerOf(embedded: Embedded): Promise<number> {
  const found = await ask(embedded, `SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`)
  return (found as { pid: number }).pid
}

const isHealthy = (url: string) =>
  fetch(`${url}/api/public/health`).then(
    answer => answer.status === 200,
    () => false,
  )

/** A folder that some tests use one after the other: to make a database takes seconds. */
const shared = () => path.join(folder, 'shared')

test('of two who begin on an empty folder one makes it; whoever leaves last stops it, not whoever started it', async () => {
  const [starter, joiner] = await Promise.all([openEmbedded(shared()), openEmbedded(shared())])
  await ask(starter, 'CREATE TABLE kept AS SELECT 7 AS n')
  await starter.close()
  expect(await ask(joiner, 'SELECT n FROM kept')).toEqual({ n: 7 })
  await joiner.close()
  expect(existsSync(pidFile(shared()))).toBe(false)
})

test('keeps what was written', async () => {
  const again = await openEmbedded(shared())
  expect(await ask(again, 'SELECT n FROM kept')).toEqual({ n: 7 })
  expect(await ask(again, 'SHOW fsync')).toEqual({ fsync: 'on' })
  expect(await ask(again, 'SHOW listen_addresses')).toEqual({ listen_addresses: '' })
  await again.close()
})

test('writes to the disk at once when asked, and is asked in vain after its end', async () => {
  const opened = await openEmbedded(shared())
  const last = () => ask(opened, 'SELECT checkpoint_lsn::text AS at FROM pg_control_checkpoint()')
  const before = await last()
  await opened.checkpoint()
  expect(await last()).not.toEqual(before)
  expect(await opened.close()).toBe(true)
  await opened.checkpoint()
})

test('one that is slow to end is left to itself after a while, and who opens it next waits for its end', async () => {
  const slow = await openEmbedded(shared())
  // It begins a moment after the server takes connections.
  const pid = await soon(() => checkpointerOf(slow))
  const left = await postmaster(shared())
  process.kill(pid, 'SIGSTOP')
  try {
    expect(await slow.close(200)).toBe(false)
    let isOpen = false
    const opening = openEmbedded(shared()).then(opened => {
      isOpen = true
      return opened
    })
    await sleep(500)
    expect([isOpen, await postmaster(shared())]).toEqual([false, left])
    process.kill(pid, 'SIGCONT')
    const next = await opening
    expect(await ask(next, 'SELECT n FROM kept')).toEqual({ n: 7 })
    expect(await postmaster(shared())).not.toBe(left)
    expect(await next.close()).toBe(true)
  } finally {
    signalAll([pid], 'SIGCONT')
  }
})

test('finds its way when the number of the last process is used by another one', async () => {
  const dir = shared()
  await writeFile(pidFile(dir), `${process.pid}\n${dir}/postgres\n1\n5432\n${dir}/postgres\n\n 1 1\nready\n`)
  const opened = await openEmbedded(dir)
  expect(await ask(opened, 'SELECT n FROM kept')).toEqual({ n: 7 })
  await opened.close()
})

test('goes on in a folder that was moved; a path too long for a socket gets one elsewhere', async () => {
  const dir = path.join(folder, 'long'.repeat(25))
  await rename(shared(), dir)
  const opened = await openEmbedded(dir)
  expect(opened.connection.host.startsWith(os.tmpdir())).toBe(true)
  expect(await ask(opened, 'SELECT n FROM kept')).toEqual({ n: 7 })
  await opened.close()
  expect(existsSync(opened.connection.host)).toBe(false)
})

const isRoot = process.getuid?.() === 0

test.runIf(isRoot)('in a folder that only root may enter it says where it is, and goes with its folder', async () => {
  const dir = path.join(folder, 'closed/data')
  const umask = process.umask(0o077)
  await mkdir(path.dirname(dir), { mode: 0o700 })
  const said: string[] = []
  const open = () => openEmbedded(dir, { say: sentence => said.push(sentence) })
  const first = await open()
  await ask(first, 'CREATE TABLE kept AS SELECT 7 AS n')
  await first.close()
  const again = await open()
  expect(await ask(again, 'SELECT n FROM kept')).toEqual({ n: 7 })
  await again.close()
  const place = await readlink(path.join(dir, 'postgres'))
  expect(said.join()).toContain(`the database is in ${place}.`)
  expect(again.connection.host).toBe(place)
  await rm(dir, { recursive: true })
  const anew = await open()
  expect(await ask(anew, `SELECT to_regclass('kept') AS found`)).toEqual({ found: null })
  await anew.close()
  for (const one of [place, await readlink(path.join(dir, 'postgres'))])
    await rm(path.dirname(one), { recursive: true })
  process.umask(umask)
})

test('starts over what a killed first start left behind', async () => {
  const dir = path.join(folder, 'half')
  await mkdir(path.join(dir, 'postgres.new/base'), { recursive: true })
  await writeFile(path.join(dir, 'postgres.lock'), '2147483646')
  const opened = await openEmbedded(dir)
  expect(await ask(opened, 'SELECT 1 AS n')).toEqual({ n: 1 })
  await opened.close()
})

test('says what to do on a platform without binaries', () => {
  expect(() => locateBinaries('plan9-mips')).toThrow(/plan9-mips.*set DATABASE_URL/)
})

// It makes a database with the base seed in it. What happens when PostgreSQL is killed, or both, under load: tests/server/kill.test.ts.
test('processes on one folder serve as one; whoever is killed leaves PostgreSQL to the next, and the last one stops it', async () => {
  const dir = path.join(folder, 'processes')
  const start = () => startServer({ DATA_DIR: dir })
  const [one, two] = await Promise.all([start(), start()])
  expect(await Promise.all([isHealthy(one.url), isHealthy(two.url)])).toEqual([true, true])
  expect(await one.stop()).toBe(0)
  expect(await isHealthy(two.url)).toBe(true)
  const left = await postmaster(dir)
  await two.stop('SIGKILL')
  const three = await start()
  expect([await postmaster(dir), await isHealthy(three.url)]).toEqual([left, true])
  expect(await three.stop('SIGINT')).toBe(0)
  expect(existsSync(pidFile(dir))).toBe(false)
})
