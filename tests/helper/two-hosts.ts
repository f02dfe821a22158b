import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findBinaries } from '../../src/platform/database/embedded/binaries.ts'
import { type Cluster, createCluster, superuser } from '../../src/platform/database/embedded/cluster.ts'
import { freePort } from './free-port.ts'
import { soon } from './soon.ts'

/** One of two PostgreSQL that hold the same data. */
export interface DatabaseHost {
  port: number
  /** SIGKILL, with all it has begun: its connections end at once. */
  kill(): void
  /** Ends it in order. */
  stop(): Promise<void>
  /** Lets it neither answer nor end its connections. */
  freeze(): void
  thaw(): void
  /** Makes the standby the primary. */
  promote(): Promise<void>
  query(sql: string): Promise<Record<string, unknown>[]>
}

/** A primary and its synchronous standby: what is acknowledged is at both. */
export interface TwoHosts {
  primary: DatabaseHost
  standby: DatabaseHost
  /** An address that names both, in this order. */
  url(...hosts: readonly DatabaseHost[]): string
  /** A data folder for the servers on them; it goes with them. */
  dataDir: string
  close(): Promise<void>
}

const database = 'exam'

/** Processes that a process has begun. */
function childrenOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines
    .map(line => line.trim().split(/\s+/).map(Number))
    .flatMap(([one = 0, parent]) => (parent === pid ? [one] : []))
}

class Host implements DatabaseHost {
  #child: ChildProcess | undefined
  readonly cluster: Cluster
  readonly port: number

  constructor(cluster: Cluster, port: number) {
    this.cluster = cluster
    this.port = port
  }

  start(): void {
    const { data, owner, binaries } = this.cluster
    const options = [
      '-D',
      data,
      '-p',
      String(this.port),
      '-k',
      data,
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'jit=off',
    ]
    // A group of its own, though each of its processes makes another one.
    this.#child = spawn(binaries.postgres, options, { ...owner, cwd: '/', detached: true, stdio: 'ignore' })
  }

  async query(sql: string, name = database): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user: superuser, database: name })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query(sql)
      return rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
  }

  kill(): void {
    this.#signal('SIGKILL')
  }
  freeze(): void {
    this.#signal('SIGSTOP')
  }
  thaw(): void {
    this.#signal('SIGCONT')
  }

  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()')
    // Nobody is there to agree any more.
    await this.query('ALTER SYSTEM RESET synchronous_standby_names', 'postgres')
    await this.query('SELECT pg_reload_conf()')
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid
    if (!pid) return
    const all = [pid, ...childrenOf(pid)]
    for (const one of all)
      try {
        process.kill(one, signal)
      } catch {
        // It has ended by itself.
      }
  }
}

/** Starts a primary and its synchronous standby, which are empty but for the database. */
export async function startTwoHosts(): Promise<TwoHosts> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-hosts-'))
  await chmod(folder, 0o755)
  const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined
  if (owner) await chown(folder, owner.uid, owner.gid)
  const binaries = await findBinaries(owner, () => {})
  const cluster = (name: string): Cluster => ({ data: path.join(folder, name), owner, binaries, settings: {} })
  const [primary, standby] = [new Host(cluster('a'), await freePort()), new Host(cluster('b'), await freePort())]
  const { data } = primary.cluster
  await createCluster(primary.cluster)
  const settings = 'wal_level = replica\nhot_standby = on\nfsync = off\nmax_connections = 100\nshared_buffers = 32MB\n'
  await appendFile(path.join(data, 'postgresql.conf'), settings)
  primary.start()
  await soon(() => primary.query(`SELECT pg_create_physical_replication_slot('b')`, 'postgres'))
  await primary.query(`CREATE DATABASE ${database}`, 'postgres')
  await primary.stop()
  await promisify(execFile)('cp', ['-a', data, standby.cluster.data], { ...owner, cwd: '/' })
  const follows = `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=${superuser} application_name=b'\nprimary_slot_name = 'b'\n`
  await appendFile(path.join(standby.cluster.data, 'postgresql.conf'), follows)
  await writeFile(path.join(standby.cluster.data, 'standby.signal'), '')
  primary.start()
  standby.start()
  await soon(() => primary.query(`ALTER SYSTEM SET synchronous_standby_names = 'FIRST 1 (b)'`, 'postgres'))
  await primary.query('SELECT pg_reload_conf()')
  await soon(async () => {
    const rows = await primary.query('SELECT sync_state FROM pg_stat_replication')
    if (rows[0]?.sync_state !== 'sync') throw new Error('The standby does not follow yet.')
  })
  return {
    primary,
    standby,
    dataDir: path.join(folder, 'data'),
    url: (...hosts) =>
      `postgresql://${superuser}@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}`,
    close: async () => {
      for (const one of [primary, standby]) one.kill()
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}
