import type { FastifyInstance } from 'fastify'
import { type Selectable, sql } from 'kysely'
import { JobInstanceStatus, JobTimeType } from '#schemas/dictionaries'
import type { Database } from '../../../platform/database/database.ts'
import { nextTimeOf } from '../rules/job-time.ts'

// Workers do the runs of all tenants, whatever has become of their jobs: they use the raw handle.

/** Milliseconds for which a worker has a run; it asks for more long before they are over. */
export const lease = 60_000
/** Milliseconds until a run that failed is begun again, times the number of tries. */
const pause = 20_000
/** Jobs that are looked at together. */
const portion = 100

/** One run of a job. */
export type Run = Selectable<Database['job_instance']>

const later = ({ now }: FastifyInstance, milliseconds: number): Date => new Date(now().getTime() + milliseconds)

/** Fields of a job that say when it runs. */
const timed = ['enable', 'executeType', 'processorType', 'timeExpressionType', 'timeExpression', 'lifecycle'] as const

/** A run of a job, to be entered: it may begin at once. */
export const newRun = ({ id, tenantId }: { id: string; tenantId: string }, now: Date) => ({
  jobInfoId: id,
  tenantId,
  state: JobInstanceStatus.waiting,
  tries: 0,
  planTime: now,
  createTime: now,
  updateTime: now,
})

/** Sets when jobs run next, by their ids. */
export async function planJobs(db: FastifyInstance['db'], ids: readonly string[], times: readonly (Date | null)[]) {
  await sql`UPDATE job_info SET "nextTime" = n.next FROM unnest(${ids}::bigint[], ${times}::timestamptz[]) AS n (id, next)
    WHERE job_info.id = n.id`.execute(db)
}

/**
 * Enters a run of every job whose time has come, and plans its next time; a fixed delay begins when the run has ended. Of
 * any number of processes one does it: rows that another is at are skipped.
 */
export async function enterDue({ db, now: clock }: FastifyInstance): Promise<void> {
  const now = clock()
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
      .where('isDeleted', '=', 0)
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
    const runs = free.map(job => newRun(job, now))
    await trx.insertInto('job_instance').values(runs).execute()
  })
}

/** Plans the jobs that have no time yet although they run by the clock, such as those from before there was a clock. */
export async function planUnplanned({ db, now: clock }: FastifyInstance): Promise<void> {
  await db.transaction().execute(async trx => {
    const open = await trx
      .selectFrom('job_info')
      .select(['id', ...timed])
      .where('isDeleted', '=', 0)
      .where('enable', '=', 1)
      .where('nextTime', 'is', null)
      .where('timeExpressionType', 'in', [JobTimeType.cron, JobTimeType.fixedRate, JobTimeType.fixedDelay])
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
    const now = clock()
    const times = open.map(job => nextTimeOf(job, null, now))
    await planJobs(
      trx,
      open.map(job => job.id),
      times,
    )
  })
}

/** Takes runs that nobody has or is to have later, or whose worker has not been heard of; those that others are just taking are skipped. */
export async function claimRuns(app: FastifyInstance, most: number, worker: string): Promise<Run[]> {
  const now = app.now()
  return app.db.transaction().execute(async trx => {
    const { rows } = await sql<Run>`
      UPDATE job_instance j SET state = ${JobInstanceStatus.running}, "leaseBy" = ${worker}, "leaseUntil" = ${later(app, lease)},
        tries = j.tries + 1, "startTime" = coalesce(j."startTime", ${now}), "updateTime" = ${now}
      FROM (SELECT id FROM job_instance
        WHERE (state = ${JobInstanceStatus.waiting} AND "planTime" <= ${now} AND coalesce("leaseUntil", "planTime") <= ${now})
          OR (state = ${JobInstanceStatus.running} AND "leaseUntil" <= ${now})
        ORDER BY "planTime", id LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED) next
      WHERE j.id = next.id RETURNING j.*`.execute(trx)
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
  await app.db
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
  await app.db
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
  return app.db.transaction().execute(async trx => {
    const ended = await trx
      .updateTable('job_instance')
      .set({ state, result: result.slice(0, 500), endTime: now, leaseBy: null, leaseUntil: null, updateTime: now })
      .where('id', '=', run.id)
      .where('leaseBy', '=', run.leaseBy)
      .executeTakeFirst()
    if (ended.numUpdatedRows === 0n) return false
    const mine = trx
      .selectFrom('job_info')
      .select([...timed])
      .where('id', '=', run.jobInfoId)
    const job = await mine.forNoKeyUpdate().executeTakeFirstOrThrow()
    const nextTime = job.timeExpressionType === JobTimeType.fixedDelay ? { nextTime: nextTimeOf(job, null, now) } : {}
    await trx
      .updateTable('job_info')
      .set({ lastStatus: state, ...nextTime })
      .where('id', '=', run.jobInfoId)
      .execute()
    return true
  })
}
