import { sql } from 'kysely'
import type { Row } from '#engine'
import type { jobInfo } from '#resources/jobs/job-info'
import type { jobInstance } from '#resources/jobs/job-instance'
import { JobServerType, JobTrigger } from '#schemas/dictionaries'
import { JobInfo } from '#schemas/jobs/job-info'
import { isInstant, wrongInput } from '../../../crud/input.ts'
import type { Derive, Hooks } from '../../../crud/rules.ts'
import type { Live } from '../../../platform/database/live.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { readTime } from '../../../platform/http/server/wire.ts'
import { isByClock, isNeverAgain, nextTimeOf, type Timed, timingProblem } from '../rules/job-time.ts'
import { timingWords } from '../rules/timing-words.ts'
import { checkServerKind } from './job-checks.ts'
import { checkOwnWork } from './own-work.ts'
import { aroundJobs, checkedJob, noteSubmit } from './powerjob/calls.ts'
import { checkNoNode } from './workflow-hooks.ts'

type Job = Partial<Row<typeof JobInfo>>

const wrong = (field: string, msg: string) => wrongInput([{ field, msg }])

/** The expression as it is kept: none where the kind of timing has none. */
function expressionOf({ timeExpressionType, timeExpression }: Job): string | null {
  // What is not said becomes the column's default.
  const type = Number(timeExpressionType ?? JobInfo.properties.timeExpressionType.default)
  const text = (timeExpression ?? '').trim()
  return text === '' || !isByClock(type) ? null : text
}

/** From when until when a job is in force: two times, the second after the first. */
function checkLifecycle(lifecycle: unknown): void {
  if (lifecycle === undefined || lifecycle === null || lifecycle === '') return
  const [from, to, ...more] = Array.isArray(lifecycle) ? (lifecycle as unknown[]) : [lifecycle]
  const isSpan = more.length === 0 && [from, to].every(one => typeof one === 'string' && isInstant(one))
  if (!isSpan) throw wrong('lifecycle', '生命周期应为开始和结束时间')
  if (String(from) >= String(to)) throw wrong('lifecycle', '生命周期的结束时间应晚于开始时间')
}

/** A new timing has to be one that comes again while the job is in force. */
function checkTiming(timed: Timed, now: Date): void {
  const { timeExpressionType: type, timeExpression: expression, lifecycle } = timed
  const end = Array.isArray(lifecycle) ? readTime(String(lifecycle[1])) : null
  if (end && end <= now) throw wrong('lifecycle', '生命周期的结束时间应晚于现在')
  if (expression === null) return
  const problem = timingProblem(type, expression)
  if (problem) throw wrong('timeExpression', problem)
  if (isNeverAgain(timed, now)) throw wrong('timeExpression', '时间表达式没有下一次')
}

/** What says when a job runs; what is not said becomes the column's default. */
function timedOf(row: Job): Timed {
  const { enable, executeType, processorType, timeExpressionType } = JobInfo.properties
  return {
    enable: Number(row.enable ?? enable.default),
    executeType: Number(row.executeType ?? executeType.default),
    processorType: Number(row.processorType ?? processorType.default),
    timeExpressionType: Number(row.timeExpressionType ?? timeExpressionType.default),
    timeExpression: expressionOf(row),
    lifecycle: row.lifecycle,
  }
}

/** Of which kind the server of a job is. */
async function serverTypeOf(db: Live, { jobServerId = '' }: Job): Promise<number | undefined> {
  const server = db.selectFrom('job_server').select('serverType').where('id', '=', jobServerId)
  return (await server.executeTakeFirst())?.serverType
}

/** Rules of jobs beyond their fields. A new time is planned only where the timing has changed. */
export const jobInfoHooks: Hooks<typeof JobInfo> = {
  async beforeSubmit({ app, now, db, set }, given, before) {
    const row = { ...before, ...given }
    if (before && given.jobServerId !== undefined && given.jobServerId !== before.jobServerId)
      throw wrong('jobServerId', '任务应用不能修改')
    const serverType = await serverTypeOf(db, row)
    if (before?.builtin) checkOwnWork(app, given, before, now)
    else await checkServerKind(app, serverType, row, before ? given : row)
    checkLifecycle(row.lifecycle)
    const timed = timedOf(row)
    const isSame = before !== null && JSON.stringify(timedOf(before)) === JSON.stringify(timed)
    set({ timeExpression: timed.timeExpression })
    if (serverType === JobServerType.powerJob) return set(checkedJob({ ...row, ...timed }, before, !isSame, now))
    if (isSame) return
    checkTiming(timed, now)
    set({ nextTime: nextTimeOf(timed, null, now) })
  },
  afterSubmit: noteSubmit,
  beforeRemove: ({ db }, rows) =>
    checkNoNode(
      db,
      rows.map(row => row.id),
    ),
  around: aroundJobs,
}

/** When jobs run, in words. */
export const deriveTiming: Derive<typeof jobInfo> = async (_ctx, rows) =>
  rows.map(({ timeExpressionType, timeExpression }) => ({
    timing: timingWords(Number(timeExpressionType), timeExpression === '' ? null : String(timeExpression ?? '')),
  }))

/** What runs were begun by, and how many seconds those took that have ended. */
export const deriveRun: Derive<typeof jobInstance> = async ({ app, person }, rows) => {
  const ids = rows.map(row => row.id)
  if (ids.length === 0) return []
  const took = sql<string>`trim_scale(round(extract(epoch FROM "endTime" - "startTime"), 2))::text`
  const query = liveAs(app, person)
    .selectFrom('job_instance')
    .select(['id', 'stepId', took.as('seconds')])
    .where('id', 'in', ids)
  const known = new Map((await query.execute()).map(row => [row.id, row]))
  return rows.map(({ id, userId }) => {
    const { stepId, seconds } = known.get(id) ?? {}
    const byPerson = userId ? JobTrigger.manual : JobTrigger.schedule
    return { trigger: stepId ? JobTrigger.workflow : byPerson, seconds: seconds ?? '' }
  })
}
