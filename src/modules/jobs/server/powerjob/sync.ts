import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { scoped } from '../../../../crud/scope.ts'
import { type Live, updateUnstamped } from '../../../../platform/database/live.ts'
import type { Person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { isRefusal, refuse } from '../../../../platform/http/server/refusal.ts'
import { UnknownValue } from './codecs.ts'
import { connect, keepFailure, powerJobServers, type ServerRow, signInAndKeep } from './connections.ts'
import type { Preference } from './decide.ts'
import { refusalOf, ServerUnreachable } from './errors.ts'
import { jobsOf, keepUnsynced, rowOf } from './job-rows.ts'
import { counterpart, settle } from './settle.ts'

/** Milliseconds without a sign after which a process that syncs the jobs of a server counts as ended. */
const lease = 60_000

/** Says that a sync is still under way; called before each job. @throws input.repeated when another process has taken over */
type Sign = () => Promise<void>

/** A job that was changed on both sides. */
export interface Conflict {
  id: string
  jobName: string
}

/** A server, or a job of it, that something could not be done with, and why. */
export interface Failure {
  jobServerId: string
  jobServerName: string
  /** Empty where the whole server is meant. */
  jobName: string
  reason: string
}

/** What came of syncing. */
export interface Synced {
  added: number
  updated: number
  removed: number
  pushed: number
  conflicts: Conflict[]
  failed: Failure[]
}

const nothing = (): Synced => ({ added: 0, updated: 0, removed: 0, pushed: 0, conflicts: [], failed: [] })

/** Counts of a server's jobs that belong to what was done with a job. */
const counted = { create: 'pushed', push: 'pushed', pull: 'updated', gone: 'removed' } as const

/**
 * Does something at a server that one process does at a time.
 * @throws input.repeated while another does it
 */
async function alone<T>(
  app: FastifyInstance,
  db: Live,
  { id }: ServerRow,
  work: (sign: Sign) => Promise<T>,
): Promise<T> {
  const syncBy = randomUUID()
  const now = app.now()
  const taken = await updateUnstamped(db, 'job_server')
    .set({ syncBy, syncUntil: new Date(now.getTime() + lease) })
    .where('id', '=', id)
    .where(eb => eb.or([eb('syncUntil', 'is', null), eb('syncUntil', '<=', now)]))
    .executeTakeFirst()
  if (taken.numUpdatedRows === 0n) throw refuse('input.repeated')
  let signed = now.getTime()
  const sign = async () => {
    const at = app.now().getTime()
    if (at - signed < lease / 6) return
    const kept = await updateUnstamped(db, 'job_server')
      .set({ syncUntil: new Date(at + lease) })
      .where('id', '=', id)
      .where('syncBy', '=', syncBy)
      .executeTakeFirst()
    if (kept.numUpdatedRows === 0n) throw refuse('input.repeated')
    signed = at
  }
  try {
    return await work(sign)
  } finally {
    await updateUnstamped(db, 'job_server')
      .set({ syncBy: null, syncUntil: null })
      .where('id', '=', id)
      .where('syncBy', '=', syncBy)
      .execute()
  }
}

/** What is said of a failure with one job; the server as a whole has failed when it does not answer. @throws ServerUnreachable */
function reasonOf(error: unknown): string {
  if (error instanceof ServerUnreachable) throw error
  return error instanceof UnknownValue ? error.message : refusalOf(error).message
}

/** Syncs all jobs of a server, in both directions. @throws ServerUnreachable, ServerRefusal when nothing could be begun */
async function syncServer(
  app: FastifyInstance,
  db: Live,
  server: ServerRow,
  { into, sign }: { into: Synced; sign: Sign },
): Promise<void> {
  await signInAndKeep(app, db, server)
  const there = await connect(app, server)
  const remote = new Map((await there.jobs()).map(job => [job.jobId, job]))
  const rows = await jobsOf(db, { serverId: server.id })
  const { id: jobServerId, jobServerName } = server
  const fail = (jobName: string, error: unknown) =>
    void into.failed.push({ jobServerId, jobServerName, jobName, reason: reasonOf(error) })
  const known = new Set<string>()
  for (const row of rows) {
    await sign()
    try {
      const listed = row.jobId ? (remote.get(row.jobId) ?? null) : await counterpart(there, row)
      const found = listed?.isDeleted ? null : listed
      if (listed) known.add(listed.jobId)
      const outcome = await settle(db, there, row, found)
      if (outcome in counted) into[counted[outcome as keyof typeof counted]]++
      if (outcome === 'conflict') into.conflicts.push({ id: row.id, jobName: row.jobName })
    } catch (error) {
      fail(row.jobName, error)
    }
  }
  for (const job of remote.values()) {
    if (known.has(job.jobId) || job.isDeleted) continue
    await sign()
    try {
      await db
        .insertInto('job_info')
        .values({ ...rowOf(job), jobServerId })
        .execute()
      into.added++
    } catch (error) {
      fail(String(job.whole.jobName ?? job.jobId), error)
    }
  }
}

/** The PowerJob servers that somebody meets: one, or all. @throws row.notFound */
async function serversOf(app: FastifyInstance, person: Person, id: string | undefined): Promise<ServerRow[]> {
  const mine = await scoped(app, person, 'job_server')
    .select('id')
    .$if(id !== undefined, query => query.where('id', '=', id ?? '0'))
    .execute()
  if (id !== undefined && mine.length === 0) throw refuse('row.notFound')
  return powerJobServers(
    liveAs(app, person),
    mine.map(row => row.id),
  )
}

/**
 * Does something at each of some servers, one process at a time; what fails at one does not keep it from the others.
 * @throws input.repeated when all of them are busy, jobs.serverUnreachable when none of them answers
 */
async function atEach(
  app: FastifyInstance,
  db: Live,
  servers: readonly ServerRow[],
  work: (server: ServerRow, how: { into: Synced; sign: Sign }) => Promise<void>,
): Promise<Synced> {
  const into = nothing()
  const errors: unknown[] = []
  for (const server of servers) {
    try {
      await alone(app, db, server, sign => work(server, { into, sign }))
    } catch (error) {
      errors.push(error)
      await keepFailure(app, db, server.id, error)
      if (error instanceof ServerUnreachable) await keepUnsynced(db, server.id)
      const { message: reason } = isRefusal(error, 'input.repeated') ? error : refusalOf(error)
      into.failed.push({ jobServerId: server.id, jobServerName: server.jobServerName, jobName: '', reason })
    }
  }
  if (servers.length === 0 || errors.length < servers.length) return into
  if (errors.every(error => error instanceof ServerUnreachable)) throw refuse('jobs.serverUnreachable')
  if (errors.every(error => isRefusal(error, 'input.repeated'))) throw refuse('input.repeated')
  return into
}

/**
 * Syncs the jobs of the PowerJob servers that somebody meets, in both directions.
 * @param jobServerId one server only; one of another kind has nothing to sync
 */
export async function syncAll(app: FastifyInstance, person: Person, jobServerId: string | undefined): Promise<Synced> {
  const db = liveAs(app, person)
  const servers = await serversOf(app, person, jobServerId)
  return atEach(app, db, servers, (server, how) => syncServer(app, db, server, how))
}

/**
 * Settles jobs that were changed on both sides as a person has chosen.
 * @throws row.notFound for jobs that are not there, or of no PowerJob server
 */
export async function choose(
  app: FastifyInstance,
  person: Person,
  ids: readonly string[],
  prefer: Preference,
): Promise<Synced> {
  const mine = await scoped(app, person, 'job_info')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  const db = liveAs(app, person)
  const rows = await jobsOf(db, { ids: mine.map(({ id }) => id) })
  if (rows.length < ids.length) throw refuse('row.notFound')
  const servers = await powerJobServers(db, [...new Set(rows.map(row => row.jobServerId))])
  return atEach(app, db, servers, async (server, { into, sign }) => {
    const there = await connect(app, server)
    for (const row of rows.filter(one => one.jobServerId === server.id)) {
      await sign()
      try {
        const outcome = await settle(db, there, row, await counterpart(there, row), prefer)
        if (outcome in counted) into[counted[outcome as keyof typeof counted]]++
      } catch (error) {
        const { id, jobServerName } = server
        into.failed.push({ jobServerId: id, jobServerName, jobName: row.jobName, reason: reasonOf(error) })
      }
    }
  })
}
