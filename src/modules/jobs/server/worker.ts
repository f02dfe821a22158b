import type { FastifyInstance } from 'fastify'
import { JobInstanceStatus } from '#schemas/dictionaries'
import { type AcrossTrx, liveAcross, withRemoved } from '../../../platform/database/live.ts'
import type { Kind, Leaving, Piece } from '../../../platform/queue/piece.ts'
import { beginRun, type End, endRun, everyRun, type Run, reopenRun, runById, waitAgain } from './instances.ts'
import { AlreadyRunning, perform, type Work } from './perform.ts'

declare module '../../../platform/queue/piece.ts' {
  interface WorkKinds {
    /** A run of a job; its id is the key. */
    'job.run': Record<string, never>
  }
}

/** Kinds of log and levels of a job: nothing at all, and up to which level what went well is noted. */
const [noLog, info, error] = [999, 2, 4]

interface Job extends Work {
  id: string
  logType: number | null
  logLevel: number | null
}

function jobOf(app: FastifyInstance, { jobInfoId }: Pick<Run, 'jobInfoId'>): Promise<Job | undefined> {
  return liveAcross(app, app)
    .selectFrom('job_info as i')
    .innerJoin(withRemoved('job_server as s'), 's.id', 'i.jobServerId')
    .select(['i.id', 'i.jobName', 'i.processorInfo', 'i.jobParams', 'i.extra', 'i.instanceTimeLimit'])
    .select(['i.logType', 'i.logLevel', 's.serverType', 's.jobServerUrl', 's.jobAppName', 's.jobAppPassword'])
    .where('i.id', '=', jobInfoId)
    .executeTakeFirst()
}

/** How a run has ended. */
interface Ended {
  state: End
  result: string
}

/** Notes how a run ended, as far as its job wants notes. */
function note(
  app: FastifyInstance,
  { id, tries }: Pick<Run, 'id' | 'tries'>,
  job: Job,
  { state, result }: Ended,
): void {
  const isBad = state === JobInstanceStatus.failed
  const { jobName, logType, logLevel } = job
  if (logType === noLog || (logLevel ?? info) > (isBad ? error : info)) return
  app.journal.note(isBad ? 'error' : 'info', `job ${jobName}`, { instanceId: id, tries, state, result })
}

/** Ends a run and its piece of work together. @throws LostLease when another has it by now */
async function end(app: FastifyInstance, piece: Piece, run: Run, job: Job | undefined, ended: Ended): Promise<string> {
  const isEnded = await everyRun(app)
    .transaction()
    .execute(async trx => {
      await piece.end(trx, ended.result)
      return endRun(app, trx, run, ended)
    })
  if (isEnded && job) note(app, run, job, ended)
  return ended.result
}

/** Makes one run. @returns in a few words what came of it */
async function carryOut(app: FastifyInstance, piece: Piece<'job.run'>): Promise<string> {
  const run = await everyRun(app)
    .transaction()
    .execute(async trx => {
      await piece.hold(trx)
      return beginRun(app, trx, piece.key ?? '', piece.tries)
    })
  if (!run) return 'over'
  const job = await jobOf(app, run)
  if (!job) return end(app, piece, run, job, { state: JobInstanceStatus.cancelled, result: 'the job is gone' })
  try {
    const result = await perform(app, job, run, piece.signal)
    return await end(app, piece, run, job, { state: JobInstanceStatus.succeeded, result })
  } catch (failure) {
    if (!(failure instanceof AlreadyRunning)) throw failure
    return end(app, piece, run, job, { state: JobInstanceStatus.cancelled, result: failure.message })
  }
}

/** A run that was left without an end waits again, or has failed. */
async function leave(app: FastifyInstance, trx: AcrossTrx, id: string, { how, reason }: Leaving): Promise<void> {
  const result = reason?.slice(0, 500) ?? null
  if (how !== 'failed') return waitAgain(app, trx, id, result)
  const run = await runById(trx, id)
  if (!run) return
  const ended: Ended = { state: JobInstanceStatus.failed, result: result ?? '' }
  if (!(await endRun(app, trx, run, ended))) return
  const job = await jobOf(app, run)
  if (job) note(app, run, job, ended)
}

/** Runs of jobs as work of the queue: what fails is tried again as often as its job says. */
export const runKind = (app: FastifyInstance): Kind<'job.run'> => ({
  kind: 'job.run',
  lane: 'job',
  mostTries: 1,
  forgetsDone: true,
  perform: piece => carryOut(app, piece),
  left: (trx, { key }, leaving) => leave(app, trx, key ?? '', leaving),
  retried: (trx, { key }) => reopenRun(app, trx, key ?? ''),
})
