import type { FastifyInstance, FastifyRequest } from 'fastify'
import { commaList } from '#engine'
import { JobEnable, JobInstanceStatus, JobServerType, JobSyncState } from '#schemas/dictionaries'
import { JobInfo } from '#schemas/jobs/job-info'
import { givenOf } from '../../../../crud/action.ts'
import { isId, withDefaults, wrongInput } from '../../../../crud/input.ts'
import type { ActionContext, HookContext, Hooks } from '../../../../crud/rules.ts'
import { changeable, scoped } from '../../../../crud/scope.ts'
import { type Live, liveFor, removeRows } from '../../../../platform/database/live.ts'
import { person as callerOf, type Person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse, refuseSaying } from '../../../../platform/http/server/refusal.ts'
import type { PowerJob } from './client.ts'
import { UnknownValue } from './codecs.ts'
import { connect, keepFailure, powerJobServers, type ServerRow } from './connections.ts'
import { refusalOf, ServerRefusal, ServerUnreachable } from './errors.ts'
import { jobProblem } from './job-problems.ts'
import { type JobRow, jobsOf, keepAgreed, keepGone } from './job-rows.ts'
import { digestOf, localValues, type RemoteJob, remoteValues, sharedFields } from './mapping.ts'
import { counterpart, type Outcome, settle } from './settle.ts'

type Job = Parameters<NonNullable<Hooks<typeof JobInfo>['afterSubmit']>>[1]

/** Whether the jobs of a server are done by PowerJob. */
async function isPowerJob(db: Live, jobServerId: string | undefined): Promise<boolean> {
  const server = db
    .selectFrom('job_server')
    .select('serverType')
    .where('id', '=', jobServerId ?? '0')
  return (await server.executeTakeFirst())?.serverType === JobServerType.powerJob
}

/**
 * What a job of a PowerJob server must be before it is stored, and what it is then: not synced, or still in conflict.
 * @returns what is to be stored beside it
 * @throws input.invalid for a timing that the server would refuse, row.wrongState for a job that was deleted there
 */
export function checkedJob(
  row: Parameters<typeof localValues>[0],
  before: Job | null,
  isTimingNew: boolean,
  now: Date,
) {
  if (before?.syncState === JobSyncState.removed)
    throw refuseSaying('row.wrongState', '任务在任务服务器上已被删除，不能修改')
  const problem = isTimingNew ? jobProblem(localValues(row), now) : null
  if (problem) throw wrongInput([problem])
  const isConflict = before?.syncState === JobSyncState.conflict
  return { syncState: isConflict ? JobSyncState.conflict : JobSyncState.unsynced }
}

/** What a call has stored of a job, until it is brought to its server. */
const stored = new WeakMap<FastifyRequest, { id: string; before: Job | null }>()

/** Remembers what a call stores: it is brought to the server when that is committed. */
export async function noteSubmit({ request }: HookContext, { id }: Job, before: Job | null): Promise<void> {
  stored.set(request, { id, before })
}

/** Who makes a call, and what it needs to speak to servers. */
interface Call {
  readonly app: FastifyInstance
  readonly db: Live
  readonly person: Person
}

/** Speaks to the server of a job; that it does not answer is noted at its row. @throws the refusal of what went wrong there */
async function at<T>(
  { app, db }: Call,
  row: JobRow,
  work: (there: PowerJob, server: ServerRow) => Promise<T>,
): Promise<T> {
  const [server] = await powerJobServers(db, [row.jobServerId])
  if (!server) throw refuse('row.notFound')
  try {
    return await work(await connect(app, server), server)
  } catch (error) {
    await keepFailure(app, db, server.id, error)
    throw error
  }
}

/** What a person is told of what went wrong at a server. @throws whatever is none of that */
function told(error: unknown): never {
  if (error instanceof UnknownValue) throw refuse('input.invalid', { 说明: `任务服务器：${error.message}` })
  if (error instanceof ServerUnreachable || error instanceof ServerRefusal) throw refusalOf(error)
  throw error
}

