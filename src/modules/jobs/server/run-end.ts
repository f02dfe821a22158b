import type { FastifyInstance } from 'fastify'
import { JobInstanceStatus, JobLogLevel, JobLogType, JobTimeType } from '#schemas/dictionaries'
import { type AnyTrx, liveAcross, withRemoved } from '../../../platform/database/live.ts'
import { nextTimeOf } from '../rules/job-time.ts'
import { type Alarmed, alarm } from './alarm.ts'
import { everyRun, type Run, runById, timed, waitAgain } from './instances.ts'
import type { Work } from './perform.ts'
import { handOver, holdJobs, holdWorkflow, reopenStep } from './workflow-run.ts'

/** Milliseconds until a run that failed is begun again, times the number of tries. */
const pause = 20_000

/** A job, as far as its runs need it. */
export interface Job extends Work, Alarmed {
  executeType: number
  logType: number | null
  logLevel: number | null
  concurrency: number | null
  designatedWorkers: string | null
  instanceRetryNum: number | null
  taskRetryNum: number | null
  serverType: number
}

/** The job of a run, with its server; undefined for one that has been removed. */
export function jobOf(
  app: FastifyInstance,
  { jobInfoId }: Pick<Run, 'jobInfoId'>,
  on: AnyTrx | FastifyInstance = app,
): Promise<Job | undefined> {
  return liveAcross(on as AnyTrx, app)
    .selectFrom('job_info as i')
    .innerJoin(withRemoved('job_server as s'), 's.id', 'i.jobServerId')
    .select(['i.id', 'i.tenantId', 'i.jobName', 'i.processorInfo', 'i.jobParams', 'i.extra', 'i.executeType'])
    .select(['i.instanceTimeLimit', 'i.instanceRetryNum', 'i.taskRetryNum', 'i.concurrency', 'i.designatedWorkers'])
    .select(['i.notifyUserIds', 'i.alertThreshold', 'i.statisticWindowLen', 'i.silenceWindowLen'])
    .select(['i.logType', 'i.logLevel', 's.serverType', 's.jobServerUrl', 's.jobAppName', 's.jobAppPassword'])
    .where('i.id', '=', jobInfoId)
    .executeTakeFirst()
}

/** Notes that a run that has failed is to be made once more. */
export async function reopenRun(app: FastifyInstance, trx: AnyTrx, id: string): Promise<void> {
  const run = await runById(trx, id)
  if (!run) return
  const held = await holdWorkflow(app, trx, run)
  const reopened = await everyRun(app, trx)
    .updateTable('job_instance')
    .set({ state: JobInstanceStatus.waiting, result: null, endTime: null, updateTime: app.now() })
    .where('id', '=', id)
    .where('state', '=', JobInstanceStatus.failed)
    .executeTakeFirst()
  if (held && reopened.numUpdatedRows > 0n) await reopenStep(app, trx, held, run)
}

/** How a run ends. */
export type End = (typeof JobInstanceStatus)['failed' | 'succeeded' | 'cancelled' | 'stopped']

/**
 * Ends a run, and says so at its job; a fixed delay begins now. Where it is that of a node, the next ones begin in the same transaction.
 * @returns false for one that is over already
 */
export async function endRun(
  app: FastifyInstance,
  trx: AnyTrx,
  run: Pick<Run, 'id' | 'jobInfoId' | 'stepId'>,
  { state, result }: { state: End; result: string },
): Promise<boolean> {
  const now = app.now()
  const held = await holdWorkflow(app, trx, run)
  const ended = await everyRun(app, trx)
    .updateTable('job_instance')
    .set({ state, result: result.slice(0, 500), endTime: now, updateTime: now })
    .where('id', '=', run.id)
    .where('state', 'in', [JobInstanceStatus.waiting, JobInstanceStatus.running])
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) return false
  if (held) await holdJobs(app, trx, held)
  const mine = everyRun(app, trx)
    .selectFrom('job_info')
    .select(['builtin', ...timed])
    .where('id', '=', run.jobInfoId)
  const job = await mine.forNoKeyUpdate().executeTakeFirstOrThrow()
  const nextTime = job.timeExpressionType === JobTimeType.fixedDelay ? { nextTime: nextTimeOf(job, null, now) } : {}
  await everyRun(app, trx)
    .updateTable('job_info')
    .set({ lastStatus: state, ...nextTime })
    .where('id', '=', run.jobInfoId)
    .execute()
  // Work of the server itself is done every few seconds: of the runs that went well the last is kept.
  if (job.builtin && state === JobInstanceStatus.succeeded)
    await everyRun(app, trx)
      .deleteFrom('job_instance')
      .where('jobInfoId', '=', run.jobInfoId)
      .where('state', '=', JobInstanceStatus.succeeded)
      .where('id', '<>', run.id)
      .execute()
  if (held) await handOver(app, trx, held, { ...run, state, result })
  return true
}

/** How a run has ended. */
export interface Ended {
  state: End
  result: string
}

/** Notes how a run ended, as far as its job wants notes. */
function note(
  app: FastifyInstance,
  { id, tries }: Pick<Run, 'id' | 'tries'>,
  job: Pick<Job, 'jobName' | 'logType' | 'logLevel'>,
  { state, result }: Ended,
): void {
  const isBad = state === JobInstanceStatus.failed
  const { jobName, logType, logLevel } = job
  const level = isBad ? JobLogLevel.error : JobLogLevel.info
  if (logType === JobLogType.none || (logLevel ?? JobLogLevel.info) > level) return
  app.journal.note(isBad ? 'error' : 'info', `job ${jobName}`, { instanceId: id, tries, state, result })
}

/** Ends a run for good: at its job, in the notes, and for whoever is told of failures. @returns false for one that is over already */
export async function closeRun(
  app: FastifyInstance,
  trx: AnyTrx,
  run: Run,
  job: Job | undefined,
  ended: Ended,
): Promise<boolean> {
  if (!(await endRun(app, trx, run, ended))) return false
  if (!job) return true
  note(app, run, job, ended)
  if (ended.state === JobInstanceStatus.failed) await alarm(app, trx, job, ended.result)
  return true
}

/** Ends a run that was shared out, or begins it anew when it has failed and its job wants it tried again. */
export async function finishRun(app: FastifyInstance, trx: AnyTrx, run: Run, ended: Ended): Promise<void> {
  const job = await jobOf(app, run, trx)
  const left = (job?.instanceRetryNum ?? 0) + 1 - run.tries
  if (!job || ended.state !== JobInstanceStatus.failed || left <= 0)
    return void (await closeRun(app, trx, run, job, ended))
  await waitAgain(app, trx, run.id, ended.result.slice(0, 500))
  await app.queue.enter(trx, {
    kind: 'job.run',
    key: run.id,
    tenantId: job.tenantId,
    payload: { tried: run.tries },
    runAt: new Date(app.now().getTime() + pause * run.tries),
    maxTries: left,
  })
}
