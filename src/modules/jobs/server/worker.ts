import type { FastifyInstance } from 'fastify'
import { JobExecuteType, JobInstanceStatus, JobServerType } from '#schemas/dictionaries'
import type { AcrossTrx } from '../../../platform/database/live.ts'
import type { Kind, Leaving, Piece } from '../../../platform/queue/piece.ts'
import { beginRun, everyRun, type Run, runById, waitAgain } from './instances.ts'
import { within } from './limited.ts'
import { perform } from './perform.ts'
import { AlreadyRunning } from './processors.ts'
import { closeRun, type Ended, type Job, jobOf, reopenRun } from './run-end.ts'
import { openLog, type RunLog } from './run-log.ts'
import { contextOf, share } from './tasks.ts'

declare module '../../../platform/queue/piece.ts' {
  interface WorkKinds {
    /** A run of a job; its id is the key. `tried` is how often it was begun before this piece. */
    'job.run': { tried?: number }
  }
}

interface Carrying {
  piece: Piece<'job.run'>
  run: Run
  job: Job
  log: RunLog
}

/** Ends a run and its piece of work together. @throws LostLease when another has it by now */
async function end(app: FastifyInstance, piece: Piece, run: Run, job: Job | undefined, ended: Ended): Promise<string> {
  await everyRun(app)
    .transaction()
    .execute(async trx => {
      await piece.end(trx, ended.result)
      await closeRun(app, trx, run, job, ended)
    })
  return ended.result
}

async function alone(app: FastifyInstance, { piece, run, job, log }: Carrying): Promise<string> {
  const limit = job.instanceTimeLimit || null
  const result = await within(limit, piece.signal, signal =>
    perform(app, job, run, contextOf(app, { run, job, log, signal })),
  )
  if (result) log.log('info', result)
  return end(app, piece, run, job, { state: JobInstanceStatus.succeeded, result })
}

/** Whether the work of a job is done by several processes. */
const isShared = ({ serverType, executeType }: Job): boolean =>
  serverType === JobServerType.builtIn && executeType !== JobExecuteType.standalone

/** Makes one run. @returns in a few words what came of it */
async function carryOut(app: FastifyInstance, piece: Piece<'job.run'>): Promise<string> {
  const run = await everyRun(app)
    .transaction()
    .execute(async trx => {
      await piece.hold(trx)
      return beginRun(app, trx, piece.key ?? '', (piece.payload.tried ?? 0) + piece.tries)
    })
  if (!run) return 'over'
  const job = await jobOf(app, run)
  if (!job) return end(app, piece, run, job, { state: JobInstanceStatus.cancelled, result: 'the job is gone' })
  const log = openLog(app, { ...job, runId: run.id })
  const carrying = { piece, run, job, log }
  try {
    return isShared(job) ? await share(app, carrying) : await alone(app, carrying)
  } catch (failure) {
    if (failure instanceof AlreadyRunning)
      return await end(app, piece, run, job, { state: JobInstanceStatus.cancelled, result: failure.message })
    if (!piece.signal.aborted) log.log('error', failure instanceof Error ? failure.message : String(failure))
    throw failure
  } finally {
    await log.flush()
  }
}

/** A run that was left without an end waits again, or has failed. */
async function leave(app: FastifyInstance, trx: AcrossTrx, id: string, { how, reason }: Leaving): Promise<void> {
  const result = reason?.slice(0, 500) ?? null
  if (how !== 'failed') return waitAgain(app, trx, id, result)
  const run = await runById(trx, id)
  if (!run) return
  const job = await jobOf(app, run, trx)
  await closeRun(app, trx, run, job, { state: JobInstanceStatus.failed, result: result ?? '' })
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
