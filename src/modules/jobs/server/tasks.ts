import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { JobExecuteType, JobInstanceStatus, WorkState } from '#schemas/dictionaries'
import { type AnyTrx, liveAcross } from '../../../platform/database/live.ts'
import { aliveNodes } from '../../../platform/queue/nodes.ts'
import { FinalFailure, type Kind, type Piece, Postponed } from '../../../platform/queue/piece.ts'
import { everyRun, lockRun, type Run, runById } from './instances.ts'
import { nodesFor } from './job-nodes.ts'
import { within } from './limited.ts'
import { processorOf } from './processors.ts'
import { type End, finishRun, type Job, jobOf } from './run-end.ts'
import { openLog, type RunLog } from './run-log.ts'
import { holdWorkflow } from './workflow-run.ts'

/** What a part of a run carries. */
interface TaskPayload {
  runId: string
  /** In each process, one of the parts of a map, or what puts them together. */
  what: 'each' | 'part' | 'reduce'
  /** Of a map: the part as its processor named it. */
  part?: unknown
  /** When the time of the run is over, in milliseconds since 1970; null for never. */
  until: number | null
}

declare module '../../../platform/queue/piece.ts' {
  interface WorkKinds {
    /** A part of a run; the piece of the run is its parent. */
    'job.task': TaskPayload
  }
}

/** Parts of a run, and bytes of one, at most. */
const most = { parts: 10_000, bytes: 64 * 1024 }
/** Milliseconds after which a part is looked at again that its process had no room for. */
const pause = 500
/** What a process that dies leaves behind. */
const gone = '进程已退出'

/** When the time of a run is over that begins now. */
const endOf = (app: FastifyInstance, { instanceTimeLimit }: Pick<Job, 'instanceTimeLimit'>): number | null =>
  instanceTimeLimit ? app.now().getTime() + instanceTimeLimit : null

const leftOf = (app: FastifyInstance, until: number | null): number | null =>
  until === null ? null : until - app.now().getTime()

interface Sharing {
  piece: Piece<'job.run'>
  run: Run
  job: Job
  log: RunLog
}

/** What each of the parts carries, and where it is done; none for anywhere. */
type Shares = { payload: TaskPayload; forNode?: string }[]

async function partsOf(app: FastifyInstance, { piece, run, job, log }: Sharing): Promise<Shares> {
  const until = endOf(app, job)
  const nodes = await nodesFor(app, job)
  if (nodes.length === 0) throw new Error('没有可用的进程')
  if (job.executeType === JobExecuteType.broadcast)
    return nodes.map(forNode => ({ payload: { runId: run.id, what: 'each', until }, forNode }))
  const processor = processorOf(app, job.processorInfo)
  const map = processor?.map
  if (!map) throw new FinalFailure(`没有名为${job.processorInfo}的处理器`)
  const parts = await within(leftOf(app, until), piece.signal, signal => map(contextOf(app, { run, job, log, signal })))
  if (parts.length > most.parts) throw new FinalFailure(`子任务不能超过${most.parts}个`)
  if (parts.some(part => Buffer.byteLength(JSON.stringify(part)) > most.bytes))
    throw new FinalFailure(`子任务的内容不能超过${most.bytes / 1024}KB`)
  const isAnywhere = !job.designatedWorkers
  return parts.map((part, at) => ({
    payload: { runId: run.id, what: 'part', part, until },
    ...(!isAnywhere && { forNode: nodes[at % nodes.length] as string }),
  }))
}

/** What a processor has at hand for a run. */
export const contextOf = (
  app: FastifyInstance,
  { run, job, log, signal }: { run: Run; job: Job; log: RunLog; signal: AbortSignal },
) => ({
  runId: run.id,
  jobName: job.jobName,
  tenantId: job.tenantId,
  params: run.params ?? job.jobParams,
  node: app.queue.node,
  signal,
  log: log.log,
})

/**
 * Shares a run out: its parts become work of the queue, and the piece of the run itself ends. The run ends with the last of its parts.
 * @returns in a few words what was done
 */
