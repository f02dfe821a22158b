import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { limits } from '../config/limits.ts'
import { hostsOf, type NamedHosts } from './address.ts'
import { unavailability } from './unavailability.ts'

/** Milliseconds: between two questions whether the primary is still one, for an answer, and between two searches for another. */
const every = 1000
const answerTime = 2000
const again = 200
/** Milliseconds in which a host must say that it takes writes when the one that did is gone: another may be frozen. */
const hurry = 500
/** Milliseconds in which a database must be there when a process starts, and between two lines about that. */
const patience = 60_000
const untold = 10_000
/** Milliseconds for which others may say that they are the primary, too, when one has said so. */
const grace = 300

/** Questions in turn to a host of its own that go without an answer: then its connections are given up. */
const misses = 3

/** How somebody waits for a database. */
export interface Waiting {
  /**
   * Milliseconds in which the database has to answer, from then on, to a question a second. When three go without an answer all
   * connections to it are given up: new ones may reach what stands behind the address by now, while the old ones would wait for nobody
   * until their own time is over. Without it none are given up.
   */
  answerTime?: number
  /** Told why it waits, now and then. */
  tell(sentence: string): void
  /** Calls the waiting off, with the reason that is then thrown. */
  signal?: AbortSignal
}

/**
 * Looks again and again until what is looked for is there.
 * @param look answers true, or a sentence that says what is in the way; what it throws is thrown at once
 * @throws an error with the last sentence when it is not there in a minute; the reason of the signal
 */
async function untilThere(look: () => Promise<true | string>, { tell, signal }: Waiting): Promise<void> {
  signal?.throwIfAborted()
  const calledOff = new Promise<never>((_done, fail) =>
    signal?.addEventListener('abort', () => fail(signal.reason), { once: true }),
  )
  const began = performance.now()
  let told = Number.NEGATIVE_INFINITY
  for (;;) {
    const said = await Promise.race([look(), calledOff])
    if (said === true) return
    const now = performance.now()
    if (now - began > patience) throw new Error(said)
    if (now - told > untold) {
      tell(said)
      told = now
    }
    await Promise.race([sleep(again), calledOff])
  }
}

/** What the one host of an address is called. */
const nameOf = ({ connectionString, host }: pg.ClientConfig): string =>
  connectionString ? new URL(connectionString).host : (host ?? '')

/** Asks the one host of an address for anything. @throws what waiting cannot mend */
async function askAnything(config: pg.ClientConfig): Promise<true | string> {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: limits.connection,
    query_timeout: limits.answer,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch (error) {
    if (unavailability(error) !== 'away') throw error
    const { code, message } = error as Error & { code?: string }
    return `The database does not answer: ${nameOf(config)} (${code ?? message}).`
  } finally {
    client.end().catch(() => {})
  }
}

/** Connections that are open, by the addresses to which they lead. */
class OpenClients {
  readonly #open = new Map<pg.Client, string>()

  /**
   * A kind of client that is counted among them.
   * @param at the address to which the next one leads, where it changes
   */
  kind(base: typeof pg.Client, at?: () => string): typeof pg.Client {
    const open = this.#open
    return class extends base {
      constructor(config: pg.ClientConfig) {
        const url = at?.()
        super(url === undefined ? config : { ...config, connectionString: url })
        open.set(this, url ?? '')
        this.once('end', () => open.delete(this))
      }
    } as typeof pg.Client
  }

  /** Cuts those of some addresses, whatever they do: a word of farewell would wait for whoever does not answer. */
  cut(isMeant: (url: string) => boolean): void {
    for (const [client, url] of this.#open) {
      if (!isMeant(url)) continue
      this.#open.delete(client)
      // What is said of it where nobody listens would end the process.
      if (client.listenerCount('error') === 0) client.on('error', () => {})
      client.connection.stream.destroy()
    }
  }
}

/** Asks a host how far its writing has come; undefined for a standby. @throws when it does not answer */
async function askHost(url: string): Promise<string | undefined> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: answerTime,
    query_timeout: answerTime,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ wal: string | null }>(
      'SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END AS wal',
    )
    return rows[0]?.wal ?? undefined
  } finally {
    client.end().catch(() => {})
  }
}

/** What came of a question: an answer, a refusal, as of writes by a standby, the end of the connection, or nothing so far. */
type Heard = 'answer' | 'refusal' | 'end' | 'nothing'

