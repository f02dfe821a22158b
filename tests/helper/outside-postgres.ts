import { appendFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { postgresFolder } from './commands.ts'
import { freePort } from './free-port.ts'
import { type Program, runProgram, startProgram } from './program.ts'
import { soon } from './soon.ts'
import type { Trial } from './trial.ts'

/** A PostgreSQL of Debian, with a database `exam` that a role without privileges owns. */
export interface OutsidePostgres {
  readonly port: number
  /** Its folder. */
  readonly data: string
  /** The address of the database for that role. */
  readonly url: string
  /** The same for the superuser. */
  readonly superUrl: string
  /** Asks as the superuser. */
  query<T = Record<string, unknown>>(sql: string): Promise<T[]>
  /** Whether it has not ended, by itself or by order. */
  isRunning(): boolean
  /** What it has logged. */
  output(): string
  /** Changes settings of the cluster, and starts it anew. */
  change(settings: Readonly<Record<string, string>>): Promise<void>
  start(): Promise<void>
  /** Ends it in order. */
  stop(): Promise<void>
}

/** The role that the server connects with, its password and its database. */
export const role = { user: 'juxian', password: 'Hai9-Guan-db', database: 'exam' } as const

const superuser = { user: 'postgres', password: 'Hai9-Guan-root' }

/** How a PostgreSQL is started for a trial. */
export interface PostgresOptions {
  /** Of the cluster; those of PostgreSQL by default. */
  settings?: Readonly<Record<string, string>>
  /** Its folder; one of the trial by default. */
  data?: string
  /** Where it keeps its log of changes, when not in its folder. */
  wal?: string
  /** Whoever comes by its socket, in the folder of the trial, needs no password. */
  trustsSocket?: boolean
}

/** Starts a PostgreSQL of Debian for a trial. */
export async function startPostgres(run: Trial, options: PostgresOptions = {}): Promise<OutsidePostgres> {
  const { settings = {}, data = path.join(run.folder, 'postgres'), wal, trustsSocket = false } = options
  const port = await freePort()
  const at = (command: string) => path.join(postgresFolder, command)
  const secret = path.join(run.folder, 'superuser')
  await writeFile(secret, superuser.password)
  const form = ['-E', 'UTF8', '--locale=C.UTF-8', '-U', superuser.user, `--pwfile=${secret}`]
  const logins = ['--auth-host=scram-sha-256', `--auth-local=${trustsSocket ? 'trust' : 'scram-sha-256'}`]
  await runProgram(at('initdb'), ['-D', data, ...form, ...logins, ...(wal ? ['-X', wal] : [])])
  const set = (lines: Readonly<Record<string, string | number>>) => {
    const text = Object.entries(lines).map(([name, value]) => `${name} = '${value}'\n`)
    return appendFile(path.join(data, 'postgresql.conf'), text.join(''))
  }
  await set({ listen_addresses: '127.0.0.1', port, unix_socket_directories: run.folder, ...settings })
  const address = (user: string, password: string, database: string) =>
    `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`
  const { user, password } = superuser
  const superUrl = address(user, password, role.database)
  const first = address(user, password, 'postgres')
  const ask = async <T>(sql: string, connectionString: string): Promise<T[]> => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 30_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(sql)).rows as T[]
    } finally {
      await client.end().catch(() => {})
    }
  }
  let program: Program | undefined
  const one: OutsidePostgres = {
    port,
    data,
    url: address(role.user, role.password, role.database),
    superUrl,
    query: sql => ask(sql, superUrl),
    isRunning: () => program?.isRunning() ?? false,
    output: () => program?.output() ?? '',
    async change(lines) {
      await one.stop()
      await set(lines)
      await one.start()
    },
    async start() {
      program = startProgram(at('postgres'), ['-D', data])
      await soon(() => ask('SELECT 1', first)).catch(error => {
        throw new Error(`PostgreSQL does not answer: ${program?.output()}`, { cause: error })
      })
    },
    stop: async () => program?.stop('SIGINT'),
  }
  run.after(() => one.stop())
  await one.start()
  await ask(`CREATE ROLE ${role.user} LOGIN PASSWORD '${role.password}'`, first)
  await ask(`CREATE DATABASE ${role.database} OWNER ${role.user}`, first)
  return one
}
