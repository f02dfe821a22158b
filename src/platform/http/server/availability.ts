import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import pg from 'pg'
import { clientBeside } from '../../database/hosts.ts'
import { type Unavailable, unavailability } from '../../database/unavailability.ts'
import { headersOfBody, messageFor } from './envelope.ts'
import { retryAfter, unavailable } from './unavailable.ts'

/** How the database and the disk are: `up`, or what is wrong. */
export interface Health {
  database: 'up' | Unavailable
  disk: 'up' | Unavailable
  /** Whether the tables are those of this program; false only when the database says so. */
  schema: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    /** How the database and the disk are; asked for at most every two seconds, answered within three. */
    health(): Promise<Health>
    /** Whether the files of the installation are where this process keeps its own; as long as nobody can tell, they are. */
    filesFit(): Promise<boolean>
  }
}

/** Milliseconds: how long a call may wait before the database is asked whether it answers. */
const patience = 1500
/** Milliseconds in which what has arrived is read, should this process itself have been held up. */
const mercy = 400
/** Milliseconds between two looks. */
const pause = 500
/** Milliseconds for which an answer about health, and an error that told of a full disk, hold. */
const holds = { health: 2000, files: 10_000, full: 5000 }
/** A disk with fewer free bytes than this is full. */
const leastFree = 64 * 1024 ** 2

/** What a database says of itself. */
type Said = Pick<Health, 'database' | 'schema'>

const silent: Said = { database: 'away', schema: true }

/**
 * Has a database sort eight megabytes, which it has no memory for: it takes its disk for a moment, and no log, whose lack of space
 * would end it.
 * @throws when it has no space
 */
async function takeSpace(client: pg.Client): Promise<void> {
  await client.query(`BEGIN READ ONLY; SET LOCAL work_mem = '64kB'`)
  await client.query(
    `SELECT max(length(filler)) FROM (SELECT repeat('x', 8192) AS filler FROM generate_series(1, 1024) AS n ORDER BY n DESC) AS s`,
  )
  await client.query('COMMIT')
}

/**
 * Asks the database over a connection of its own: those of the pool may all be waiting.
 * @param wasFull whether it had no space, and is to show that it has some
 */
async function ask({ pool, fitsSchema, config }: FastifyInstance, wasFull = false): Promise<Said> {
  const answerTime = config.readinessTime
  const client = clientBeside(pool, { connectionTimeoutMillis: answerTime, query_timeout: answerTime })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(
      `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
    )
    if (wasFull) await takeSpace(client)
    return { database: rows[0].isReadOnly ? 'read-only' : 'up', schema: await fitsSchema(client) }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) return silent
    // One that refuses for lack of connections is there.
    return { database: (error.code !== '53300' && unavailability(error)) || 'up', schema: true }
  } finally {
    client.end().catch(() => {})
  }
}

const within = async <T>(work: Promise<T>, time: number, otherwise: T): Promise<T> => {
  const late = new AbortController()
  const wait = sleep(time, undefined, { signal: late.signal, ref: false })
    .then(() => sleep(mercy, otherwise, { signal: late.signal, ref: false }))
    .catch(() => otherwise)
  return Promise.race([work, wait]).finally(() => late.abort())
}

/** Whether the folder of the data takes files. */
async function askDisk(folder: string): Promise<'up' | Unavailable> {
  try {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < leastFree) return 'full'
    const incoming = path.join(folder, 'incoming')
    await mkdir(incoming, { recursive: true })
    const name = path.join(incoming, randomUUID())
    const file = await open(name, 'wx', 0o600)
    await rm(name)
    await file.write('x').finally(() => file.close())
    return 'up'
  } catch (error) {
    return unavailability(error) === 'full' ? 'full' : 'read-only'
  }
}

/** Answers a call past its hooks, which might wait for the database themselves. What its handler answers later goes nowhere. */
function answerNow(reply: FastifyReply): void {
  if (reply.sent || reply.raw.headersSent) return
  const refusal = unavailable('away')
  const fixed = {
    'content-type': 'application/json; charset=utf-8',
    'retry-after': String(retryAfter),
    connection: 'close',
  }
  for (const name of headersOfBody) reply.removeHeader(name)
  const headers = { ...(reply.getHeaders() as Record<string, string>), ...fixed }
  const body = { code: 503, success: false, data: {}, msg: messageFor(reply.request, refusal) }
  reply.hijack()
  reply.raw.writeHead(503, headers)
  reply.raw.end(JSON.stringify(body))
}

interface Watched {
  reply: FastifyReply
  since: number
}

/** Follows calls: who waits long has the database asked; when it does not answer, all are told so, and new ones at once. */
function watch(app: FastifyInstance, isThere: () => Promise<boolean>): void {
  const open = new Set<Watched>()
  let isAway = false
  let isAsking = false
  const look = async () => {
    const [oldest] = open
    if (isAsking || !(isAway || (oldest && performance.now() - oldest.since > patience))) return
    isAsking = true
    isAway = !(await isThere())
    isAsking = false
    if (!isAway) {
      // They wait for something else; asked again when they have waited as long once more.
      for (const one of open) one.since = performance.now()
      return
    }
    for (const one of open) answerNow(one.reply)
  }
  const timer = setInterval(() => void look(), pause).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/api/') || request.routeOptions.config.withoutDatabase) return
    if (isAway) return void answerNow(reply)
    const watched = { reply, since: performance.now() }
    open.add(watched)
    reply.raw.once('close', () => open.delete(watched))
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It answers while the database does not. */
    withoutDatabase?: true
  }
}

/** Tells whoever calls when the database or the disk cannot do what they ask: within five seconds, in words, with a time. */
export default fp(
  async app => {
    const answerTime = app.config.readinessTime
    const database = (wasFull = false) => within(ask(app, wasFull), answerTime, silent)
    /** When an error last told of a full disk; undefined since it was seen to have space. */
    let fullAt: number | undefined
    app.addHook('onError', async (_request, _reply, error) => {
      if (unavailability(error) === 'full') fullAt = performance.now()
    })
    /** Asks the database, which is full until it has shown, some time after the last error, that it has space. */
    const databaseWithSpace = async (): Promise<Said> => {
      const at = fullAt
      const isFresh = at !== undefined && performance.now() - at < holds.full
      const said = await database(at !== undefined && !isFresh)
      if (said.database === 'up' && isFresh) return { ...said, database: 'full' }
      if (said.database === 'up' && fullAt === at) fullAt = undefined
      return said
    }
    let last: { at: number; answer: Promise<Health> } | undefined
    app.decorate('health', () => {
      if (last && performance.now() - last.at < holds.health) return last.answer
      const answer = Promise.all([databaseWithSpace(), within(askDisk(app.config.dataDir), answerTime, 'away')]).then(
        ([said, disk]): Health => ({ ...said, disk }),
      )
      last = { at: performance.now(), answer }
      return answer
    })
    let lastFit: { at: number; answer: Promise<boolean> } | undefined
    app.decorate('filesFit', () => {
      if (lastFit && performance.now() - lastFit.at < holds.files) return lastFit.answer
      const fault = app.storage.fault().catch(() => null)
      lastFit = { at: performance.now(), answer: within(fault, answerTime, null).then(found => found === null) }
      return lastFit.answer
    })
    watch(app, async () => (await database()).database !== 'away')
  },
  { name: 'availability', dependencies: ['database', 'envelope'] },
)
