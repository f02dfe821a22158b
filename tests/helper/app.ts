import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import { inject } from 'vitest'
import { type Config, readConfig } from '../../src/platform/config/config.ts'
import type { Envelope } from '../../src/platform/http/server/envelope.ts'
import { buildApp } from '../../src/server/app.ts'
import { template } from './cluster.ts'
import { watchAnswers } from './contracts.ts'
import { dataFolder, folderOf } from './data-folder.ts'
import { expectNoLeaks } from './leaks.ts'
import { testSecretKey } from './secret-key.ts'
import { relayTransactions } from './transaction-relay.ts'

export { dataFolder }

/** A database of one test file. */
export interface TestDatabase {
  /** Address as `DATABASE_URL` takes it. */
  url: string
  drop(): Promise<void>
}

/** Makes a database for one test file: a copy of the template (or of another database nobody is connected to). */
export async function testDatabase(from: string = template): Promise<TestDatabase> {
  const { host, user } = inject('cluster')
  const name = `test_${randomBytes(6).toString('hex')}`
  // Copied as files, which takes half of what copying page by page does.
  await administer(`CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY file_copy`)
  return {
    url: `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}`,
    async drop() {
      await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await rm(folderOf(name), { recursive: true, force: true })
    },
  }
}

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ ...inject('cluster'), database: 'postgres' })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Room for the crowds of tests, on machines that are slow and do other work in the same process: nobody is refused for that. */
const room = {
  databasePool: 20,
  connectionTime: 20_000,
  readinessTime: 20_000,
  turnTime: Number.POSITIVE_INFINITY,
}

/** The configuration of a test server: demo mode, a database of its own, and a log that nobody sees. */
export function testConfig(overrides: Partial<Config> = {}): Config {
  const own = { secretKey: testSecretKey, logLevel: 'info', logTo: () => {}, jobs: false } as const
  return { ...readConfig({}), ...own, ...room, ...overrides }
}

/** How a test server reaches a database. */
interface Ways {
  options: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'databasePrepared'>
  close(): Promise<void>
}

/** The ways to a database: straight, or by a pooler in transaction mode where `TEST_POOLER` names one, `127.0.0.1:6432` or `relay`. */
async function waysTo(url: string, isPooled = false): Promise<Ways> {
  const pooler = isPooled ? 'relay' : process.env.TEST_POOLER
  if (!pooler || !url.includes(encodeURIComponent(inject('cluster').host)))
    return {
      options: { databaseUrl: url, databaseDirectUrl: undefined, databasePrepared: true },
      close: async () => {},
    }
  const past = { databaseDirectUrl: url, databasePrepared: false }
  if (pooler === 'relay') {
    const relay = await relayTransactions(url)
    return { options: { ...past, databaseUrl: relay.url }, close: () => relay.close() }
  }
  const { username, pathname } = new URL(url)
  const databaseUrl = `postgresql://${username}@${pooler}${pathname}`
  return { options: { ...past, databaseUrl }, close: async () => {} }
}

/** A server under test. */
export interface TestApp {
  app: FastifyInstance
  pool: FastifyInstance['pool']
  db: FastifyInstance['db']
  /** Address of its database, for a second server on the same one. */
  url: string
  /** Sets the clock; until then it runs from the `now` given to {@link testApp}, or is the real one. */
  setNow(time: Date | string): void
  /** Calls a route, reads the envelope and waits for what is done behind the answer. */
  call<T = unknown>(options: InjectOptions | string): Promise<Envelope<T> & { status: number }>
  close(): Promise<void>
}

/** What {@link testApp} may be told. */
export interface TestAppOptions {
  /** The time the server believes it is; a text is Asia/Shanghai, `yyyy-MM-dd HH:mm:ss`. */
  now?: Date | string
  /** A database address to share with another test server. */
  url?: string
  /** A pooler in transaction mode stands before the database. */
  pooled?: true
  config?: Partial<Config>
  /** Adds routes before the server is ready. */
  prepare?: (app: FastifyInstance) => void
  /** Another copy of the program; this one by default. */
  build?: typeof buildApp
  /** The database holds rows from before the rules of today: answers may lack what these now require. */
  oldRows?: true
}

/** A time of Asia/Shanghai, `yyyy-MM-dd HH:mm:ss`. */
export const shanghai = (text: string): Date => new Date(`${text.replace(' ', 'T')}+08:00`)

/**
 * Builds a server on a fresh copy of the template database. Close it at the end of the file: then everything it has logged is
 * looked through for what nobody may read, and every answer must have been as its contract says.
 */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.url ? undefined : await testDatabase()
  const url = options.url ?? database!.url
  const dataDir = options.config?.dataDir ?? dataFolder(url)
  const lines: string[] = []
  let fixed = toDate(options.now)
  const now = () => fixed ?? new Date()
  const ways = await waysTo(url, options.pooled)
  const tidy = async () => {
    await ways.close()
    await database?.drop()
  }
  const config = testConfig({ ...ways.options, dataDir, now, logTo: line => lines.push(line), ...options.config })
  let wrongAnswers: ReadonlySet<string> = new Set()
  const watch = (one: FastifyInstance) => {
    wrongAnswers = watchAnswers(one)
  }
  const app = await (options.build ?? buildApp)(config, options.prepare, watch).catch(async error => {
    await tidy()
    throw error
  })
  return {
    app,
    url,
    // Tests look past a pooler at what calls have done.
    pool: app.direct,
    db: app.db,
    setNow: time => {
      fixed = toDate(time)
    },
    call: async call => {
      const answer = await app.inject(call as InjectOptions)
      if (app.hasDecorator('behindAnswers')) await app.behindAnswers.done()
      return { ...answer.json(), status: answer.statusCode }
    },
    close: async () => {
      await app.close()
      await expectNoLeaks(lines, database?.url).finally(tidy)
      if (wrongAnswers.size > 0 && !options.oldRows)
        throw new Error(`Answers not as their contract says:\n${[...wrongAnswers].join('\n')}`)
    },
  }
}

const toDate = (time: Date | string | undefined) => (typeof time === 'string' ? shanghai(time) : time)
