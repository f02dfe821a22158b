import { type ChildProcess, spawn } from 'node:child_process'
import { chown, mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Binaries, Owner } from './binaries.ts'

/** One database cluster on disk and what runs it. */
export interface Cluster {
  /** The data folder of PostgreSQL. */
  data: string
  binaries: Binaries
  /** Whom PostgreSQL runs as; undefined: whoever runs this process. */
  owner: Owner | undefined
  /** Extra settings of the server, for example `{ fsync: 'off' }` in tests. */
  settings: Record<string, string>
}

/** The one superuser of the embedded database; only its own socket lets anybody in. */
export const superuser = 'juxian'
/** How long a start, with crash recovery, may take, in milliseconds. */
const patience = 90_000
/** Milliseconds between two looks whether it is there: the first, how much longer each is, the longest. PostgreSQL logs them. */
const look = { first: 20, longer: 1.2, longest: 500 }
/** An address of a unix socket must fit into 107 bytes, its file name included. */
const longestSocketFolder = 107 - '/.s.PGSQL.5432'.length - 1

const environment = { LC_ALL: 'C', PATH: process.env.PATH ?? '' }
const logFile = (cluster: Cluster) => `${cluster.data}.log`

/** Makes the cluster when there is none. A half-made one, of a killed process, is made again. */
export async function createCluster(cluster: Cluster): Promise<void> {
  if (await stat(path.join(cluster.data, 'PG_VERSION')).catch(() => null)) return
  const draft = `${cluster.data}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  if (cluster.owner) await chown(draft, cluster.owner.uid, cluster.owner.gid)
  // Not the C locale: with it pg_trgm would see no Chinese characters.
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'en_US.UTF-8'
  const options = ['-D', draft, '-U', superuser, '-A', 'trust', '-E', 'UTF8', `--locale=${locale}`]
  await run(cluster, cluster.binaries.initdb, options)
  await rename(draft, cluster.data)
}

/**
 * Has the cluster running, whoever started it, and answers its socket folder.
 * To be called under the folder's lock.
 * @throws with the end of PostgreSQL's log when it does not start
 */
export async function ensureRunning(cluster: Cluster): Promise<string> {
  const until = performance.now() + patience
  let server: ChildProcess | undefined
  let pause = look.first
  while (performance.now() < until) {
    const lock = await readPostmaster(cluster)
    const state = lock ? await probe(lock.socket) : 'down'
    if (lock && state === 'ready') return lock.socket
    if (server && server.exitCode !== null) await forgive(cluster, server.pid ?? 0)
    if (state === 'down' && (!server || server.exitCode !== null)) server = await launch(cluster, lock?.socket)
    await sleep(pause)
    pause = Math.min(pause * look.longer, look.longest)
  }
  throw new Error(`The embedded PostgreSQL did not start in ${patience / 1000} s:\n${await logTail(cluster)}`)
}

/**
 * Stops the cluster and waits until it has. Nothing happens when it is not running.
 * @param wait milliseconds to wait; PostgreSQL is a process of its own and comes to its end by itself, too
 * @returns false when it was still at its end by then
 */
export async function stopCluster(cluster: Cluster, wait = patience): Promise<boolean> {
  const lock = await readPostmaster(cluster)
  if (!lock || !(await isPostmaster(cluster, lock.pid))) return true
  // SIGINT is PostgreSQL's fast shutdown: open transactions roll back, everything committed is written.
  process.kill(lock.pid, 'SIGINT')
  const until = performance.now() + wait
  while (await isPostmaster(cluster, lock.pid)) {
    if (performance.now() > until) return false
    await sleep(10)
  }
  if (lock.socket !== cluster.data) await rm(lock.socket, { recursive: true, force: true })
  return true
}

interface Postmaster {
  pid: number
  socket: string
}

async function readPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const text = await readFile(path.join(cluster.data, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , , socket] = text.split('\n')
  return pid && socket ? { pid: Math.abs(Number(pid)), socket } : null
}

async function probe(socket: string): Promise<'ready' | 'wait' | 'down'> {
  const client = new pg.Client({
    host: socket,
    port: 5432,
    user: superuser,
    database: 'postgres',
    connectionTimeoutMillis: 3000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return 'ready'
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'EACCES') throw new Error(`The database in ${socket} runs as another user and lets nobody else in.`)
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'down'
    // 53300: so many connections that one more does not fit; it runs all the same.
    return code === '53300' ? 'ready' : 'wait'
  } finally {
    await client.end().catch(() => {})
  }
}

async function launch(cluster: Cluster, lastSocket: string | undefined): Promise<ChildProcess> {
  const socket = await socketFolder(cluster, lastSocket)
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socket,
    unix_socket_permissions: '0700',
    // Neither the rows of a failed statement nor its text belong into a log file.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    jit: 'off',
    // Who receives the log of the database and has stopped must not fill the disk.
    max_slot_wal_keep_size: '8GB',
    ...cluster.settings,
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = await open(logFile(cluster), 'a', 0o600)
  // Detached: a Ctrl-C in the terminal must reach Node only, which then closes the database in order.
  const child = spawn(cluster.binaries.postgres, ['-D', cluster.data, ...options], {
    ...cluster.owner,
    cwd: '/',
    env: environment,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  child.unref()
  await log.close()
  return child
}

async function socketFolder(cluster: Cluster, last: string | undefined): Promise<string> {
  if (Buffer.byteLength(cluster.data) <= longestSocketFolder) return cluster.data
  // After a crash the other processes look for the socket where it was.
  if (last && (await stat(last).catch(() => null))) return last
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-'))
  if (cluster.owner) await chown(folder, cluster.owner.uid, cluster.owner.gid)
  return folder
}

/**
 * Decides after a start that ended at once. Two reasons pass: an earlier server is still going down, or a lock file names a
 * process that is none (a dead one nobody has collected, or a number used again): then its number is replaced by that of
 * the process that has just ended, and PostgreSQL's own check for leftover children still works.
 */
async function forgive(cluster: Cluster, endedPid: number): Promise<void> {
  const tail = await logTail(cluster)
  if (!/lock file|shared memory/.test(tail)) throw new Error(`The embedded PostgreSQL did not start:\n${tail}`)
  const lock = await readPostmaster(cluster)
  const files = [
    path.join(cluster.data, 'postmaster.pid'),
    path.join(lock?.socket ?? cluster.data, '.s.PGSQL.5432.lock'),
  ]
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => '')
    const pid = Number.parseInt(text, 10)
    if (pid && !(await isPostmaster(cluster, Math.abs(pid))))
      await writeFile(file, text.replace(/^-?\d+/, String(endedPid)))
  }
}

/** True when the process exists, is no zombie and is the PostgreSQL of this cluster. */
async function isPostmaster(cluster: Cluster, pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  if (process.platform !== 'linux') return true
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.split('\0').includes(cluster.data)
}

async function logTail(cluster: Cluster): Promise<string> {
  const text = await readFile(logFile(cluster), 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-5).join('\n')
}

function run(cluster: Cluster, program: string, options: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, options, {
      ...cluster.owner,
      cwd: '/',
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    child.stderr?.on('data', chunk => {
      errors += chunk
    })
    child.on('error', reject)
    child.on('close', code => (code === 0 ? resolve() : reject(new Error(`${program} failed: ${errors.trim()}`))))
  })
}
