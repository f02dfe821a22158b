import type { FastifyInstance } from 'fastify'
import { type Selectable, sql } from 'kysely'
import { commaList } from '#engine'
import { JobEnable, JobExecuteType, JobInstanceStatus, JobServerType, JobTimeType } from '#schemas/dictionaries'
import type { JobInfo } from '#schemas/jobs/job-info'
import type { Database, Reader } from '../../../platform/database/database.ts'
import { type Across, type AnyTrx, liveAcross, liveFor, raw, updateUnstamped } from '../../../platform/database/live.ts'
import { clockTypes, isNeverAgain, nextTimeOf, type Timed } from '../rules/job-time.ts'
import { nodesFor } from './job-nodes.ts'

/** Jobs that are looked at together. */
const portion = 100

/** One run of a job. */
export type Run = Selectable<Database['job_instance']>

/**
 * Runs of all tenants: each ends when its turn comes, which is said at its job, and is forgotten in time. The raw handle: that
 * goes for runs and jobs that have been removed, too.
 */
export const everyRun = (app: FastifyInstance, on?: AnyTrx): Reader => raw(on ?? app)

/** Fields of a job that say when it runs. */
export const timed = [
  'enable',
  'executeType',
  'processorType',
  'timeExpressionType',
  'timeExpression',
  'lifecycle',
] as const

/** Servers that keep the time of their jobs themselves. */
const keepingTime = (db: Across) =>
  db.selectFrom('job_server').select('id').where('serverType', '=', JobServerType.powerJob)

/** What a job says of how its runs are entered. */
type EnteredJob = Pick<
  JobInfo,
  'id' | 'tenantId' | 'executeType' | 'instanceRetryNum' | 'designatedWorkers' | 'maxInstanceNum'
> & {
  /** How many of its runs are under way. */
  open: number
}

/** A run that is to be entered. */
interface NewRun {
  job: EnteredJob
  now: Date
  /** When the clock has planned it; none for one that somebody has asked for. */
  scheduledTime?: Date | null
  /** Who has asked for it. */
  userId?: string
  params?: string | null
  /** The node of a workflow that has it. */
  stepId?: string
}

/** The process that is to make a run, where its job names some: one of those that are alive. */
async function nodeFor(app: FastifyInstance, job: EnteredJob): Promise<string | undefined> {
  if (job.executeType !== JobExecuteType.standalone || !job.designatedWorkers) return undefined
  const nodes = await nodesFor(app, job)
  return nodes[Math.floor(Math.random() * nodes.length)] ?? commaList(job.designatedWorkers)[0]
}

/**
 * Enters a run of a job: in the list that people see, and in the queue; it may begin at once. Where as many as the job may have
 * are under way, it is entered as one that was called off.
 * @returns its id; null for a time that has a run already
 */