/** What was heard in a time; what has arrived meanwhile at a process that was held up itself is read before that is over. */
async function inTime(asked: Promise<Heard>, time: number): Promise<Heard> {
  const heard = new AbortController()
  const late = sleep(time, undefined, { signal: heard.signal, ref: false })
    .then(() => new Promise(done => setImmediate(done)))
    .catch(() => {})
    .then((): Heard => 'nothing')
  return Promise.race([asked, late]).finally(() => heard.abort())
}

/** How a database is watched. */
interface WatchOptions {
  /** Where its connection leads from now on. */
  at(): pg.ClientConfig
  /** A question; a row that says `standby` is no answer. */
  question: string
  /** Milliseconds for an answer. */
  answerTime: number
  /** Told when it does not answer, refuses, or has ended the connection. */
  doubted?(): void
  /** Told when so many questions in turn went without an answer that connections to it are to be given up. */
  missed(): void
}

/** Asks a database a question a second on a connection of its own. */
class Watch {
  readonly #stop = new AbortController()
  #client: pg.Client | undefined

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  async begin(options: WatchOptions): Promise<void> {
    const { signal } = this
    /** One question at a time: an answer that comes late is one, too. */
    let asked: Promise<Heard> | undefined
    let missed = 0
    while (!signal.aborted) {
      asked ??= this.#ask(options)
      const heard = await inTime(asked, options.answerTime)
      if (heard !== 'nothing') asked = undefined
      missed = heard === 'end' || heard === 'nothing' ? missed + 1 : 0
      if (missed === misses && !signal.aborted) {
        this.leave()
        options.missed()
        asked = undefined
        missed = 0
      }
      if (heard !== 'answer') options.doubted?.()
      await sleep(every, undefined, { signal, ref: false }).catch(() => {})
    }
    this.leave()
  }

  /** Asks on another connection from now on. */
  leave(): void {
    this.#client?.connection.stream.destroy()
    this.#client = undefined
  }

  end(): void {
    this.#stop.abort()
    this.leave()
  }

  async #ask({ at, question, doubted }: WatchOptions): Promise<Heard> {
    const known = this.#client
    const client = known ?? new pg.Client({ ...at(), application_name: 'juxian-watch' })
    this.#client = client
    try {
      if (!known) {
        client.on('error', () => {}).once('end', () => doubted?.())
        await client.connect()
      }
      const { rows } = await client.query<{ standby?: boolean }>(question)
      return rows[0]?.standby ? 'refusal' : 'answer'
    } catch (error) {
      if (this.#client === client) this.leave()
      // Such as one that has too many connections.
      return error instanceof pg.DatabaseError ? 'refusal' : 'end'
    }
  }
}

const givenUp = `The database has not answered ${misses} times: its connections are given up.`

/** Several PostgreSQL of which one takes writes: finds it, watches it, and leads connections to the next one when it is gone. */
class Hosts {
  readonly #urls: readonly string[]
  readonly #open = new OpenClients()
  readonly #watch = new Watch()
  #primary: string
  #isLooking = false
  #moved = () => {}

  constructor({ hosts, at }: NamedHosts) {
    this.#urls = hosts.map(at)
    this.#primary = this.#urls[0]!
  }

  /** The kind of client that connects to the host which takes writes at that moment. */
  client(base: typeof pg.Client): typeof pg.Client {
    return this.#open.kind(base, () => this.#primary)
  }

  /**
   * Waits until one of the hosts takes writes, and watches it from then on.
   * @param moved told each time another one has become the primary
   * @throws when none does for a minute, with what each says
   */
  async ready(waiting: Waiting, moved: () => void): Promise<void> {
    await untilThere(async () => {
      const said = await this.#look(answerTime)
      return said === true || `None of the hosts of the database takes writes: ${said}.`
    }, waiting)
    this.#moved = moved
    void this.#watch.begin({
      at: () => ({ connectionString: this.#primary }),
      question: 'SELECT pg_is_in_recovery() AS standby',
      answerTime: waiting.answerTime ?? answerTime,
      doubted: () => void this.#find(),
      missed: () => {
        if (waiting.answerTime === undefined) return
        waiting.tell(givenUp)
        this.#open.cut(() => true)
      },
    })
  }

