import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { JobInstanceStatus } from '#schemas/dictionaries'
import { liveAcross, withRemoved } from '../../../platform/database/live.ts'
import { claimRuns, type End, endRun, enterDue, giveBack, lease, type Run, renewRun } from './instances.ts'
import { AlreadyRunning, perform, type Work } from './perform.ts'

/** Runs that one process has under way at once. */
const most = 5
/** Parts of a lease after which it is renewed. */
const renewalsPerLease = 4
/** Kinds of log and levels of a job: nothing at all, and up to which level what went well is noted. */
const [noLog, info, error] = [999, 2, 4]

interface Job extends Work {
  id: string
  instanceRetryNum: number | null
  logType: number | null
  logLevel: number | null
}

async function jobsOf(app: FastifyInstance, runs: readonly Run[]): Promise<Map<string, Job>> {
  if (runs.length === 0) return new Map()
  const rows = await liveAcross(app, app)
    .selectFrom('job_info as i')
    .innerJoin(withRemoved('job_server as s'), 's.id', 'i.jobServerId')
    .select(['i.id', 'i.jobName', 'i.processorInfo', 'i.jobParams', 'i.extra', 'i.instanceTimeLimit'])
    .select([
      'i.instanceRetryNum',
      'i.logType',
      'i.logLevel',
      's.serverType',
      's.jobServerUrl',
      's.jobAppName',
      's.jobAppPassword',
    ])
    .where(
      'i.id',
      'in',
      runs.map(run => run.jobInfoId),
    )
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** Ends a run and notes it, as far as its job wants notes. */
async function end(app: FastifyInstance, run: Run, job: Job, state: End, result: string): Promise<void> {
  if (!(await endRun(app, run, state, result))) return
  const isBad = state === JobInstanceStatus.failed
  const { jobName, logType, logLevel } = job
  if (logType === noLog || (logLevel ?? info) > (isBad ? error : info)) return
  app.journal.note(isBad ? 'error' : 'info', `job ${jobName}`, { instanceId: run.id, tries: run.tries, state, result })
}

/** Makes one run with a heartbeat beside it. What fails is tried again as often as its job says. */
async function carryOut(app: FastifyInstance, run: Run, job: Job | undefined, closing: AbortSignal): Promise<void> {
  if (!job) return void (await endRun(app, run, JobInstanceStatus.cancelled, 'the job is gone'))
  const hasMore = run.tries <= (job.instanceRetryNum ?? 0)
  // Begun once more than it may be: it ended a process.
  if (run.tries > (job.instanceRetryNum ?? 0) + 1) return end(app, run, job, JobInstanceStatus.failed, 'interrupted')
  const beat = setInterval(() => void renewRun(app, run).catch(() => undefined), lease / renewalsPerLease)
  try {
    await end(app, run, job, JobInstanceStatus.succeeded, await perform(app, job, run, closing))
  } catch (failure) {
    const reason = String((failure as Error).message).slice(0, 500)
    if (failure instanceof AlreadyRunning) await end(app, run, job, JobInstanceStatus.cancelled, reason)
    else if (closing.aborted) await giveBack(app, run, null)
    else if (hasMore) await giveBack(app, run, reason)
    else await end(app, run, job, JobInstanceStatus.failed, reason)
  } finally {
    clearInterval(beat)
  }
}

/** What one process does of the runs of all. */
export interface JobWorker {
  /** Enters what is due and begins what waits, as far as there is room. */
  look(): Promise<void>
  /** Ends when all that was begun has. */
  rest(): Promise<void>
  /** Calls off what is told to applications; other processes begin it again. */
  close(): void
}

/** A worker of a process. */
export function jobWorker(app: FastifyInstance): JobWorker {
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  const begin = (run: Run, job: Job | undefined): void => {
    const work = carryOut(app, run, job, closing.signal)
      .catch(failure => app.log.error({ err: failure, run: run.id }, 'run of a job'))
      .finally(() => running.delete(work))
    running.add(work)
  }
  return {
    async look() {
      await enterDue(app)
      const room = most - running.size
      if (room <= 0 || closing.signal.aborted) return
      const runs = await claimRuns(app, room, randomUUID())
      const jobs = await jobsOf(app, runs)
      for (const run of runs) begin(run, jobs.get(run.jobInfoId))
    },
    rest: async () => void (await Promise.allSettled(running)),
    close: () => closing.abort(),
  }
}