/** @throws row.changed, row.wrongState where a job could not be settled */
function checkSettled(outcome: Outcome): void {
  if (outcome === 'conflict')
    throw refuseSaying('row.changed', '任务在任务服务器上也被修改，请在同步状态中选择以哪一方为准')
  if (outcome === 'gone') throw refuseSaying('row.wrongState', '任务在任务服务器上已被删除')
}

/** Takes back what a call has stored and the server has refused: a new job is gone again, a changed one is as it was. */
async function takeBack({ db }: Call, row: JobRow, before: Job | null): Promise<void> {
  if (!before) {
    await removeRows(db, 'job_info').where('id', '=', row.id).where('jobId', 'is', null).execute()
    return
  }
  await db.transaction().execute(async trx => {
    const [now] = await jobsOf(trx, { ids: [row.id] })
    if (!now || digestOf(localValues(now)) !== digestOf(localValues(row))) return
    const values = Object.fromEntries(sharedFields.map(name => [name, before[name]]))
    const lifecycle = before.lifecycle === null ? null : JSON.stringify(before.lifecycle)
    const { syncState, nextTime } = before
    await trx
      .updateTable('job_info')
      .set(eb => ({ ...values, lifecycle, syncState, nextTime, version: eb('version', '+', 1) }))
      .where('id', '=', row.id)
      .execute()
  })
}

/** Brings a job that was just stored to its server. */
async function bring(call: Call, { id, before }: { id: string; before: Job | null }): Promise<void> {
  const [row] = await jobsOf(call.db, { ids: [id] })
  if (!row) return
  try {
    checkSettled(await at(call, row, async there => settle(call.db, there, row, await counterpart(there, row))))
  } catch (error) {
    if (error instanceof ServerUnreachable)
      throw refuseSaying('jobs.serverUnreachable', '任务服务器不可达，修改已保存，状态为未同步')
    if (error instanceof ServerRefusal) await takeBack(call, row, before)
    told(error)
  }
}

/** The same new job of the same person that could not be brought to its server before; sending it again makes no second one. */
async function twinOf({ app, db, person }: Call, body: Readonly<Record<string, unknown>>): Promise<JobRow | undefined> {
  if (body.id || !(await isPowerJob(db, String(body.jobServerId ?? '0').replace(/\D/g, '') || '0'))) return undefined
  const unsent = await jobsOf(db, { serverId: String(body.jobServerId) })
  const digest = digestOf(localValues(withDefaults(JobInfo, { ...body }, app.now())))
  return unsent.find(row => !row.jobId && row.createUser === person.userId && digestOf(localValues(row)) === digest)
}

/** A job at its server, which is created there first where it is not yet. @throws row.wrongState when it was deleted there */
async function there(call: Call, server: PowerJob, given: JobRow): Promise<{ row: JobRow; remote: RemoteJob }> {
  let row = given
  let remote = await counterpart(server, row)
  if (!remote && !row.jobId) {
    await settle(call.db, server, row, null)
    row = (await jobsOf(call.db, { ids: [row.id] }))[0] ?? row
    remote = await counterpart(server, row)
  }
  if (remote) return { row, remote }
  await keepGone(call.db, row.id)
  throw refuseSaying('row.wrongState', '任务在任务服务器上已被删除')
}

/** Switches a job on or off: first at its server, then here. */
async function change(call: Call, given: JobRow, enable: number, make: Make): Promise<unknown> {
  if (given.enable === enable) return make()
  const wasAgreed = await at(call, given, async server => {
    const { row, remote } = await there(call, server, given)
    await server.enable(remote.jobId, enable === JobEnable.enabled)
    return digestOf(remoteValues(remote)) === row.syncHash
  }).catch(told)
  const answer = await make()
  // Otherwise both sides differ in more than this, and the next sync finds out.
  if (wasAgreed)
    await at(call, given, async server => {
      const after = await counterpart(server, (await jobsOf(call.db, { ids: [given.id] }))[0] ?? given)
      if (after) await keepAgreed(call.db, given.id, remoteValues(after), after)
    }).catch(() => undefined)
  return answer
}

