import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries } from '../database/embedded/binaries.ts'
import type { Manifest } from './backup-file.ts'
import type { RestoredCluster } from './restore.ts'

/** A cluster that was restored and runs for a while, for nobody else. */
export interface RunningCopy {
  /** How it is reached. */
  readonly connection: { host: string; port: number; user: string; database: string }
  /** The end of what it has logged. */
  log(): string
  /** Stops it in order. */
  stop(): Promise<void>
}

/** Of a cluster elsewhere nothing is taken over that would reach beyond this machine or hold up its start. */
const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  archive_mode: 'off',
  synchronous_standby_names: '',
  shared_preload_libraries: '',
  ssl: 'off',
  hot_standby: 'off',
  jit: 'off',
  log_min_error_statement: 'panic',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  lc_messages: 'C',
} as const

const majorOf = (version: string): string => version.split('.')[0] ?? ''

/**
 * The programs of PostgreSQL for a physical backup.
 * @throws when this program brings another major version
 */
async function programsFor(
  { postgres }: Manifest,
  owner: RestoredCluster['owner'],
  say: (sentence: string) => void,
): Promise<string> {
  const binaries = await findBinaries(owner, say)
  const { stdout } = spawnSync(binaries.postgres, ['--version'], { ...owner, cwd: '/', encoding: 'utf8' })
  const own = /(\d+(\.\d+)*)/.exec(stdout)?.[1] ?? ''
  if (majorOf(own) !== majorOf(postgres))
    throw new Error(
      `This backup is the folder of a PostgreSQL ${postgres}; this program brings ${own}, which cannot open it. Restore it without --check and --at and start it with PostgreSQL ${majorOf(postgres)}, or take a backup with --logical.`,
    )
  return binaries.postgres
}

/**
 * Starts a restored cluster on a socket of its own, with any further settings, and waits until it has recovered.
 * @throws with the end of its log when it does not
 */
export async function startCopy(
  manifest: Manifest,
  { data, owner }: RestoredCluster,
  more: Record<string, string>,
  say: (sentence: string) => void,
): Promise<RunningCopy> {
  const program = await programsFor(manifest, owner, say)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-copy-'))
  const at = (name: string) => path.join(folder, name)
  await writeFile(at('postgresql.conf'), '')
  await writeFile(at('pg_hba.conf'), 'local all all trust\n')
  await writeFile(at('pg_ident.conf'), '')
  if (owner) {
    await chown(folder, owner.uid, owner.gid)
    for (const name of ['postgresql.conf', 'pg_hba.conf', 'pg_ident.conf']) await chmod(at(name), 0o644)
  }
  const files = { config_file: at('postgresql.conf'), hba_file: at('pg_hba.conf'), ident_file: at('pg_ident.conf') }
  const all = { ...settings, ...files, unix_socket_directories: folder, ...more }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let log = ''
  const child = spawn(program, ['-D', data, ...options], {
    ...owner,
    cwd: '/',
    env: { LC_ALL: 'C', PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.stderr?.on('data', chunk => {
    log = `${log}${chunk}`.slice(-8000)
  })
  const connection = { host: folder, port: 5432, user: manifest.user, database: manifest.database }
  const stop = async () => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await recovered(child, connection)
    return { connection, stop, log: () => log }
  } catch (error) {
    await stop()
    throw new Error(`${(error as Error).message}\n${tail(log)}`, { cause: error })
  }
}

const tail = (log: string): string => log.trimEnd().split('\n').slice(-10).join('\n')

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  // PostgreSQL's fast shutdown.
  child.kill('SIGINT')
  await ended
}

/** However long the log is: it ends when the cluster is open or has given up. */
async function recovered(child: ChildProcess, connection: pg.ClientConfig): Promise<void> {
  let failure: Error | undefined
  child.once('error', error => {
    failure = error
  })
  for (;;) {
    if (failure) throw failure
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The restored database did not start:')
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 3000 })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ is: boolean }>('SELECT pg_is_in_recovery() AS is')
      if (!rows[0]?.is) return
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (!/^(ENOENT|ECONNREFUSED|57P03)$/.test(code)) throw error
    } finally {
      await client.end().catch(() => {})
    }
    await sleep(50)
  }
}