  end(): void {
    this.#watch.end()
  }

  /** Looks which host takes writes, until one does. */
  async #find(): Promise<void> {
    const { signal } = this.#watch
    if (this.#isLooking) return
    this.#isLooking = true
    while (!signal.aborted && (await this.#look(hurry)) !== true)
      await sleep(again, undefined, { signal, ref: false }).catch(() => {})
    this.#isLooking = false
  }

  /**
   * Looks which host takes writes: of several that say so the one that was promoted last.
   * @param time milliseconds in which one must say so
   * @returns what each says when none does
   */
  async #look(time: number): Promise<true | string> {
    const found = new Map<string, string>()
    const answers = this.#urls.map(async url => {
      const wal = await askHost(url)
      if (wal === undefined) throw new Error('standby')
      found.set(url, wal)
    })
    const faults = this.#urls.map(() => 'does not answer')
    for (const [at, answer] of answers.entries())
      answer.catch((error: Error & { code?: string }) => {
        faults[at] = error.code ?? error.message
      })
    const isFound = await Promise.race([Promise.any(answers).then(() => true), sleep(time)]).catch(() => false)
    if (!isFound) return this.#urls.map((url, at) => `${new URL(url).host} (${faults[at]})`).join(', ')
    await Promise.race([Promise.allSettled(answers), sleep(grace)])
    const [[best = this.#primary] = []] = [...found].toSorted(([, one], [, other]) => (one < other ? 1 : -1))
    if (best === this.#primary) return true
    this.#primary = best
    this.#moved()
    this.#watch.leave()
    this.#open.cut(url => url !== best)
    return true
  }
}

/** The one PostgreSQL that there is, or what stands before it: watches whether it answers. */
class OneHost {
  readonly #config: pg.ClientConfig
  readonly #open = new OpenClients()
  readonly #watch = new Watch()

  constructor(config: pg.ClientConfig) {
    this.#config = config
  }

  client(base: typeof pg.Client): typeof pg.Client {
    return this.#open.kind(base)
  }

  /** Waits until it answers, and watches it from then on where that is asked for. */
  async ready(waiting: Waiting): Promise<void> {
    await untilThere(() => askAnything(this.#config), waiting)
    if (waiting.answerTime === undefined) return
    void this.#watch.begin({
      at: () => this.#config,
      question: 'SELECT 1',
      answerTime: waiting.answerTime,
      missed: () => {
        waiting.tell(givenUp)
        this.#open.cut(() => true)
      },
    })
  }

  end(): void {
    this.#watch.end()
  }
}

/** How connections to a database are made. */
export interface Connecting {
  /** For a pool. */
  options: pg.PoolConfig & { Client: typeof pg.Client }
  /**
   * Waits until the one host answers; of several for the one that takes writes, which is followed from then on.
   * @param moved told each time another host has become the one that takes writes
   * @throws when there is none in a minute, and at once what waiting cannot mend, such as another password
   */
  ready(waiting: Waiting, moved?: () => void): Promise<void>
  /** Follows it no longer. */
  end(): void
}

/**
 * How an address of one host, or of several, is connected to.
 * @param at the address, or what names the one host otherwise
 * @param base the kind of client
 */
export function connectionTo(at: string | pg.ClientConfig, base: typeof pg.Client = pg.Client): Connecting {
  const named = typeof at === 'string' ? hostsOf(at) : null
  if (!named) {
    const config = typeof at === 'string' ? { connectionString: at } : at
    const host = new OneHost(config)
    return {
      options: { ...config, Client: host.client(base) },
      ready: waiting => host.ready(waiting),
      end: () => host.end(),
    }
  }
  const hosts = new Hosts(named)
  return {
    options: { Client: hosts.client(base) },
    ready: (waiting, moved = () => {}) => hosts.ready(waiting, moved),
    end: () => hosts.end(),
  }
}

/** A connection of one's own to where a pool leads; it is not connected yet. */
export function clientBeside(pool: pg.Pool, more: pg.ClientConfig = {}): pg.Client {
  const { Client = pg.Client, password, ...options } = pool.options as pg.PoolOptions & { Client?: typeof pg.Client }
  // The pool keeps the password from being copied with the rest.
  return new Client({ ...options, ...(password !== undefined && { password }), ...more } as pg.ClientConfig)
}
