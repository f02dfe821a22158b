import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { demoMark } from '../../src/platform/auth/server/known-passwords.ts'
import type { Envelope } from '../../src/platform/http/server/envelope.ts'
import { dataFolder, type TestApp } from './app.ts'
import { freePort } from './free-port.ts'
import { askGauge } from './gauge.ts'
import { buildServer, type Launched, launchServer } from './process.ts'

/** An answer, or that the server died before it had answered. */
export type Asked<T> =
  | { lost: true; code?: undefined; status?: undefined; data?: undefined; msg?: undefined }
  | Answered<T>

/** An answer of a server. */
export type Answered<T = Record<string, unknown>> = Envelope<T> & { status: number; lost?: undefined }

/** What is asked. */
export interface Question {
  /** Headers of a session: `who.headers`. */
  headers?: Record<string, string>
  /** Sent as JSON, or as it is when it is a form; with it the call is a POST. */
  body?: object
  method?: 'GET' | 'POST'
  /** Idempotency-Key. */
  key?: string
  /** Which of the servers; any by default. */
  on?: number
}

/** Servers in processes of their own on one database and one folder of files, each at an address that stays. */
export interface Fleet {
  /** Where the servers are reached, also after they were killed and started again. */
  urls: readonly string[]
  /** Where all keep files. */
  folder: string
  /** Calls a route below `/api` once. */
  ask<T = Record<string, unknown>>(path: string, question?: Question): Promise<Asked<T>>
  /**
   * Calls a route below `/api` until it is answered, at whichever server is there, as pages do: with one `Idempotency-Key`.
   * @param freshKeys each try has a key of its own, as after a page was loaded anew: for calls under lease, whose key is taken
   * for a minute when its server dies
   */
  insist<T = Record<string, unknown>>(path: string, question?: Question & { freshKeys?: boolean }): Promise<Answered<T>>
  /** Kills a server and starts it again at once. Resolves when it listens. */
  kill(at: number): Promise<void>
  /** Which process a server is. */
  pid(at: number): number | undefined
  /** Kills a server, which stays away until {@link kill} starts it again. */
  lose(at: number): Promise<void>
  /** Asks a server that was started with the gauge; see `gauge.mjs`. */
  gauge<T>(at: number, question: string): Promise<T>
  /** Everything the servers have printed, those that were killed too. */
  output(): string
  /** What no server may do, whatever is killed: answers with 5xx, ends of processes that nobody ordered. */
  faults: readonly string[]
  /** Ends all in order. */
  stop(): Promise<void>
}

/** Codes by which a server asks to come again: under way already, too many at once, or a database that is away. */
const again = (answer: Answered<unknown>): boolean =>
  answer.code === 29006 || answer.status === 429 || answer.status === 503

/** Milliseconds after which a call that is not answered is a fault. */
const patience = 90_000

/** What is special about a fleet. */
export interface FleetOptions {
  /** How many servers; two by default. */
  servers?: number
  /** The built program; that of this folder by default. */
  program?: string
}

/**
 * Starts servers on the database of a test app, with the sandboxes of the channels and without the demonstration's data.
 * @param env what they are told besides
 */
