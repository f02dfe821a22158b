import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { findCommand, postgresFolder } from './commands.ts'
import { freePort } from './free-port.ts'
import { role } from './outside-postgres.ts'
import { type Program, processTree, signalAll, startProgram } from './program.ts'
import { eventually } from './soon.ts'
import type { Trial } from './trial.ts'

/** Seconds after which a primary that has said nothing has lost its place, and between two looks. */
export const lease = { ttl: 20, loopWait: 2 } as const

/** One PostgreSQL with the Patroni that runs it. */
export interface Member {
  readonly name: string
  /** Where its PostgreSQL listens, and where its Patroni does. */
  readonly port: number
  readonly api: number
  start(): void
  /** SIGKILL to all of it at once. */
  kill(): void
  /** Stops all of it, as when its machine stands still; its connections stay open. */
  freeze(): void
  thaw(): void
  /** What its Patroni and its PostgreSQL have printed since it was started. */
  output(): string
}

/** How Patroni sees a member. */
interface Seen {
  name: string
  role: string
  state: string
}

/** A primary and its synchronous standby, run by Patroni. */
export interface PatroniCluster {
  readonly members: readonly Member[]
  /** The address of the database that names both. */
  readonly url: string
  primary(): Promise<Member>
  /** Waits until one is the primary and the other its synchronous standby. */
  settled(): Promise<void>
  /** Gives the place of the primary to the other, by order. */
  switchOver(): Promise<void>
  /** Asks a member as the superuser. */
  query<T = Record<string, unknown>>(member: Member, sql: string): Promise<T[]>
}

/** How many characters of what a member has printed are told when they do not come together. */
const lastWords = 6000

const password = 'Hai9-Guan-root'
const account = (username: string) => ({ username, password })

/** Starts an etcd, two members and a database that the role of the trials owns. */
export async function startPatroni(run: Trial): Promise<PatroniCluster> {
  const [client, peer] = [await freePort(), await freePort()]
  const at = (port: number) => `http://127.0.0.1:${port}`
  const etcd = startProgram(findCommand('etcd')!, [
    `--data-dir=${run.folder}/etcd`,
    '--enable-v2',
    `--listen-client-urls=${at(client)}`,
    `--advertise-client-urls=${at(client)}`,
    `--listen-peer-urls=${at(peer)}`,
    `--initial-advertise-peer-urls=${at(peer)}`,
    `--initial-cluster=default=${at(peer)}`,
  ])
  run.after(() => etcd.stop())
  const members = [await prepareMember(run, 'n1', client), await prepareMember(run, 'n2', client)]
  for (const one of members) one.start()

  const seen = async (): Promise<Seen[]> => {
    for (const { api } of members) {
      const answer = await fetch(`${at(api)}/cluster`, { signal: AbortSignal.timeout(2000) }).catch(() => null)
      if (answer?.ok) return ((await answer.json()) as { members: Seen[] }).members
    }
    throw new Error('No Patroni answers.')
  }
  const named = (name: string | undefined) => {
    const one = members.find(member => member.name === name)
    if (!one) throw new Error('There is no primary.')
    return one
  }
  const primary = async () => named((await seen()).find(one => one.role === 'leader')?.name)
  const settled = () =>
    eventually(async () => {
      const roles = (await seen()).filter(({ state }) => ['running', 'streaming'].includes(state)).map(one => one.role)
      if (roles.toSorted().join() !== 'leader,sync_standby')
        throw new Error(`Patroni sees ${JSON.stringify(await seen())}`)
    }, 120_000).catch(error => {
      const said = members.map(({ name, output }) => `${name} says:\n${output().slice(-lastWords)}`)
      throw new Error(said.join('\n'), { cause: error })
    })
  const query = async <T>({ port }: Member, sql: string, database: string = role.database): Promise<T[]> => {
    const one = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database })
    one.on('error', () => {})
    try {
      await one.connect()
      return (await one.query(sql)).rows as T[]
    } finally {
      await one.end().catch(() => {})
    }
  }
  await settled()
  const first = await primary()
  await query(first, `CREATE ROLE ${role.user} LOGIN PASSWORD '${role.password}'`, 'postgres')
  await query(first, `CREATE DATABASE ${role.database} OWNER ${role.user}`, 'postgres')
  const hosts = members.map(({ port }) => `127.0.0.1:${port}`).join(',')
  return {
    members,
    url: `postgresql://${role.user}:${role.password}@${hosts}/${role.database}`,
    primary,
    settled,
    query,
    async switchOver() {
      const leader = await primary()
      const candidate = members.find(one => one !== leader)!.name
      const answer = await fetch(`${at(leader.api)}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader.name, candidate }),
      })
      if (!answer.ok) throw new Error(`Patroni refuses the switchover: ${answer.status} ${await answer.text()}`)
    },
  }
}

async function prepareMember(run: Trial, name: string, etcd: number): Promise<Member> {
  const [port, api] = [await freePort(), await freePort()]
  const file = path.join(run.folder, `${name}.json`)
  const listen = (own: number) => ({ listen: `127.0.0.1:${own}`, connect_address: `127.0.0.1:${own}` })
  // YAML, of which JSON is a part.
  await writeFile(
    file,
    JSON.stringify({
      scope: 'juxian',
      name,
      restapi: listen(api),
      // Version 2, where Patroni asks each time: by version 3, before 3.1, it may keep a view that is out of date for good after its
      // machine had too much to do, and then names no synchronous standby any more.
      etcd: { hosts: [`127.0.0.1:${etcd}`] },
      bootstrap: {
        dcs: {
          ttl: lease.ttl,
          loop_wait: lease.loopWait,
          retry_timeout: 3,
          synchronous_mode: true,
          postgresql: { use_pg_rewind: true, parameters: { wal_log_hints: 'on' } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
      },
      postgresql: {
        ...listen(port),
        data_dir: path.join(run.folder, name),
        bin_dir: postgresFolder,
        pgpass: path.join(run.folder, `${name}.pgpass`),
        parameters: { unix_socket_directories: run.folder },
        pg_hba: ['host replication all 127.0.0.1/32 scram-sha-256', 'host all all 127.0.0.1/32 scram-sha-256'],
        authentication: {
          superuser: account('postgres'),
          replication: account('replicator'),
          rewind: account('rewinder'),
        },
      },
    }),
    { mode: 0o644 },
  )
  let program: Program | undefined
  /** All of it that stands still. */
  let frozen: number[] = []
  /** Patroni and its PostgreSQL, which is not its child. */
  const all = (): number[] => {
    let file = ''
    try {
      file = readFileSync(path.join(run.folder, name, 'postmaster.pid'), 'utf8')
    } catch {
      // It does not run.
    }
    const postmaster = Number.parseInt(file, 10)
    return [program?.pid ?? 0, postmaster].filter(pid => pid > 0).flatMap(processTree)
  }
  run.after(() => {
    signalAll(frozen, 'SIGCONT')
    signalAll(all(), 'SIGKILL')
  })
  return {
    name,
    port,
    api,
    start() {
      program = startProgram(findCommand('patroni')!, [file], { env: { HOME: run.folder } })
    },
    kill: () => signalAll(all(), 'SIGKILL'),
    freeze() {
      frozen = all()
      signalAll(frozen, 'SIGSTOP')
    },
    thaw() {
      signalAll(frozen, 'SIGCONT')
      frozen = []
    },
    output: () => program?.output() ?? '',
  }
}