export async function enterRun(
  app: FastifyInstance,
  on: AnyTrx,
  { job, now, scheduledTime, userId, params, stepId }: NewRun,
): Promise<string | null> {
  const isOver = Boolean(job.maxInstanceNum) && job.open >= (job.maxInstanceNum ?? 0)
  const over = {
    state: JobInstanceStatus.cancelled,
    endTime: now,
    result: `too many instances(${job.open + 1}>${job.maxInstanceNum})`,
  }
  // A run is the program's, whoever has asked for it.
  const run = await liveFor(on, { tenantId: job.tenantId, userId: null, now: () => now })
    .insertInto('job_instance')
    .values({
      jobInfoId: job.id,
      state: JobInstanceStatus.waiting,
      tries: 0,
      planTime: scheduledTime ?? now,
      scheduledTime: scheduledTime ?? null,
      ...(isOver && over),
      userId: userId ?? null,
      params: params ?? null,
      stepId: stepId ?? null,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!run || isOver) return run?.id ?? null
  const maxTries = (job.instanceRetryNum ?? 0) + 1
  const forNode = await nodeFor(app, job)
  const { tenantId } = job
  await app.queue.enter(on, {
    kind: 'job.run',
    key: run.id,
    tenantId,
    payload: {},
    maxTries,
    ...(forNode && { forNode }),
  })
  return run.id
}

/** Sets when jobs run next, by their ids. */
export async function planJobs(db: Across, ids: readonly string[], times: readonly (Date | null)[]): Promise<void> {
  const planned = sql<{ id: string; next: Date | null }>`unnest(${ids}::bigint[], ${times}::timestamptz[])`
  await updateUnstamped(db, 'job_info')
    .from(planned.as<'n'>(sql`n (id, next)`))
    .set(eb => ({ nextTime: eb.ref('n.next') }))
    .whereRef('job_info.id', '=', 'n.id')
    .execute()
}

/**
 * Enters a run of every job whose time has come, and plans its next time; a fixed delay begins when the run has ended. Of
 * any number of processes one does it: rows that another is at are skipped.
 * @returns how many runs
 */
export async function enterDue(app: FastifyInstance): Promise<number> {
  const now = app.now()
  const db = liveAcross(app, { now: () => now })
  return db.transaction().execute(async trx => {
    const due = await trx
      .selectFrom('job_info')
      .select([
        'id',
        'tenantId',
        'nextTime',
        'maxInstanceNum',
        'instanceRetryNum',
        'designatedWorkers',
        'builtin',
        ...timed,
      ])
      .select(eb =>
        eb
          .selectFrom('job_instance')
          .whereRef('jobInfoId', '=', 'job_info.id')
          .where('state', 'in', [JobInstanceStatus.waiting, JobInstanceStatus.running])
          .select(count => count.fn.countAll<string>().as('n'))
          .as('open'),
      )
      .where('enable', '=', 1)
      .where('nextTime', '<=', now)
      .where('jobServerId', 'not in', keepingTime(trx))
      .orderBy('nextTime')
      .limit(portion)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    if (due.length === 0) return 0
    const next = due.map(job =>
      job.timeExpressionType === JobTimeType.fixedDelay ? null : nextTimeOf(job, job.nextTime, now),
    )
    await planJobs(
      trx,
      due.map(job => job.id),
      next,
    )
    // Work of the server itself that is still being done: this time is left out.
    const meant = due.filter(job => !job.builtin || Number(job.open) === 0)
    for (const job of meant)
      await enterRun(app, trx, { job: { ...job, open: Number(job.open) }, now, scheduledTime: job.nextTime })
    return meant.length
  })
}

/** When the next job is due; null where none goes by the clock. */
export async function nextDue(app: FastifyInstance): Promise<Date | null> {
  const db = liveAcross(app, app)
  const next = db
    .selectFrom('job_info')
    .select(eb => eb.fn.min('nextTime').as('time'))
    .where('enable', '=', JobEnable.enabled)
    .where('jobServerId', 'not in', keepingTime(db))
  return (await next.executeTakeFirst())?.time ?? null
}

/** True for a job that never had a time at all, as its expression is written. */
const isImpossible = (job: Timed & { createTime: Date }): boolean =>
  isNeverAgain({ ...job, lifecycle: null }, job.createTime)

/**
 * Plans the jobs that have no time yet although they run by the clock, such as those from before there was a clock. One whose
 * expression names no time at all, from before that was refused, is paused: it never ran.
 */
export async function planUnplanned(app: FastifyInstance): Promise<void> {
  const db = liveAcross(app, app)
  await db.transaction().execute(async trx => {
    const open = await trx
      .selectFrom('job_info')
      .select(['id', 'createTime', ...timed])
      .where('enable', '=', JobEnable.enabled)
      .where('nextTime', 'is', null)
      .where('timeExpressionType', 'in', clockTypes)
      .where('jobServerId', 'not in', keepingTime(trx))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('job_instance')
              .select('id')
              .whereRef('jobInfoId', '=', 'job_info.id')
              .where('state', 'in', [JobInstanceStatus.waiting, JobInstanceStatus.running]),
          ),
        ),
      )
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    const now = app.now()
    const times = open.map(job => nextTimeOf(job, null, now))
    await planJobs(
      trx,
      open.map(job => job.id),
      times,
    )
    const impossible = open.filter(isImpossible).map(job => job.id)
    if (impossible.length > 0)
      await updateUnstamped(trx, 'job_info')
        .set(eb => ({ enable: JobEnable.paused, version: eb('version', '+', 1) }))
        .where('id', 'in', impossible)
        .execute()
  })
}

/** Notes that a run has begun, and says so at its job. @returns the run; undefined for one that is over already */
export async function beginRun(app: FastifyInstance, trx: AnyTrx, id: string, tries: number): Promise<Run | undefined> {
  const now = app.now()
  const run = await raw(trx)
    .updateTable('job_instance')
    .set(eb => ({
      state: JobInstanceStatus.running,
      tries,
      startTime: eb.fn.coalesce('startTime', eb.val(now)),
      updateTime: now,
    }))
    .where('id', '=', id)
    .where('state', 'in', [JobInstanceStatus.waiting, JobInstanceStatus.running])
    .returningAll()
    .executeTakeFirst()
  if (run)
    await raw(trx)
      .updateTable('job_info')
      .set({ lastStatus: JobInstanceStatus.running, lastTime: now })
      .where('id', '=', run.jobInfoId)
      .execute()
  return run
}

/** A run, whatever has become of it. */
export const runById = (trx: AnyTrx, id: string): Promise<Run | undefined> =>
  raw(trx).selectFrom('job_instance').selectAll().where('id', '=', id).executeTakeFirst()

/** Runs that wait or are under way, locked until the transaction ends. */
export const lockRuns = (trx: AnyTrx, ids: readonly string[]): Promise<Run[]> =>
  raw(trx)
    .selectFrom('job_instance')
    .selectAll()
    .where('id', 'in', ids.length > 0 ? [...ids] : ['0'])
    .where('state', 'in', [JobInstanceStatus.waiting, JobInstanceStatus.running])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** A run that is under way, locked until the transaction ends. */
export const lockRun = (trx: AnyTrx, id: string): Promise<Run | undefined> =>
  raw(trx)
    .selectFrom('job_instance')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', JobInstanceStatus.running)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Notes that a run waits again; what went wrong stands at it meanwhile. */
export async function waitAgain(app: FastifyInstance, trx: AnyTrx, id: string, result: string | null): Promise<void> {
  await raw(trx)
    .updateTable('job_instance')
    .set({ state: JobInstanceStatus.waiting, updateTime: app.now(), ...(result !== null && { result }) })
    .where('id', '=', id)
    .where('state', '=', JobInstanceStatus.running)
    .execute()
}
