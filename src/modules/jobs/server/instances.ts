import type { FastifyInstance } from 'fastify'
import { type Selectable, sql } from 'kysely'
import { JobEnable, JobInstanceStatus, JobTimeType } from '#schemas/dictionaries'
import type { Database, Reader } from '../../../platform/database/database.ts'
import { type Across, liveAcross, raw, updateUnstamped } from '../../../platform/database/live.ts'
import { clockTypes, isNeverAgain, nextTimeOf, type Timed } from '../rules/job-time.ts'

/** Milliseconds for which a worker has a run; it asks for more long before they are over. */
export const lease = 60_000
/** Milliseconds until a run that failed is begun again, times the number of tries. */
const pause = 20_000
/** Jobs that are looked at together. */
const portion = 100

/** One run of a job. */
export type Run = Selectable<Database['job_instance']>

/**
 * Runs of all tenants: each ends when its turn comes, which is said at its job, and is forgotten in time. The raw handle: that
 * goes for runs and jobs that have been removed, too.
 */
export const everyRun = (app: FastifyInstance): Reader => raw(app)

const later = ({ now }: FastifyInstance, milliseconds: number): Date => new Date(now().getTime() + milliseconds)

/** Fields of a job that say when it runs. */
const timed = ['enable', 'executeType', 'processorType', 'timeExpressionType', 'timeExpression', 'lifecycle'] as const

/** A run of a job, to be entered: it may begin at once. */
export const newRun = (jobInfoId: string, now: Date) => ({
  jobInfoId,
  state: JobInstanceStatus.waiting,
  tries: 0,
  planTime: now,
})

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
 */
export async function enterDue(app: FastifyInstance): Promise<void> {
  const now = app.now()
  const db = liveAcross(app, { now: () => now })
  await db.transaction().execute(async trx => {
    const due = await trx
      .selectFrom('job_info')
      .select(['id', 'tenantId', 'nextTime', 'maxInstanceNum', ...timed])
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
      .orderBy('nextTime')
      .limit(portion)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    if (due.length === 0) return
    const next = due.map(job =>
      job.timeExpressionType === JobTimeType.fixedDelay ? null : nextTimeOf(job, job.nextTime, now),
    )
    await planJobs(
      trx,
      due.map(job => job.id),
      next,
    )
    // As many as it may have are under way: this time is left out.
    const free = due.filter(job => !job.maxInstanceNum || Number(job.open) < job.maxInstanceNum)
    if (free.length === 0) return
    const runs = free.map(job => ({ ...newRun(job.id, now), tenantId: job.tenantId }))
    await trx.insertInto('job_instance').values(runs).execute()
  })
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
      await updateUnstamped(trx, 'job_info').set({ enable: JobEnable.paused }).where('id', 'in', impossible).execute()
  })
}

/**
 * Takes runs that nobody has or is to have later, or whose worker no longer answers; those that others are just taking are
 * skipped.
 */
export async function claimRuns(app: FastifyInstance, most: number, worker: string): Promise<Run[]> {
  const now = app.now()
  return everyRun(app)
    .transaction()
    .execute(async trx => {
      const next = trx
        .selectFrom('job_instance')
        .select('id')
        .where(eb =>
          eb.or([
            eb.and([
              eb('state', '=', JobInstanceStatus.waiting),
              eb('planTime', '<=', now),
              eb(eb.fn.coalesce('leaseUntil', 'planTime'), '<=', now),
            ]),
            eb.and([eb('state', '=', JobInstanceStatus.running), eb('leaseUntil', '<=', now)]),
          ]),
        )
        .orderBy('planTime')
        .orderBy('id')
        .limit(most)
        .forNoKeyUpdate()
        .skipLocked()
      const rows = await trx
        .updateTable('job_instance as j')
        .from(next.as('next'))
        .set(eb => ({
          state: JobInstanceStatus.running,
          leaseBy: worker,
          leaseUntil: later(app, lease),
          tries: eb('j.tries', '+', 1),
          startTime: eb.fn.coalesce('j.startTime', eb.val(now)),
          updateTime: now,
        }))
        .whereRef('j.id', '=', 'next.id')
        .returningAll('j')
        .execute()
      if (rows.length > 0)
        await trx
          .updateTable('job_info')
          .set({ lastStatus: JobInstanceStatus.running, lastTime: now })
          .where('id', 'in', [...new Set(rows.map(row => row.jobInfoId))])
          .execute()
      return rows
    })
}

/** Keeps a run for longer. */
export async function renewRun(app: FastifyInstance, { id, leaseBy }: Run): Promise<void> {
  const leaseUntil = later(app, lease)
  await everyRun(app)
    .updateTable('job_instance')
    .set({ leaseUntil })
    .where('id', '=', id)
    .where('leaseBy', '=', leaseBy)
    .execute()
}

/** Gives a run back, to be begun again: at once and as if never begun when the server ends, else after a while. */
export async function giveBack(
  app: FastifyInstance,
  { id, leaseBy, tries }: Run,
  failure: string | null,
): Promise<void> {
  const again = { leaseUntil: later(app, pause * tries), result: failure }
  const back = failure === null ? { leaseUntil: null, tries: tries - 1 } : again
  await everyRun(app)
    .updateTable('job_instance')
    .set({ ...back, state: JobInstanceStatus.waiting, leaseBy: null, updateTime: app.now() })
    .where('id', '=', id)
    .where('leaseBy', '=', leaseBy)
    .execute()
}

/** How a run ends. */
export type End = (typeof JobInstanceStatus)['failed' | 'succeeded' | 'cancelled']

/** Ends a run, and says so at its job; a fixed delay begins now. @returns false when somebody else has the run by now */
export async function endRun(app: FastifyInstance, run: Run, state: End, result: string): Promise<boolean> {
  const now = app.now()
  return everyRun(app)
    .transaction()
    .execute(async trx => {
      const ended = await trx
        .updateTable('job_instance')
        .set({ state, result: result.slice(0, 500), endTime: now, leaseBy: null, leaseUntil: null, updateTime: now })
        .where('id', '=', run.id)
        .where('leaseBy', '=', run.leaseBy)
        .executeTakeFirst()
      if (ended.numUpdatedRows === 0n) return false
      const mine = trx
        .selectFrom('job_info')
        .select(['builtin', ...timed])
        .where('id', '=', run.jobInfoId)
      const job = await mine.forNoKeyUpdate().executeTakeFirstOrThrow()
      const nextTime = job.timeExpressionType === JobTimeType.fixedDelay ? { nextTime: nextTimeOf(job, null, now) } : {}
      await trx
        .updateTable('job_info')
        .set({ lastStatus: state, ...nextTime })
        .where('id', '=', run.jobInfoId)
        .execute()
      // Work of the server itself is done every few seconds: of the runs that went well the last is kept.
      if (job.builtin && state === JobInstanceStatus.succeeded)
        await trx
          .deleteFrom('job_instance')
          .where('jobInfoId', '=', run.jobInfoId)
          .where('state', '=', JobInstanceStatus.succeeded)
          .where('id', '<>', run.id)
          .execute()
      return true
    })
}