export async function startFleet(
  t: Pick<TestApp, 'url' | 'pool'>,
  env: Record<string, string> = {},
  { servers = 2, program }: FleetOptions = {},
): Promise<Fleet> {
  buildServer()
  const folder = env.DATA_DIR ?? dataFolder(t.url)
  await t.pool.query(`INSERT INTO migration (name, hash) VALUES ($1, 'whole') ON CONFLICT DO NOTHING`, [demoMark])
  const told = { DATABASE_URL: t.url, DATA_DIR: folder, DEMO: 'true', CAPTCHA_MODE: 'false', ...env }
  const ports: number[] = []
  for (let n = 0; n < servers; n++) ports.push(await freePort())
  const urls = ports.map(port => `http://127.0.0.1:${port}`)
  const faults: string[] = []
  const past: string[] = []
  const running: Launched[] = []
  /** Those whose end was ordered. */
  const ordered = new Set<Launched>()
  /** How often each was killed: of two kills at once one starts the server again. */
  const kills = ports.map(() => 0)

  const start = async (at: number): Promise<void> => {
    const one = launchServer({ ...told, PORT: String(ports[at]) }, undefined, program)
    running[at] = one
    void one.ended.then(code => {
      past.push(one.output())
      if (!ordered.has(one)) faults.push(`a server ended with ${code}: ${one.output().slice(-2000)}`)
    })
    await one.listening
  }
  const end = async (at: number, signal: NodeJS.Signals): Promise<void> => {
    const one = running[at]
    if (!one) return
    ordered.add(one)
    await one.stop(signal)
  }

  const ask = async <T>(where: string, question: Question = {}): Promise<Asked<T>> => {
    const { headers, body, key, on = randomInt(urls.length) } = question
    const { method = body ? 'POST' : 'GET' } = question
    const isForm = body instanceof FormData
    const options = {
      method,
      headers: {
        ...headers,
        ...(key && { 'idempotency-key': key }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(patience),
    }
    let text: string
    let status: number
    try {
      const answer = await fetch(`${urls[on]}/api${where}`, options)
      status = answer.status
      text = await answer.text()
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') faults.push(`${method} ${where} was not answered`)
      return { lost: true }
    }
    if (status >= 500 && status !== 503) faults.push(`${status} ${method} ${where}: ${text.slice(0, 300)}`)
    return { ...(JSON.parse(text) as Envelope<T>), status }
  }

  const fleet: Fleet = {
    urls,
    folder,
    faults,
    ask,
    async insist(where, { freshKeys, ...question } = {}) {
      const due = performance.now() + patience * 2
      for (let key = question.key ?? randomUUID(); ; key = freshKeys ? randomUUID() : key) {
        const answer = await ask<never>(where, { ...question, key })
        if (!answer.lost && !again(answer)) return answer
        if (performance.now() > due) throw new Error(`${where} was never answered: ${JSON.stringify(answer)}`)
        await sleep(answer.lost ? 20 : 100)
      }
    },
    async kill(at) {
      const own = (kills[at] ?? 0) + 1
      kills[at] = own
      await end(at, 'SIGKILL')
      if (kills[at] === own) await start(at)
    },
    pid: at => running[at]?.child.pid,
    async lose(at) {
      kills[at] = (kills[at] ?? 0) + 1
      await end(at, 'SIGKILL')
    },
    gauge: (at, question) => askGauge(running[at]!.child, question),
    output: () => [...past, ...running.filter(one => !past.includes(one.output())).map(one => one.output())].join('\n'),
    async stop() {
      await Promise.all(ports.map((_, at) => end(at, 'SIGTERM')))
    },
  }
  try {
    await Promise.all(ports.map((_, at) => start(at)))
  } catch (error) {
    await fleet.stop()
    throw error
  }
  return fleet
}

/** What a load tells those who kill: how much was done so far. */
export interface Load {
  /** Notes that something was answered. */
  done(): void
  /** Whether more is to be done. */
  goesOn(): boolean
}

/**
 * Lets loads run and kills servers meanwhile, at moments nobody chose: one, sometimes both at once, and sometimes one that is
 * just starting. Between two kills something is done.
 * @param kills how many; `LONG_KILLS` makes it another number
 * @param loads each works while `goesOn()`
 * @param options milliseconds from a start to the next kill, and what follows each kill
 */
export async function underKills(
  fleet: Fleet,
  kills: number,
  loads: readonly ((load: Load) => Promise<void>)[],
  {
    pause = [50, 900],
    afterKill = async () => {},
  }: { pause?: [number, number]; afterKill?: () => Promise<unknown> } = {},
): Promise<{ kills: number; done: number }> {
  const wanted = Number(process.env.LONG_KILLS ?? kills)
  let count = 0
  let isOn = true
  const load: Load = { done: () => count++, goesOn: () => isOn }
  let failure: unknown
  const working = Promise.all(
    loads.map(one =>
      one(load).catch(error => {
        failure ??= error
      }),
    ),
  )
  let killed = 0
  try {
    while (killed < wanted && !failure) {
      const before = count
      const isMoving = () => failure !== undefined || expect(count).toBeGreaterThan(before)
      await vi.waitFor(isMoving, { timeout: patience, interval: 10 })
      await sleep(randomInt(pause[0], pause[1]))
      const servers = fleet.urls.length
      const at = randomInt(servers)
      const isBoth = killed % 6 === 5
      const restarts = isBoth ? [fleet.kill(at), fleet.kill((at + 1) % servers)] : [fleet.kill(at)]
      if (killed % 6 === 2) {
        // Once more, while it is starting.
        const first = restarts[0]!.catch(() => {})
        await sleep(randomInt(100, 700))
        restarts[0] = fleet.kill(at)
        await first
        killed++
      }
      killed += restarts.length
      await afterKill()
      await Promise.all(restarts)
    }
  } finally {
    isOn = false
    await working
  }
  if (failure) throw failure
  return { kills: killed, done: count }
}
