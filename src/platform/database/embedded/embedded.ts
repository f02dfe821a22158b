import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readlink, realpath, stat, symlink } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries, type Owner, publicFolder, reachable } from './binaries.ts'
import { type Cluster, createCluster, ensureRunning, stopCluster, superuser } from './cluster.ts'
import { withFolderLock } from './folder-lock.ts'

/** The name under which each process keeps one connection open while it uses the database. */
const presence = 'juxian presence'
const database = 'juxian'

/** How to reach a running embedded database. */
export interface Embedded {
  /** Options for a `pg` pool or client. */
  connection: { host: string; port: number; user: string; database: string }
  /**
   * Has the database write to the disk what it keeps in memory, which it would otherwise do at its end; calls go on meanwhile.
   * Nothing is lost without it, so nobody learns of an error.
   */
  checkpoint(): Promise<void>
  /**
   * Leaves the database; the last process to leave stops it.
   * @param wait milliseconds to wait for its end, a minute and a half by default
   * @returns false when it was still at its end by then: it ends by itself, and who opens it next waits for that
   */
  close(wait?: number): Promise<boolean>
}

/** Options of {@link openEmbedded}. */
export interface EmbeddedOptions {
  /** Settings of the server, for example `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>
  /** Called with the sentences a person should read. */
  say?: (sentence: string) => void
}

/**
 * Opens the PostgreSQL kept under a data folder: makes it when there is none, starts it when it is not running, joins it when
 * it is. Any number of processes of one machine may hold it open; each keeps one connection as the sign of its
 * presence. Whoever leaves and sees no other sign stops PostgreSQL; it does not matter who started it. A process killed with
 * -9 loses its sign with its connection and leaves PostgreSQL running, for the others or for the next start to join.
 * When PostgreSQL itself is killed, the first process to notice starts it again.
 * @param dataDir absolute path; the database is in its folder `postgres`
 */
export async function openEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const say = options.say ?? console.log
  const { data, owner } = await place(dataDir, say)
  const binaries = await findBinaries(owner, say)
  const cluster: Cluster = { data, owner, binaries, settings: options.settings ?? {} }
  const sign = new Presence(cluster)
  const host = await sign.raise()
  const connection = { host, port: 5432, user: superuser, database }
  return { connection, checkpoint: () => checkpoint(connection), close: wait => sign.lower(wait) }
}

/**
 * Where the database of a data folder goes and who runs PostgreSQL, which refuses to run as root. The data folder is made.
 * @param say called with where it is, when it cannot be in the folder
 */
export async function place(
  dataDir: string,
  say: (sentence: string) => void,
): Promise<{ data: string; owner?: Owner }> {
  await mkdir(dataDir, { recursive: true })
  // One spelling of the path for all processes: it is how they recognise the running server.
  const wanted = path.join(await realpath(dataDir), 'postgres')
  if (process.getuid?.() !== 0) return { data: wanted }
  const owner = { uid: 65534, gid: 65534 }
  const elsewhere = () => readlink(wanted).catch(() => null)
  if (!(await elsewhere())) {
    const existing = await stat(wanted).catch(() => null)
    if (existing && existing.uid !== 0) return { data: wanted, owner: { uid: existing.uid, gid: existing.gid } }
    if (await reachable(dataDir, owner)) return { data: wanted, owner }
    // A link in the data folder says where: whoever removes the folder, and its keys with it, begins again.
    const goal = path.join(publicFolder, randomBytes(6).toString('hex'), 'postgres')
    await symlink(goal, wanted).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  const data = (await elsewhere()) ?? wanted
  const folder = path.dirname(data)
  await mkdir(folder, { recursive: true })
  // Whatever root's umask is, nobody must get through.
  await chmod(path.dirname(folder), 0o755)
  await chown(folder, owner.uid, owner.gid)
  say(`PostgreSQL runs as user nobody, who cannot reach ${dataDir}: the database is in ${data}.`)
  return { data, owner }
}

/** The connection that shows that this process uses the database. */
class Presence {
  private client: pg.Client | undefined
  private closed = false
  private readonly cluster: Cluster

  constructor(cluster: Cluster) {
    this.cluster = cluster
  }

  /** Has the database running and shows presence; answers the socket folder. */
  raise(): Promise<string> {
    return this.locked(async () => {
      if (this.closed) return this.cluster.data
      await createCluster(this.cluster)
      const host = await ensureRunning(this.cluster)
      this.client = await this.connect(host)
      return host
    })
  }

  /** Takes the sign away and stops the database when no other process shows one. @returns false when it is not at its end yet */
  lower(wait?: number): Promise<boolean> {
    return this.locked(async () => {
      this.closed = true
      const others = await this.others()
      await this.client?.end().catch(() => {})
      return others > 0 || stopCluster(this.cluster, wait)
    })
  }

  private locked<T>(work: () => Promise<T>): Promise<T> {
    return withFolderLock(`${this.cluster.data}.lock`, work)
  }

  private async others(): Promise<number> {
    try {
      const found = await this.client?.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()',
        [presence],
      )
      return found?.rows[0]?.n ?? 0
    } catch {
      // The database is gone: nothing is left to stop, unless another process has just started it again for itself.
      return 1
    }
  }

  private async connect(host: string): Promise<pg.Client> {
    const options = { host, port: 5432, user: superuser, application_name: presence }
    const client = new pg.Client({ ...options, database })
    client.on('error', () => {})
    try {
      await client.connect()
    } catch (error) {
      if ((error as { code?: string }).code !== '3D000') throw error
      await createDatabase(options)
      return this.connect(host)
    }
    client.once('end', () => void this.recover(client))
    return client
  }

  /** Starts the database again after it ended by itself; tries for ever, since nothing works without it. */
  private async recover(lost: pg.Client): Promise<void> {
    while (!this.closed && this.client === lost) {
      await this.raise().catch((error: Error) => console.error(error.message))
      if (this.client === lost) await sleep(500)
    }
  }
}

async function checkpoint(options: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(options)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('CHECKPOINT')
  } catch {
    // The database ends meanwhile, or is gone.
  } finally {
    await client.end().catch(() => {})
  }
}

async function createDatabase(options: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...options, database: 'postgres' })
  await client.connect()
  await client.query(`CREATE DATABASE ${database}`)
  await client.end()
}
