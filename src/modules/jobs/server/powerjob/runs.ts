import type { FastifyInstance, FastifyRequest } from 'fastify'
import { JobInstanceStatus, JobServerType } from '#schemas/dictionaries'
import { isId } from '../../../../crud/input.ts'
import { type Live, liveAcross, liveFor, updateUnstamped } from '../../../../platform/database/live.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { eachAlone } from '../../../../platform/queue/each-alone.ts'
import type { PowerJob, RemoteRun } from './client.ts'
import { instantOf, runStateOf, UnknownValue } from './codecs.ts'
import { connect, keepFailure, powerJobServers, type ServerRow } from './connections.ts'
import { ServerRefusal, ServerUnreachable } from './errors.ts'
import { idOf } from './read-answer.ts'

/** Runs that are asked for one by one at a time: those that are under way, the longest first. */
const most = 50
/** Milliseconds by which the clocks of a server and of this program may differ. */
const overlap = 300_000
/** Milliseconds of runs that are fetched from a server for the first time. */
const first = 86_400_000
const open = [JobInstanceStatus.waiting, JobInstanceStatus.dispatched, JobInstanceStatus.running]

/** The next time that is after all others. */
const later = (one: Date | null, other: Date): Date => (one && one > other ? one : other)

/** What is known of a run at its server, as a row here. @throws UnknownValue */
function rowOf(run: RemoteRun) {
  const state = runStateOf(run.status)
  const planTime = instantOf(run.expectedTriggerTime) ?? instantOf(run.gmtCreate) ?? new Date(0)
  return {
    state,
    planTime,
    startTime: instantOf(run.actualTriggerTime),
    endTime: (open as readonly number[]).includes(state)
      ? null
      : (instantOf(run.finishedTime) ?? instantOf(run.gmtModified)),
    tries: Number(run.runningTimes ?? 0),
    params: typeof run.instanceParams === 'string' && run.instanceParams !== '' ? run.instanceParams : null,
    result: typeof run.result === 'string' && run.result !== '' ? run.result.slice(0, 500) : null,
  }
}

/** Keeps a run of a job, whether it was begun here or there, and at the job what became of its last one. */
async function keepRun(db: Live, serverId: string, jobInfoId: string, run: RemoteRun): Promise<void> {
  const row = rowOf(run)
  const instanceId = idOf(run.instanceId)
  const { planTime: _planned, params: _params, ...known } = row
  await db.transaction().execute(async trx => {
    await trx
      .insertInto('job_instance')
      .values({ ...row, jobInfoId, serverId, instanceId })
      .onConflict(on => on.columns(['serverId', 'instanceId']).doUpdateSet(known))
      .execute()
    const lastTime = row.startTime ?? row.planTime
    await updateUnstamped(trx, 'job_info')
      .set({ lastStatus: row.state, lastTime })
      .where('id', '=', jobInfoId)
      .where(eb => eb.or([eb('lastTime', 'is', null), eb('lastTime', '<=', lastTime)]))
      .execute()
  })
}

/** Asks for the runs that are under way. One that the server knows no more has failed. */
async function fetchOpen(app: FastifyInstance, db: Live, there: PowerJob, serverId: string): Promise<void> {
  const rows = await db
    .selectFrom('job_instance')
    .select(['id', 'jobInfoId', 'instanceId'])
    .where('serverId', '=', serverId)
    .where('state', 'in', open)
    .orderBy('id')
    .limit(most)
    .execute()
  for (const { id, jobInfoId, instanceId } of rows) {
    const run = await there.instance(instanceId ?? '0')
    if (run) await keepRun(db, serverId, jobInfoId, run)
    else
      await db
        .updateTable('job_instance')
        .set({ state: JobInstanceStatus.failed, result: '任务服务器上已没有该运行记录', endTime: app.now() })
        .where('id', '=', id)
        .execute()
  }
}