/** Deletes jobs: first at their servers, then here. One that cannot be reached keeps all of them. */
async function remove(call: Call, rows: readonly JobRow[], make: Make): Promise<unknown> {
  for (const row of rows)
    await at(call, row, async server => {
      const remote = await counterpart(server, row)
      if (remote) await server.remove(remote.jobId)
    }).catch(told)
  return make()
}

async function submit(call: Call, request: FastifyRequest, make: Make): Promise<unknown> {
  const twin = await twinOf(call, (request.body ?? {}) as Readonly<Record<string, unknown>>)
  if (twin && call.person.permissions.has('job_info_add')) {
    await bring(call, { id: twin.id, before: null })
    return ok()
  }
  const answer = await make()
  const done = stored.get(request)
  if (done) await bring(call, done)
  return answer
}

type Make = () => Promise<unknown>

/** What goes on at PowerJob servers around the calls that change jobs; other jobs are changed as if it were not there. */
export async function aroundJobs(request: FastifyRequest, name: string, make: Make): Promise<unknown> {
  if (!['submit', 'change', 'remove'].includes(name)) return make()
  const { server: app } = request
  const person = callerOf(request)
  const call = { app, person, db: liveAs(app, person) }
  if (name === 'submit') return submit(call, request, make)
  const given = givenOf(request)
  const ids = commaList(given.ids ?? given.id).filter(isId)
  const mine = await changeable(app, person, 'job_info')
    .select('id')
    .where('id', 'in', ids.length > 0 ? ids : ['0'])
    .execute()
  const rows = await jobsOf(call.db, { ids: mine.map(({ id }) => id) })
  const [row] = rows
  if (!row) return make()
  if (name === 'remove') return remove(call, rows, make)
  const enable = Number(given.enable)
  return enable === JobEnable.enabled || enable === JobEnable.paused ? change(call, row, enable, make) : make()
}

/**
 * Begins a run of a job of a PowerJob server at that server; undefined for other jobs.
 * @param params what the run is given; `isConfirmed` that it is to run although the job is switched off
 * @returns the id of the run there
 * @throws row.wrongState while it is switched off, jobs.serverUnreachable, input.invalid with the words of the server
 */
export async function runThere(
  { app, db, person, now }: Pick<ActionContext, 'app' | 'db' | 'person' | 'now'>,
  { id, params, isConfirmed }: { id: string; params: string | null; isConfirmed: boolean },
): Promise<{ instanceId: string } | undefined> {
  const mine = await scoped(app, person, 'job_info').select('id').where('id', '=', id).execute()
  const [given] = await jobsOf(db, { ids: mine.map(row => row.id) })
  if (!given) return undefined
  if (given.enable !== JobEnable.enabled && !isConfirmed) throw refuse('row.wrongState')
  const call = { app, db, person }
  const instanceId = await at(call, given, async server => {
    const { remote } = await there(call, server, given)
    return server.run(remote.jobId, params)
  }).catch(told)
  await liveFor(app, { tenantId: person.tenantId, userId: null, now: () => now })
    .insertInto('job_instance')
    .values({
      jobInfoId: given.id,
      state: JobInstanceStatus.waiting,
      tries: 0,
      planTime: now,
      userId: person.userId,
      params,
      serverId: given.jobServerId,
      instanceId,
    })
    // The runs of the server were fetched in the same moment.
    .onConflict(on => on.columns(['serverId', 'instanceId']).doUpdateSet({ userId: person.userId, params }))
    .execute()
  return { instanceId }
}
