import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import { sm2 } from 'sm-crypto'
import { UserType } from '#schemas/dictionaries'
import { demoPassword } from '../../src/platform/config/config.ts'
import { hashPassword } from '../../src/platform/vault/password.ts'
import { call } from './call.mjs'
import type { Running } from './servers.ts'

/** Logins open at any moment. */
export const atOnce = 64
/** Readers beside them, and how often each reads: readers that never pause would take the processors from those who sign in. */
const [readers, readsPerSecond] = [4, 20]
/** Logins of one account that count; all accounts together. */
const each = 20
/** Those before, which do not: a server runs for days before a sign-up opens. */
const eachBefore = 5

/** What the server's event loop was held for, in milliseconds. */
export interface Delay {
  max: number
  p99: number
}

/** What makes a server say how long its event loop is held. */
export const watched = (file: string) => ({
  node: ['--import', path.join(import.meta.dirname, 'loop-delay.mjs')],
  // Each login comes from an address of its own.
  env: { LOOP_DELAY_FILE: file, TRUST_PROXY: '127.0.0.1' },
})

/** Reads and resets what the server's event loop was held for. */
export async function takeDelay({ pid }: Pick<Running, 'pid'>, file: string): Promise<Delay> {
  await rm(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (let tries = 0; tries < 100; tries++) {
    await new Promise(resolve => setTimeout(resolve, 50))
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.endsWith('}')) return JSON.parse(text) as Delay
  }
  throw new Error('The server does not say how long its event loop was held.')
}

/** Gives as many candidates as log in at once the password of a demo account. */
export async function makePeople(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ account: string }>(
    `UPDATE "user" SET password = (SELECT password FROM "user" WHERE account = 'kaosheng')
      WHERE id IN (SELECT id FROM "user" WHERE "userType" = ${UserType.candidate} AND account <> 'kaosheng' ORDER BY id LIMIT ${atOnce})
      RETURNING account`,
  )
  return rows.map(row => row.account)
}

/** Bodies of logins as pages send them, encrypted ahead: the browsers' work is not the server's. Those to warm up with stand apart. */
export async function makeLogins(
  url: string,
  accounts: readonly string[],
  password: string,
): Promise<{ before: string[]; counted: string[] }> {
  const bodies: string[] = []
  for (let turn = 0; turn < eachBefore + each; turn++)
    for (const username of accounts) {
      const { data } = await (await fetch(`${url}/api/blade-auth/oauth/public-key`)).json()
      const text = sm2.doEncrypt(`${password}\n${data.serverTime}\n${data.nonce}`, data.publicKey, 0)
      bodies.push(
        new URLSearchParams({ grant_type: 'password', username, password: text, keyId: data.keyId }).toString(),
      )
    }
  const first = eachBefore * accounts.length
  return { before: bodies.slice(0, first), counted: bodies.slice(first) }
}

/** Passwords that are hashed to tell how quick the machine is. */
const hashed = 200

/** How many passwords the threads of a server hash a second while nothing else is done. */
export async function hashesPerSecond(): Promise<number> {
  await Promise.all(Array.from({ length: 8 }, () => hashPassword(demoPassword)))
  const begun = performance.now()
  await Promise.all(Array.from({ length: hashed }, () => hashPassword(demoPassword)))
  return (hashed / (performance.now() - begun)) * 1000
}

/** Processor time that a process has used, in milliseconds; undefined elsewhere than on Linux. */
export interface Spent {
  /** Of the thread that answers requests. */
  main: number
  /** Of all others: those that check passwords, and the engine's. */
  others: number
}

/** Reads how much processor time the threads of a server have used. */
export async function readSpent({ pid }: Pick<Running, 'pid'>): Promise<Spent | undefined> {
  const folder = `/proc/${pid}/task`
  const threads = await readdir(folder).catch(() => undefined)
  if (!threads) return undefined
  const spent = { main: 0, others: 0 }
  for (const thread of threads) {
    const text = await readFile(`${folder}/${thread}/stat`, 'utf8').catch(() => '')
    // Behind the name, which may hold blanks: the 12th and 13th are ticks of 10 ms as user and in the kernel.
    const values = text.slice(text.lastIndexOf(')') + 2).split(' ')
    spent[thread === String(pid) ? 'main' : 'others'] += (Number(values[11] ?? 0) + Number(values[12] ?? 0)) * 10
  }
  return spent
}

const p99Of = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN

/** What is asked; with the ticket of the queue when it had to wait. */
type Call = (ticket?: string) => { address: string; method: 'POST'; headers: Record<string, string>; body: string }

/** Answers that told somebody to wait. */
let waits = 0

/** Asks until it is answered, and waits where that is said, as pages do. @throws when it is refused */
async function answered(next: Call): Promise<void> {
  for (let ticket: string | undefined; ; ) {
    const { address, ...options } = next(ticket)
    const { status, headers, text } = await call(address, options)
    if (status === 200) return
    ticket = status === 503 ? JSON.parse(text).data?.queueTicket : undefined
    if (!ticket) throw new Error(`${address}: ${status} ${text.slice(0, 200)}`)
    waits += 1
    await new Promise(resolve => setTimeout(resolve, Number(headers['retry-after']) * 1000))
  }
}

/** Asks until there is nothing more to ask. @throws when something is refused */
async function ask(connections: number, next: () => Call | undefined): Promise<number[]> {
  const times: number[] = []
  const work = async () => {
    for (let one = next(); one; one = next()) {
      const begun = performance.now()
      await answered(one)
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  return times
}

/** How long readers read before their times count: who reads while others log in has read before. */
const warmUp = 1000

/** Reads a row again and again, in a thread of its own, until told to stop; the p99 in milliseconds. */
async function read(address: string, headers: Record<string, string>): Promise<() => Promise<number>> {
  const workerData = { address, headers, readers, perSecond: readsPerSecond }
  const thread = new Worker(path.join(import.meta.dirname, 'readers.mjs'), { workerData })
  const failed = once(thread, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  await Promise.race([new Promise(resolve => setTimeout(resolve, warmUp)), failed])
  thread.postMessage('count')
  return async () => {
    const told = once(thread, 'message')
    thread.postMessage('stop')
    const [times] = (await Promise.race([told, failed])) as [number[]]
    await thread.terminate()
    return p99Of(times)
  }
}

/** How long reading takes, in milliseconds, while nobody logs in. */
export async function readAlone(address: string, headers: Record<string, string>): Promise<number> {
  const stop = await read(address, headers)
  await new Promise(resolve => setTimeout(resolve, 3000))
  return stop()
}

/** Logs in as often as there are bodies, {@link atOnce} at a time, while others read. */
export async function logIn(url: string, bodies: readonly string[], address: string, headers: Record<string, string>) {
  const stop = await read(address, headers)
  waits = 0
  let n = 0
  const begun = performance.now()
  const times = await ask(atOnce, () => {
    const body = bodies[n++]
    if (body === undefined) return undefined
    const own = { 'x-forwarded-for': `10.0.${n >> 8}.${n & 255}`, authorization: `Basic ${btoa('juxian-web:')}` }
    const form = { ...own, 'content-type': 'application/x-www-form-urlencoded' }
    return ticket => {
      const whole = ticket ? `${body}&${new URLSearchParams({ queueTicket: ticket })}` : body
      return { address: `${url}/api/blade-auth/oauth/token`, method: 'POST', headers: form, body: whole }
    }
  })
  const perSecond = (times.length / (performance.now() - begun)) * 1000
  return { perSecond, p99: p99Of(times), others: await stop(), waits }
}