/** Fetches the runs that have changed, whoever began them, page by page. */
async function fetchChanged(db: Live, there: PowerJob, serverId: string, since: Date): Promise<Date> {
  const jobs = await db.selectFrom('job_info').select(['id', 'jobId']).where('jobServerId', '=', serverId).execute()
  const ids = new Map(jobs.map(job => [job.jobId, job.id]))
  let until = since
  for (let page = 0; ; page++) {
    const { runs, isLast } = await there.instances(since, page)
    for (const run of runs) {
      until = later(instantOf(run.gmtModified), until)
      const jobInfoId = ids.get(String(run.jobId))
      if (jobInfoId) await keepRun(db, serverId, jobInfoId, run)
    }
    if (isLast || runs.length === 0) return until
  }
}

/** Fetches what became of the runs of a server's jobs. @throws ServerUnreachable, ServerRefusal */
async function fetchRuns(
  app: FastifyInstance,
  db: Live,
  server: ServerRow & { runsUntil: Date | null },
): Promise<void> {
  const there = await connect(app, server)
  await fetchOpen(app, db, there, server.id)
  if ((await there.generation()) === 4) return
  const since = new Date((server.runsUntil ?? new Date(app.now().getTime() - first)).getTime() - overlap)
  const until = await fetchChanged(db, there, server.id, since)
  await updateUnstamped(db, 'job_server')
    .set({ runsUntil: later(server.runsUntil, until) })
    .where('id', '=', server.id)
    .execute()
}

/** Fetches the runs of PowerJob servers of a tenant; one that does not answer keeps nobody from the others. */
async function fetchRunsOf(app: FastifyInstance, tenantId: string, ids: readonly string[]): Promise<void> {
  const db = liveFor(app, { tenantId, userId: null, now: () => app.now() })
  const times = await db
    .selectFrom('job_server')
    .select(['id', 'runsUntil'])
    .where('id', 'in', [...ids])
    .execute()
  const runsUntil = new Map(times.map(row => [row.id, row.runsUntil]))
  for (const server of await powerJobServers(db, ids)) {
    try {
      await fetchRuns(app, db, { ...server, runsUntil: runsUntil.get(server.id) ?? null })
    } catch (error) {
      if (!(error instanceof ServerUnreachable || error instanceof ServerRefusal || error instanceof UnknownValue))
        throw error
      await keepFailure(app, db, server.id, error)
    }
  }
}

/** Fetches the runs of all PowerJob servers of all tenants. @returns of how many servers */
export async function fetchAllRuns(app: FastifyInstance): Promise<number> {
  const servers = await liveAcross(app, app)
    .selectFrom('job_server')
    .select(['id', 'tenantId'])
    .where('serverType', '=', JobServerType.powerJob)
    .execute()
  const tenants = [...new Set(servers.map(server => server.tenantId))].map(tenantId => ({ tenantId }))
  return eachAlone(app, tenants, async ({ tenantId }) => {
    const own = servers.filter(server => server.tenantId === tenantId)
    await fetchRunsOf(
      app,
      tenantId,
      own.map(({ id }) => id),
    )
    return own.length
  })
}

/** Fetches the runs of the server of a job, for somebody who is about to look at them. */
async function fetchRunsOfJob(app: FastifyInstance, tenantId: string, jobInfoId: string): Promise<void> {
  const db = liveFor(app, { tenantId, userId: null, now: () => app.now() })
  const job = await db.selectFrom('job_info').select('jobServerId').where('id', '=', jobInfoId).executeTakeFirst()
  if (job) await fetchRunsOf(app, tenantId, [job.jobServerId])
}

/** The runs of one job are fetched from its server before they are listed. */
export async function aroundRuns(
  request: FastifyRequest,
  call: string,
  make: () => Promise<unknown>,
): Promise<unknown> {
  const { jobInfoId, current } = request.query as { jobInfoId?: string; current?: string }
  const isFirst = (call === 'page' || call === 'list') && (current === undefined || current === '1')
  if (isFirst && jobInfoId !== undefined && isId(jobInfoId))
    await fetchRunsOfJob(request.server, person(request).tenantId, jobInfoId)
  return make()
}
