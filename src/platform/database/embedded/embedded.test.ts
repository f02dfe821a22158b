import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildServer, startServer } from '../../../../tests/helper/process.ts'
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

const isHealthy = (url: string) =>
  fetch(`${url}/api/public/health`).then(
    answer => answer.status === 200,
    () => false,
  )

test('keeps what was written, and stops when it is closed', async () => {
  const dir = path.join(folder, 'reopen')
  const first = await openEmbedded(dir)
  await ask(first, 'CREATE TABLE kept AS SELECT 7 AS n')
  await first.close()
  expect(existsSync(pidFile(dir))).toBe(false)
  const second = await openEmbedded(dir)
  expect(await ask(second, 'SELECT n FROM kept')).toEqual({ n: 7 })
  expect(await ask(second, 'SHOW fsync')).toEqual({ fsync: 'on' })
  expect(await ask(second, 'SHOW listen_addresses')).toEqual({ listen_addresses: '' })
  await second.close()
})

test('whoever leaves last stops it, not whoever started it', async () => {
  const dir = path.join(folder, 'share')
  const [starter, joiner] = await Promise.all([openEmbedded(dir), openEmbedded(dir)])
  await starter.close()
  expect(await ask(joiner, 'SELECT 1 AS n')).toEqual({ n: 1 })
  await joiner.close()
  expect(existsSync(pidFile(dir))).toBe(false)
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
  expect(said.join()).toContain(place)
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

test('finds its way when the number of the last process is used by another one', async () => {
  const dir = path.join(folder, 'reused')
  await (await openEmbedded(dir)).close()
  await writeFile(pidFile(dir), `${process.pid}\n${dir}/postgres\n1\n5432\n${dir}/postgres\n\n 1 1\nready\n`)
  const opened = await openEmbedded(dir)
  expect(await ask(opened, 'SELECT 1 AS n')).toEqual({ n: 1 })
  await opened.close()
})

test('a path too long for a socket gets one elsewhere', async () => {
  const dir = path.join(folder, 'long'.repeat(25))
  const opened = await openEmbedded(dir)
  expect(opened.connection.host.startsWith(os.tmpdir())).toBe(true)
  expect(await ask(opened, 'SELECT 1 AS n')).toEqual({ n: 1 })
  await opened.close()
  expect(existsSync(opened.connection.host)).toBe(false)
})

test('says what to do on a platform without binaries', () => {
  expect(() => locateBinaries('plan9-mips')).toThrow(/plan9-mips.*set DATABASE_URL/)
})

test.runIf(process.getuid?.() === 0)(
  'as root, in a folder that nobody can enter, it says where the data is',
  async () => {
    const closed = path.join(folder, 'shut')
    await mkdir(closed, { mode: 0o700 })
    const say = vi.fn()
    const opened = await openEmbedded(path.join(closed, 'data'), { say })
    const place = /the database is in (\S+)\.$/.exec(say.mock.calls.flat().join('\n'))?.[1] ?? ''
    expect(opened.connection.host).toBe(place)
    await opened.close()
    await rm(path.dirname(place), { recursive: true })
  },
)

// Each makes a database with the base seed in it.
describe('processes', { timeout: 180_000 }, () => {
  const start = (dir: string) => startServer({ DATA_DIR: dir })

  test('two servers on one folder serve as one; the second stays when the first goes', async () => {
    const dir = path.join(folder, 'two')
    const [one, two] = await Promise.all([start(dir), start(dir)])
    expect(await Promise.all([isHealthy(one.url), isHealthy(two.url)])).toEqual([true, true])
    expect(await one.stop()).toBe(0)
    expect(await isHealthy(two.url)).toBe(true)
    expect(await two.stop('SIGINT')).toBe(0)
    expect(existsSync(pidFile(dir))).toBe(false)
  })

  test('kill -9 of Node: the next start joins the PostgreSQL that was left, and stops it in the end', async () => {
    const dir = path.join(folder, 'killed')
    const first = await start(dir)
    const left = await postmaster(dir)
    await first.stop('SIGKILL')
    const second = await start(dir)
    expect(await postmaster(dir)).toBe(left)
    await second.stop()
    expect(existsSync(pidFile(dir))).toBe(false)
  })

  test('kill -9 of both: the next start recovers', async () => {
    const dir = path.join(folder, 'killed')
    const first = await start(dir)
    process.kill(await postmaster(dir), 'SIGKILL')
    await first.stop('SIGKILL')
    const second = await start(dir)
    expect(await isHealthy(second.url)).toBe(true)
    await second.stop()
  })

  test('kill -9 of PostgreSQL: the server starts it again', async () => {
    const dir = path.join(folder, 'killed')
    const server = await start(dir)
    const first = await postmaster(dir)
    process.kill(first, 'SIGKILL')
    await vi.waitFor(async () => expect(await isHealthy(server.url)).toBe(true), { timeout: 15_000, interval: 50 })
    await sleep(50)
    expect(await postmaster(dir)).not.toBe(first)
    await server.stop()
    expect(existsSync(pidFile(dir))).toBe(false)
  })
})
