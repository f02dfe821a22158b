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

/** How somebody waits for a database. */
export interface Waiting {
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

/** Asks the one host of an address for anything. @throws what waiting cannot mend */
async function askAnything(url: string): Promise<true | string> {
  const client = new pg.Client({
    connectionString: url,
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
    return `The database does not answer: ${new URL(url).host} (${code ?? message}).`
  } finally {
    client.end().catch(() => {})
  }
}

/** A connection that can be told that its host is no longer the one. */
interface Leaving extends pg.Client {
  leave(): void
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

/** Several PostgreSQL of which one takes writes: finds it, watches it, and leads connections to the next one when it is gone. */
class Hosts {
  readonly #urls: readonly string[]
  readonly #clients = new Map<Leaving, string>()
  readonly #stop = new AbortController()
  #primary: string
  #moved = () => {}

  constructor({ hosts, at }: NamedHosts) {
    this.#urls = hosts.map(at)
    this.#primary = this.#urls[0]!
  }

  /** The kind of client that connects to the host which takes writes at that moment. */
  client(base: typeof pg.Client): typeof pg.Client {
    const all = this
    return class extends base implements Leaving {
      constructor(config: pg.ClientConfig) {
        super({ ...config, connectionString: all.#primary })
        all.#clients.set(this, all.#primary)
        this.once('end', () => all.#clients.delete(this))
      }
      leave(): void {
        // A pool gives away what idles and has said nothing.
        if (this.listenerCount('error') > 0) this.emit('error', new Error('Connection terminated: its host has gone'))
        this.end().catch(() => {})
      }
    } as typeof pg.Client
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
    void this.#watch()
  }

  end(): void {
    this.#stop.abort()
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
    const isMoved = best !== this.#primary
    this.#primary = best
    if (isMoved) this.#moved()
    if (isMoved) for (const [client, url] of this.#clients) if (url !== best) client.leave()
    return true
  }

  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#untilLost()
      while (!this.#stop.signal.aborted && (await this.#look(hurry)) !== true) await this.#pause(again)
    }
  }

  /** Asks the primary again and again; done when it does not answer, has become a standby or is no longer watched. */
  async #untilLost(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#primary,
      application_name: 'juxian-watch',
      connectionTimeoutMillis: answerTime,
      query_timeout: answerTime,
    })
    const lost = new Promise<void>(resolve => client.on('error', () => resolve()).once('end', () => resolve()))
    try {
      await client.connect()
      let isPrimary = true
      while (isPrimary && !this.#stop.signal.aborted) {
        const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby')
        isPrimary =
          rows[0]?.standby === false && (await Promise.race([this.#pause(every).then(() => true), lost])) === true
      }
    } catch {
      // Lost.
    } finally {
      client.end().catch(() => {})
    }
  }

  #pause(time: number): Promise<void> {
    return sleep(time, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {})
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
 * @param base the kind of client
 */
export function connectionTo(url: string, base: typeof pg.Client = pg.Client): Connecting {
  const named = hostsOf(url)
  if (!named)
    return {
      options: { connectionString: url, Client: base },
      ready: waiting => untilThere(() => askAnything(url), waiting),
      end: () => {},
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
