import type { FastifyInstance } from 'fastify'
import {
  JobDispatch,
  JobEnable,
  JobExecuteType,
  JobLogLevel,
  JobProcessor,
  JobServerType,
  JobTimeType,
} from '#schemas/dictionaries'
import type { JobInfo } from '#schemas/jobs/job-info'
import { wrongInput } from '../../../crud/input.ts'
import { firstTenant } from '../../../platform/database/first-tenant.ts'
import { type Live, liveFor, removeRows, updateUnstamped } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { Reading } from '../../../platform/metrics/meter.ts'
import { boundsOf, type OwnWork } from '../../../platform/queue/jobs.ts'
import { isWithinBounds } from '../rules/bounds.ts'
import { isByClock, timingProblem } from '../rules/job-time.ts'

/** How often work is done where nobody has chosen. */
const usualTiming = ({ seconds }: OwnWork) => ({
  timeExpressionType: JobTimeType.fixedRate,
  timeExpression: String(seconds * 1000),
})

/** A row of the list of jobs for work of the server itself. What goes well is not noted: it would fill the log. */
const rowOf = (own: OwnWork, jobServerId: string, now: Date) => ({
  jobServerId,
  jobName: own.title,
  processorInfo: own.name,
  ...usualTiming(own),
  executeType: JobExecuteType.standalone,
  processorType: JobProcessor.builtIn,
  dispatchStrategy: JobDispatch.healthFirst,
  builtin: 1 as const,
  pausable: own.harmlessToPause ? (1 as const) : (0 as const),
  enable: JobEnable.enabled,
  maxInstanceNum: 1,
  logLevel: JobLogLevel.error,
  nextTime: new Date(now.getTime() + own.seconds * 1000),
})

type Timing = Pick<JobInfo, 'timeExpressionType' | 'timeExpression'>

const isValid = ({ timeExpressionType: type, timeExpression }: Timing): boolean =>
  isByClock(type) && timingProblem(type, timeExpression ?? '') === null

const isAllowed = (timing: Timing, own: OwnWork, now: Date): boolean =>
  isWithinBounds(timing.timeExpressionType, timing.timeExpression ?? '', now, boundsOf(own))

/** Brings the rows of work that is known up to date: its title, whether it may be paused, and a timing that is no more allowed. */
async function keepRows(db: Live, all: readonly OwnWork[], now: Date): Promise<ReadonlySet<string>> {
  const columns = [
    'id',
    'processorInfo',
    'jobName',
    'pausable',
    'enable',
    'timeExpressionType',
    'timeExpression',
  ] as const
  const rows = await db.selectFrom('job_info').select(columns).where('builtin', '=', 1).execute()
  const known = new Map(all.map(own => [own.name, own]))
  for (const row of rows) {
    const own = known.get(row.processorInfo)
    if (!own) continue
    const { jobName, pausable } = rowOf(own, '', now)
    const isRight = isValid(row) && isAllowed(row, own, now)
    const isHeld = row.enable === JobEnable.paused && pausable === 0
    if (row.jobName === jobName && row.pausable === pausable && isRight && !isHeld) continue
    const nextTime = new Date(now.getTime() + own.seconds * 1000)
    await updateUnstamped(db, 'job_info')
      .set({ jobName, pausable })
      .$if(!isRight, query => query.set(usualTiming(own)))
      .$if(isHeld, query => query.set({ enable: JobEnable.enabled }))
      .$if(!isRight || isHeld, query => query.set(eb => ({ nextTime, version: eb('version', '+', 1) })))
      .where('id', '=', row.id)
      .execute()
  }
  const gone = rows.filter(row => !known.has(row.processorInfo)).map(row => row.id)
  if (gone.length > 0) await removeRows(db, 'job_info').where('id', 'in', gone).execute()
  return new Set(rows.map(row => row.processorInfo))
}

/**
 * Makes the server's own recurring work rows of the built-in server of the first tenant, whose administrators run the installation.
 * Of several processes that start together one adds a row.
 */
export async function keepOwnWork(app: FastifyInstance): Promise<void> {
  const now = app.now()
  const all = app.jobs.all()
  const db = liveFor(app, { tenantId: firstTenant, userId: null, now: () => now })
  const known = await keepRows(db, all, now)
  const added = all.filter(own => !known.has(own.name))
  if (added.length === 0) return
  const server = await db
    .selectFrom('job_server')
    .select('id')
    .where('serverType', '=', JobServerType.builtIn)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('job_info')
    .values(added.map(own => rowOf(own, server.id, now)))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Seconds from one time of a work to the next, at most. */
const periodOf = ({ timeExpressionType: type, timeExpression }: Timing, own: OwnWork): number =>
  type === JobTimeType.fixedRate || type === JobTimeType.fixedDelay ? Number(timeExpression) / 1000 : boundsOf(own)[1]

/**
 * How many of its periods ago each work of the server itself began last; more than one or two means that it is not begun, or does
 * not end. Work that is paused is left out.
 */
export async function ownWorkAges(app: FastifyInstance): Promise<readonly Reading<'own_work_age_periods'>[]> {
  const now = app.now()
  const rows = await liveFor(app, { tenantId: firstTenant, userId: null, now: () => now })
    .selectFrom('job_info')
    .select(['processorInfo', 'timeExpressionType', 'timeExpression', 'lastTime', 'createTime'])
    .where('builtin', '=', 1)
    .where('enable', '=', JobEnable.enabled)
    .execute()
  return rows.flatMap(row => {
    const own = app.jobs.get(row.processorInfo)
    if (!own || !isValid(row)) return []
    const age = (now.getTime() - (row.lastTime ?? row.createTime).getTime()) / 1000
    return [{ labels: { work: own.name }, value: age / periodOf(row, own) }]
  })
}

/** What may be changed of a job that is work of the server itself: when it runs, and who is told when it fails. */
const changeable: readonly string[] = [
  'timeExpressionType',
  'timeExpression',
  'enable',
  'notifyUserIds',
  'alertThreshold',
  'statisticWindowLen',
  'silenceWindowLen',
]

/**
 * Refuses what would keep the server's own work from being done.
 * @throws row.builtIn, input.invalid for a timing outside of its bounds
 */
export function checkOwnWork(app: FastifyInstance, given: Partial<JobInfo>, before: JobInfo, now: Date): void {
  const isSame = (name: string) =>
    !(name in given) || String(given[name as never] ?? '') === String(before[name as never] ?? '')
  if (Object.keys(given).some(name => !changeable.includes(name) && !isSame(name))) throw refuse('row.builtIn')
  if (given.enable === JobEnable.paused && before.enable === JobEnable.enabled && !before.pausable)
    throw refuse('row.builtIn')
  const own = app.jobs.get(before.processorInfo)
  const timing = { ...before, ...given }
  if (!own || (isSame('timeExpressionType') && isSame('timeExpression'))) return
  if (!isByClock(timing.timeExpressionType))
    throw wrongInput([{ field: 'timeExpressionType', msg: '系统任务按时间执行' }])
  // What is wrong with the expression itself is said as of every job.
  if (!isValid(timing) || isAllowed(timing, own, now)) return
  const [least, most] = boundsOf(own)
  throw wrongInput([{ field: 'timeExpression', msg: `两次执行的间隔应为 ${least} 到 ${most} 秒` }])
}