export async function share(app: FastifyInstance, sharing: Sharing): Promise<string> {
  const { piece, run, job } = sharing
  const shares = await partsOf(app, sharing)
  const result = `${shares.length}个子任务`
  await everyRun(app)
    .transaction()
    .execute(async trx => {
      await piece.end(trx, result)
      const common = { kind: 'job.task', tenantId: job.tenantId, parentId: piece.id } as const
      const maxTries = (job.taskRetryNum ?? 0) + 1
      for (const [at, { payload, forNode }] of shares.entries())
        await app.queue.enter(trx, {
          ...common,
          key: `${piece.id}:${at}`,
          payload,
          maxTries,
          ...(forNode && { forNode }),
        })
      await settle(app, trx, { parentId: piece.id, runId: run.id })
    })
  app.queue.nudge()
  return result
}

/** How many parts of a job this process is at. */
const running = new Map<string, number>()

/** Does one part, as many of one job at once in this process as the job says. */
async function doTask(app: FastifyInstance, piece: Piece<'job.task'>): Promise<string | undefined> {
  const { runId, what, until } = piece.payload
  const run = await runOf(app, runId)
  const job = run && (await jobOf(app, run))
  if (!run || !job) return 'over'
  const key = `${app.queue.node} ${job.id}`
  const now = running.get(key) ?? 0
  if (now >= (job.concurrency || 1)) throw new Postponed(new Date(app.now().getTime() + pause))
  running.set(key, now + 1)
  const log = openLog(app, { ...job, runId })
  try {
    const result = await within(leftOf(app, until), piece.signal, signal => work(app, piece, { run, job, log, signal }))
    await everyRun(app)
      .transaction()
      .execute(async trx => {
        await piece.end(trx, result ?? '')
        if (what === 'reduce')
          await finishRun(app, trx, run, { state: JobInstanceStatus.succeeded, result: result ?? '' })
        else await settle(app, trx, { parentId: piece.parentId ?? '', runId })
      })
    return result
  } catch (error) {
    if (!piece.signal.aborted) log.log('error', error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    running.set(key, (running.get(key) ?? 1) - 1)
    await log.flush()
  }
}

interface Doing {
  run: Run
  job: Job
  log: RunLog
  signal: AbortSignal
}

async function work(app: FastifyInstance, piece: Piece<'job.task'>, doing: Doing): Promise<string | undefined> {
  const { what, part } = piece.payload
  const processor = processorOf(app, doing.job.processorInfo)
  const ctx = contextOf(app, doing)
  if (what === 'each' && processor?.broadcast) return processor.broadcast(ctx)
  if (what === 'part' && processor?.part) return processor.part(ctx, part)
  if (what === 'reduce' && processor?.reduce) return processor.reduce(ctx, await resultsOf(app, piece.parentId ?? ''))
  throw new FinalFailure(`没有名为${doing.job.processorInfo}的处理器`)
}

const runOf = (app: FastifyInstance, id: string): Promise<Run | undefined> =>
  everyRun(app)
    .selectFrom('job_instance')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', JobInstanceStatus.running)
    .executeTakeFirst()

/** What came of the parts, in their order. */
async function resultsOf(app: FastifyInstance, parentId: string): Promise<string[]> {
  const rows = await everyRun(app)
    .selectFrom('work_item')
    .select('result')
    .where('parentId', '=', parentId)
    .where('kind', '=', 'job.task')
    .where('state', '=', WorkState.done)
    .orderBy(sql`split_part(key, ':', 2)::int`)
    .execute()
  return rows.map(row => row.result ?? '')
}

/** Which parts of which run. */
interface Family {
  parentId: string
  runId: string
}

/**
 * Ends a run with the last of its parts, under the lock of the run: failed when one has, else with what puts the parts together, which
 * is entered once.
 */
async function settle(app: FastifyInstance, trx: AnyTrx, { parentId, runId }: Family): Promise<void> {
  const known = await runById(trx, runId)
  if (known) await holdWorkflow(app, trx, known)
  const run = await lockRun(trx, runId)
  if (!run) return
  const parts = await liveAcross(trx, app)
    .selectFrom('work_item')
    .select(['state', eb => eb.fn.countAll<string>().as('n'), eb => eb.fn.min('result').as('result')])
    .where('parentId', '=', parentId)
    .where('kind', '=', 'job.task')
    .groupBy('state')
    .execute()
  const count = (...states: number[]) =>
    parts.filter(one => states.includes(one.state)).reduce((sum, one) => sum + Number(one.n), 0)
  if (count(WorkState.waiting, WorkState.running) > 0) return
  const job = await jobOf(app, run, trx)
  const finish = (state: End, result: string) => finishRun(app, trx, run, { state, result })
  if (!job) return finish(JobInstanceStatus.cancelled, 'the job is gone')
  const bad = count(WorkState.failed, WorkState.cancelled)
  const all = count(WorkState.done) + bad
  const reason = parts.find(one => one.state === WorkState.failed)?.result ?? ''
  if (bad > 0) return finish(JobInstanceStatus.failed, `${all}个子任务中${bad}个失败：${reason}`)
  if (job.executeType !== JobExecuteType.mapReduce) return finish(JobInstanceStatus.succeeded, `${all}个子任务完成`)
  await app.queue.enter(trx, {
    kind: 'job.task',
    key: `${parentId}:${all}`,
    tenantId: job.tenantId,
    parentId,
    payload: { runId, what: 'reduce', until: endOf(app, job) },
    maxTries: (job.taskRetryNum ?? 0) + 1,
  })
}

/** A process that may do what one that is gone was to do for a run; none while all that its job names are gone. */
async function heirOf(app: FastifyInstance, trx: AnyTrx, runId: string): Promise<string | undefined> {
  const run = await runById(trx, runId)
  const job = run && (await jobOf(app, run, trx))
  const [first] = job ? await nodesFor(app, job) : []
  return first
}

/** Pieces that only processes could do which are gone. */
const leftBy = (app: FastifyInstance, alive: readonly string[], on?: AnyTrx) =>
  everyRun(app, on)
    .selectFrom('work_item')
    .select(['id', 'kind', 'key', 'parentId', 'payload'])
    .where('kind', 'in', ['job.task', 'job.run'])
    .where('state', 'in', [WorkState.waiting, WorkState.running])
    .where('forNode', 'is not', null)
    .$if(alive.length > 0, query => query.where('forNode', 'not in', [...alive]))

async function sweepPiece(app: FastifyInstance, trx: AnyTrx, alive: readonly string[], id: string): Promise<boolean> {
  const piece = await leftBy(app, alive, trx).where('id', '=', id).forNoKeyUpdate().skipLocked().executeTakeFirst()
  if (!piece) return false
  const { kind, key, parentId, payload } = piece
  const task = JSON.parse(payload === null ? '{}' : app.vault.open(payload)) as Partial<TaskPayload>
  const set = { leaseBy: null, leaseUntil: null, updateTime: app.now() }
  const mine = everyRun(app, trx).updateTable('work_item').where('id', '=', id)
  if (kind === 'job.task' && task.what === 'each') {
    await mine.set({ ...set, state: WorkState.failed, result: gone, endTime: app.now() }).execute()
    await settle(app, trx, { parentId: parentId ?? '', runId: task.runId ?? '' })
    return true
  }
  const to = await heirOf(app, trx, task.runId ?? key ?? '')
  if (to) await mine.set({ ...set, state: WorkState.waiting, forNode: to }).execute()
  return true
}

/**
 * Fails the parts of runs that only processes could do which are gone, and gives other work of theirs to whoever is alive. Each in a
 * transaction of its own: whoever held the rows of several runs would wait in a circle with those that end them.
 * @returns how many pieces
 */
export async function sweepGone(app: FastifyInstance): Promise<number> {
  const alive = await aliveNodes(app)
  const left = await leftBy(app, alive).limit(1000).execute()
  let swept = 0
  for (const { id } of left)
    if (
      await everyRun(app)
        .transaction()
        .execute(trx => sweepPiece(app, trx, alive, id))
    )
      swept++
  return swept
}

/** Parts of runs as work of the queue. */
export const taskKind = (app: FastifyInstance): Kind<'job.task'> => ({
  kind: 'job.task',
  lane: 'task',
  mostTries: 1,
  perform: piece => doTask(app, piece),
  left: async (trx, { parentId, payload }, { how, reason }) => {
    if (how !== 'failed') return
    if (payload.what !== 'reduce') return settle(app, trx, { parentId: parentId ?? '', runId: payload.runId })
    const run = await runById(trx, payload.runId)
    if (run?.state === JobInstanceStatus.running)
      await finishRun(app, trx, run, { state: JobInstanceStatus.failed, result: reason ?? '' })
  },
})
