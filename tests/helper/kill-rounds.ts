import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildServer, type ServerProcess, startServer } from './process.ts'
import { signInAt } from './sign-in-at.ts'

const password = 'Shan7-Hai9-Guan'
const writers = 8

let folder: string
let server: ServerProcess
const start = () => startServer({ DATA_DIR: folder, CAPTCHA_MODE: 'false', ADMIN_PASSWORD: password })

/** Submits one parameter; true when the server answered that it is done. */
async function write(signedIn: Record<string, string>, key: string): Promise<boolean> {
  const headers = { ...signedIn, 'content-type': 'application/json' }
  const body = JSON.stringify({ paramName: key, paramKey: key, paramValue: key })
  const url = `${server.url}/api/blade-system/param/submit`
  return fetch(url, { method: 'POST', headers, body })
    .then(answer => answer.json())
    .then(
      ({ code }) => code === 200,
      () => false,
    )
}

/** Writes until told to stop; remembers every key whose writing was answered. */
async function keepWriting(
  signedIn: Record<string, string>,
  writer: number,
  done: string[],
  goesOn: () => boolean,
): Promise<void> {
  for (let n = 0; goesOn(); n++) {
    const key = `kill.${writer}.${n}`
    if (await write(signedIn, key)) done.push(key)
    else await sleep(20)
  }
}

async function killPostgres(): Promise<void> {
  const text = await readFile(path.join(folder, 'postgres/postmaster.pid'), 'utf8')
  process.kill(Number(text.split('\n')[0]), 'SIGKILL')
}

const attacks = [
  async function killNode() {
    await server.stop('SIGKILL')
    server = await start()
  },
  killPostgres,
  async function killBoth() {
    await Promise.all([killPostgres(), server.stop('SIGKILL')])
    server = await start()
  },
  killPostgres,
]

async function writtenKeys(): Promise<string[]> {
  const client = new pg.Client({ host: path.join(folder, 'postgres'), user: 'juxian', database: 'juxian' })
  await client.connect()
  const { rows } = await client.query<{ key: string }>(
    `SELECT "paramKey" AS key FROM param WHERE "paramKey" LIKE 'kill.%'`,
  )
  await client.end()
  return rows.map(({ key }) => key)
}

/**
 * The test of a server with its own PostgreSQL, of which one or both are killed again and again under load.
 * @param rounds how often; of four each is another attack
 */
export function killRounds(rounds: number): void {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-kill-'))
    await chmod(folder, 0o755)
    buildServer()
    server = await start()
  })
  afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test(
    `kill -9 of server and PostgreSQL under load, ${rounds} times: everything answered is there`,
    async () => {
      const signedIn = await signInAt(server.url, 'admin', password)
      const done: string[] = []
      let running = true
      const load = Promise.all(Array.from({ length: writers }, (_, i) => keepWriting(signedIn, i, done, () => running)))
      for (let round = 0; round < rounds; round++) {
        const before = done.length
        // At a moment nobody chose, but with writes going on again since the last attack.
        await vi.waitFor(() => expect(done.length).toBeGreaterThan(before + writers), { timeout: 120_000, interval: 5 })
        await sleep(randomInt(100))
        await attacks[round % attacks.length]?.()
      }
      running = false
      await load
      await vi.waitFor(async () => expect(await write(signedIn, 'kill.end')).toBe(true), {
        timeout: 120_000,
        interval: 50,
      })
      const written = await writtenKeys()
      expect(await server.stop()).toBe(0)
      expect(existsSync(path.join(folder, 'postgres/postmaster.pid'))).toBe(false)
      expect(done.length).toBeGreaterThan(rounds * writers)
      expect(done.filter(key => !written.includes(key))).toEqual([])
      expect(new Set(written).size).toBe(written.length)
    },
    240_000 + rounds * 60_000,
  )
}
