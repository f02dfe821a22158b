import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { findCommand } from './commands.ts'
import { freePort, isOpen } from './free-port.ts'
import { startProgram } from './program.ts'
import { soon } from './soon.ts'

/** Where PgBouncer is on this machine; the tests that need it are skipped without. */
export const pgbouncer: string | undefined = findCommand('pgbouncer')

/** A pooler in transaction mode before a database. */
export interface Pooler {
  /** The address of the database through the pooler. */
  readonly url: string
  /** Sends a command to its console, such as `RECONNECT`. */
  say(command: string): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

/**
 * Starts PgBouncer in transaction mode before a database, with fewer connections than its clients have. With a password in the
 * address clients sign in to it as to PostgreSQL (SCRAM), else everybody is let in.
 * @param settings of PgBouncer, besides
 */
export async function startPooler(
  url: string,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Pooler> {
  const { hostname, port, pathname, username, password, searchParams } = new URL(url)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-pooler-'))
  await chmod(folder, 0o755)
  const listen = await freePort()
  const file = path.join(folder, 'pgbouncer.ini')
  const users = path.join(folder, 'userlist.txt')
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  const [user, secret] = [username, password].map(decodeURIComponent)
  const database = pathname.slice(1)
  // Without a password all clients are one user at the database, whoever they say they are.
  const forced = secret ? '' : ` user=${user}`
  const told = {
    listen_addr: '127.0.0.1',
    listen_port: listen,
    unix_socket_dir: '',
    ...(secret ? { auth_type: 'scram-sha-256', auth_file: users, admin_users: user } : { auth_type: 'any' }),
    pool_mode: 'transaction',
    default_pool_size: 8,
    max_client_conn: 500,
    ...settings,
  }
  const lines = Object.entries(told).map(([name, value]) => `${name} = ${value}\n`)
  const databases = `[databases]\n* = host=${host} port=${port || 5432}${forced}\n`
  await writeFile(file, `${databases}[pgbouncer]\n${lines.join('')}`, { mode: 0o644 })
  await writeFile(users, `"${user}" "${secret}"\n`, { mode: 0o644 })
  const program = startProgram(pgbouncer ?? 'pgbouncer', [file])
  const stop = async () => {
    await program.stop('SIGINT')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    // Only whether it listens: a client would have it open a session before the settings of its role are made.
    await soon(() => isOpen(`127.0.0.1:${listen}`))
  } catch (error) {
    await stop()
    throw new Error(`PgBouncer does not answer: ${program.output()}`, { cause: error })
  }
  const account = password ? `${username}:${password}` : username
  const address = (name: string) => `postgresql://${account}@127.0.0.1:${listen}/${name}`
  const say = async (command: string) => {
    const client = new pg.Client(address('pgbouncer'))
    await client.connect()
    try {
      return (await client.query(command)).rows
    } finally {
      await client.end()
    }
  }
  return { url: address(database), say, stop }
}
