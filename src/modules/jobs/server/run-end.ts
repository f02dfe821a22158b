import type { FastifyInstance } from 'fastify'
import { JobInstanceStatus, JobLogLevel, JobLogType } from '#schemas/dictionaries'
import { type AnyTrx, liveAcross, withRemoved } from '../../../platform/database/live.ts'
import { type Alarmed, alarm } from './alarm.ts'
import { type End, endRun, type Run, waitAgain } from './instances.ts'
import type { Work } from './perform.ts'

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
