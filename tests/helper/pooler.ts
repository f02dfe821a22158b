import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { vi } from 'vitest'
import { freePort } from './free-port.ts'

/** Where PgBouncer is on this machine; the tests that need it are skipped without. */
export const pgbouncer: string | undefined = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
  .map(folder => path.join(folder, 'pgbouncer'))
  .find(existsSync)

/** A pooler in transaction mode before a database. */
export interface Pooler {
  /** The address of the database through the pooler. */
  readonly url: string
  stop(): Promise<void>
}

/** Starts PgBouncer in transaction mode before a database, with fewer connections than its clients have. */
export async function startPooler(url: string): Promise<Pooler> {
  const { hostname, port, pathname, username, password, searchParams } = new URL(url)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-pooler-'))
  await chmod(folder, 0o755)
  const listen = await freePort()
  const file = path.join(folder, 'pgbouncer.ini')
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  const secret = password ? ` password='${decodeURIComponent(password)}'` : ''
  const database = pathname.slice(1)
  await writeFile(
    file,
    `[databases]
${database} = host=${host} port=${port || 5432} dbname=${database} user=${decodeURIComponent(username)}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 8
max_client_conn = 500
`,
    { mode: 0o644 },
  )
  // It does not run as root.
  const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(pgbouncer ?? 'pgbouncer', [...asNobody, file], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const hear = (text: Buffer) => {
    output += text
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const through = `postgresql://${username}@127.0.0.1:${listen}/${database}`
  const stop = async () => {
    const ended = new Promise(done => child.once('close', done))
    if (child.exitCode === null && child.kill('SIGINT'))
      await Promise.race([ended, new Promise(done => setTimeout(done, 5000))])
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await vi.waitFor(
      // Only whether it listens: a client would have it open a session before the settings of its role are made.
      () =>
        new Promise<void>((done, fail) => {
          const socket = connect(listen, '127.0.0.1', () => {
            socket.destroy()
            done()
          }).on('error', fail)
        }),
      { timeout: 60_000, interval: 100 },
    )
  } catch (error) {
    await stop()
    throw new Error(`PgBouncer does not answer: ${output}`, { cause: error })
  }
  return { url: through, stop }
}
