import type { FastifyInstance } from 'fastify'
import type { Selectable } from 'kysely'
import { JobEnable, JobExecuteType, JobInstanceStatus, JobProcessor, JobStepState } from '#schemas/dictionaries'
import type { JobWorkflow } from '#schemas/jobs/job-workflow'
import type { Database } from '../../../platform/database/database.ts'
import { type AnyTrx, type Live, liveAcross, liveFor, updateUnstamped } from '../../../platform/database/live.ts'
import { eachAlone } from '../../../platform/queue/each-alone.ts'
import { isByClock, isRunnable, nextTimeOf, type Timed } from '../rules/job-time.ts'
import { nodeNames } from '../rules/workflow-graph.ts'
import { enterRun, everyRun, type Run } from './instances.ts'

/** Workflows that are looked at together. */
const portion = 100

type Step = Selectable<Database['job_workflow_step']>

/** What changes of a step while its run goes on. */
type Change = Partial<Pick<Step, 'state' | 'instanceId' | 'startTime' | 'endTime' | 'result'>>

/** What says when a workflow runs. */
export function timedOf({
  enable,
  timeExpressionType,
  timeExpression,
}: Pick<Timed, 'enable' | 'timeExpressionType' | 'timeExpression'>): Timed {
  const text = (timeExpression ?? '').trim()
  return {
    enable,
    timeExpressionType,
    timeExpression: text === '' || !isByClock(timeExpressionType) ? null : text,
    executeType: JobExecuteType.standalone,
    processorType: JobProcessor.builtIn,
    lifecycle: null,
  }
}

/** Whether what is behind a node may begin. */
const isPassed = ({ state, skipWhenFailed }: Step): boolean =>
  state === JobStepState.succeeded ||
  state === JobStepState.skipped ||
  (state === JobStepState.failed && skipWhenFailed === 1)

const isOpen = ({ state }: Step): boolean => state === JobStepState.waiting || state === JobStepState.running

/** The program's handle for what belongs to one tenant. */
const programOf = (app: FastifyInstance, on: AnyTrx, tenantId: string): Live =>
  liveFor(on, { tenantId, userId: null, now: () => app.now() })

interface Held {
  runId: string
  tenantId: string
}

/**
 * Locks the run of a workflow that a run of a job belongs to, before that itself: whoever ends, stops or tries again takes the
 * workflow's run first, then runs of jobs, then jobs by their ids, so that none waits for another in a circle.
 * @returns undefined for a run of a job that belongs to none, and where the workflow has been removed
 */
export async function holdWorkflow(
  app: FastifyInstance,
  trx: AnyTrx,
  { stepId }: Pick<Run, 'stepId'>,
): Promise<Held | undefined> {
  if (!stepId) return undefined
  return liveAcross(trx, app)
    .selectFrom('job_workflow_run as r')
    .innerJoin('job_workflow_step as s', 's.runId', 'r.id')
    .select(['r.id as runId', 'r.tenantId'])
    .where('s.id', '=', stepId)
    .forNoKeyUpdate('r')
    .executeTakeFirst()
}

/** Locks the jobs of a run of a workflow that may begin when a job of it ends, by their ids. */
export async function holdJobs(app: FastifyInstance, trx: AnyTrx, { runId }: Held): Promise<void> {
  const db = liveAcross(trx, app)
  const steps = await db.selectFrom('job_workflow_step').select('jobInfoId').where('runId', '=', runId).execute()
  if (steps.length === 0) return
  await db
    .selectFrom('job_info')
    .select('id')
    .where(
      'id',
      'in',
      steps.map(step => step.jobInfoId),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Writes how a step stands. */
const put = (db: Live, id: string, set: Change) =>
  updateUnstamped(db, 'job_workflow_step').set(set).where('id', '=', id).execute()

/** Begins the job of a step. @returns how the step stands then: a job that cannot run has failed */
async function begin(
  app: FastifyInstance,
  { trx, db, tenantId, now }: { trx: AnyTrx; db: Live; tenantId: string; now: Date },
  { id: stepId, jobInfoId, jobParams }: Step,
): Promise<Change> {
  const failed = (result: string) => ({ state: JobStepState.failed, startTime: now, endTime: now, result })
  const job = await db
    .selectFrom('job_info')
    .select(['id', 'enable', 'executeType', 'processorType', 'instanceRetryNum', 'designatedWorkers', 'maxInstanceNum'])
    .select(eb =>
      eb
        .selectFrom('job_instance as o')
        .whereRef('o.jobInfoId', '=', 'job_info.id')
        .where('o.state', 'in', [JobInstanceStatus.waiting, JobInstanceStatus.running])
        .select(count => count.fn.countAll<string>().as('n'))
        .as('open'),
    )
    .where('id', '=', jobInfoId)
    .executeTakeFirst()
  if (!job) return failed('任务已被删除')
  if (job.enable !== JobEnable.enabled) return failed('任务已暂停')
  if (!isRunnable(job)) return failed('外部处理器的任务不能作为节点')
  const entered = { ...job, tenantId, open: Number(job.open) }
  const instanceId = await enterRun(app, trx, { job: entered, now, params: jobParams, stepId })
  const run = db.selectFrom('job_instance').select(['state', 'result']).where('id', '=', instanceId)
  const { state, result } = await run.executeTakeFirstOrThrow()
  // The job has as many runs as it may have: this one was entered as called off.
  if (state === JobInstanceStatus.cancelled) return { ...failed(result ?? ''), instanceId }
  return { state: JobStepState.running, startTime: now, instanceId }
}

/** How a run of a workflow ends when none of its steps is open any more. */
function endOf(steps: readonly Step[]): {
  state: typeof JobInstanceStatus.failed | typeof JobInstanceStatus.succeeded
  result: string
} {
  const stopping = steps.find(step => step.state === JobStepState.failed && !isPassed(step))
  const done = steps.filter(step => step.state === JobStepState.succeeded).length
  if (!stopping) return { state: JobInstanceStatus.succeeded, result: `${done}个节点完成` }
  const result = `节点“${stopping.nodeName}”失败：${stopping.result ?? ''}`.slice(0, 500)
  return { state: JobInstanceStatus.failed, result }
}

/**
 * Moves a run of a workflow on, in the transaction in which something has changed and under the lock of the run: begins every step
 * whose predecessors let it, gives up those behind a failure, and ends the run with the last.
 */
export async function advance(app: FastifyInstance, trx: AnyTrx, held: Held): Promise<void> {
  const { runId, tenantId } = held
  const now = app.now()
  const db = programOf(app, trx, tenantId)
  await holdJobs(app, trx, held)
  const query = db.selectFrom('job_workflow_step').selectAll().where('runId', '=', runId).orderBy('id')
  const steps = (await query.execute()) as Step[]
  const byName = new Map(steps.map(step => [step.nodeName, step]))
  const set = async (step: Step, values: Change) => {
    Object.assign(step, values)
    await put(db, step.id, values)
  }
  for (let hasMoved = true; hasMoved; ) {
    hasMoved = false
    for (const step of steps.filter(one => one.state === JobStepState.waiting)) {
      const before = nodeNames(step.afterNodes).map(name => byName.get(name))
      if (before.some(one => one !== undefined && isOpen(one))) continue
      hasMoved = true
      if (!before.every(one => one !== undefined && isPassed(one)))
        await set(step, { state: JobStepState.cancelled, endTime: now })
      else if (step.enable === 1) await set(step, await begin(app, { trx, db, tenantId, now }, step))
      else await set(step, { state: JobStepState.skipped, endTime: now })
    }
  }
  if (steps.some(isOpen)) return
  await updateUnstamped(db, 'job_workflow_run')
    .set({ ...endOf(steps), endTime: now })
    .where('id', '=', runId)
    .where('state', '=', JobInstanceStatus.running)
    .execute()
}

/** How a step ends with the run of its job. */
const ends: Readonly<Record<number, Step['state']>> = {
  [JobInstanceStatus.succeeded]: JobStepState.succeeded,
  [JobInstanceStatus.stopped]: JobStepState.stopped,
}

/**
 * Hands over from one node to the next, in the transaction that ends the run of a job. A run of a job that counts no more, because
 * its node was tried again, moves nothing.
 */
export async function handOver(
  app: FastifyInstance,
  trx: AnyTrx,
  held: Held,
  { id, stepId, state, result }: { id: string; stepId: string | null; state: number; result: string },
): Promise<void> {
  const ended = await updateUnstamped(programOf(app, trx, held.tenantId), 'job_workflow_step')
    .set({ state: ends[state] ?? JobStepState.failed, result: result.slice(0, 500), endTime: app.now() })
    .where('id', '=', stepId ?? '0')
    .where('instanceId', '=', id)
    .where('state', '=', JobStepState.running)
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) return
  const run = liveAcross(trx, app).selectFrom('job_workflow_run').select('state').where('id', '=', held.runId)
  // One that was stopped meanwhile goes no further.
  if ((await run.executeTakeFirst())?.state === JobInstanceStatus.running) await advance(app, trx, held)
}

/**
 * Notes that the run of a job that had failed a node is made once more: the node runs again, and what was given up behind it waits.
 */
export async function reopenStep(app: FastifyInstance, trx: AnyTrx, held: Held, { id, stepId }: Run): Promise<void> {
  const db = programOf(app, trx, held.tenantId)
  const reopened = await updateUnstamped(db, 'job_workflow_step')
    .set({ state: JobStepState.running, endTime: null, result: null })
    .where('id', '=', stepId ?? '0')
    .where('instanceId', '=', id)
    .where('state', '=', JobStepState.failed)
    .where('skipWhenFailed', '=', 0)
    .executeTakeFirst()
  if (reopened.numUpdatedRows === 0n) return
  await updateUnstamped(db, 'job_workflow_run')
    .set({ state: JobInstanceStatus.running, endTime: null, result: null })
    .where('id', '=', held.runId)
    .where('state', 'in', [JobInstanceStatus.failed, JobInstanceStatus.running])
    .execute()
  await updateUnstamped(db, 'job_workflow_step')
    .set({ state: JobStepState.waiting, endTime: null })
    .where('runId', '=', held.runId)
    .where('state', '=', JobStepState.cancelled)
    .execute()
}

/** A run of a workflow that is to begin. */
interface NewRun {
  workflow: Pick<JobWorkflow, 'id' | 'tenantId' | 'maxInstanceNum'>
  now: Date
  /** When the clock has planned it; none for one that somebody has asked for. */
  scheduledTime?: Date | null
  /** Who has asked for it. */
  userId?: string
}

/** How many runs of a workflow are under way. */
export async function openRuns(db: Live, workflowId: string): Promise<number> {
  const { n } = await db
    .selectFrom('job_workflow_run')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('workflowId', '=', workflowId)
    .where('state', '=', JobInstanceStatus.running)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/**
 * Begins a run of a workflow, whose row is locked: a row for each node as it is now, and the first of them begin. Where as many as
 * the workflow may have are under way, it is entered as one that was called off.
 * @returns its id; null for a time that has a run already
 */
export async function beginWorkflow(
  app: FastifyInstance,
  trx: AnyTrx,
  { workflow: { id: workflowId, tenantId, maxInstanceNum }, now, scheduledTime, userId }: NewRun,
): Promise<string | null> {
  const db = programOf(app, trx, tenantId)
  const open = await openRuns(db, workflowId)
  const isOver = Boolean(maxInstanceNum) && open >= (maxInstanceNum ?? 0)
  const over = {
    state: JobInstanceStatus.cancelled,
    endTime: now,
    result: `too many instances(${open + 1}>${maxInstanceNum})`,
  }
  const run = await db
    .insertInto('job_workflow_run')
    .values({
      workflowId,
      state: JobInstanceStatus.running,
      planTime: scheduledTime ?? now,
      scheduledTime: scheduledTime ?? null,
      userId: userId ?? null,
      ...(isOver && over),
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!run || isOver) return run?.id ?? null
  const nodes = await db
    .selectFrom('job_workflow_node as n')
    .innerJoin('job_info as j', 'j.id', 'n.jobInfoId')
    .select(['n.nodeName', 'n.afterNodes', 'n.jobInfoId', 'n.jobParams', 'n.enable', 'n.skipWhenFailed', 'j.jobName'])
    .where('n.workflowId', '=', workflowId)
    .orderBy('n.id')
    .execute()
  if (nodes.length > 0)
    await db
      .insertInto('job_workflow_step')
      .values(nodes.map(node => ({ ...node, runId: run.id, state: JobStepState.waiting })))
      .execute()
  await advance(app, trx, { runId: run.id, tenantId })
  return run.id
}

/** Begins a run of one workflow whose time has come, and plans its next time. @returns false where another process has it */
const beginDue = (app: FastifyInstance, id: string, now: Date): Promise<boolean> =>
  liveAcross(app, { now: () => now })
    .transaction()
    .execute(async trx => {
      const workflow = await trx
        .selectFrom('job_workflow')
        .select(['id', 'tenantId', 'maxInstanceNum', 'nextTime', 'enable', 'timeExpressionType', 'timeExpression'])
        .where('id', '=', id)
        .where('enable', '=', JobEnable.enabled)
        .where('nextTime', '<=', now)
        .forNoKeyUpdate()
        .skipLocked()
        .executeTakeFirst()
      if (!workflow) return false
      await updateUnstamped(trx, 'job_workflow')
        .set({ nextTime: nextTimeOf(timedOf(workflow), workflow.nextTime, now) })
        .where('id', '=', id)
        .execute()
      await beginWorkflow(app, trx, { workflow, now, scheduledTime: workflow.nextTime })
      return true
    })

/**
 * Begins a run of every workflow whose time has come. Of any number of processes one does it, each in a transaction of its own.
 * @returns how many runs
 */
export async function beginDueWorkflows(app: FastifyInstance): Promise<number> {
  const now = app.now()
  const due = await liveAcross(app, app)
    .selectFrom('job_workflow')
    .select('id')
    .where('enable', '=', JobEnable.enabled)
    .where('nextTime', '<=', now)
    .orderBy('nextTime')
    .limit(portion)
    .execute()
  return eachAlone(app, due, async ({ id }) => ((await beginDue(app, id, now)) ? 1 : 0))
}

/** When the next workflow is due; null where none goes by the clock. */
export async function nextWorkflowDue(app: FastifyInstance): Promise<Date | null> {
  const next = liveAcross(app, app)
    .selectFrom('job_workflow')
    .select(eb => eb.fn.min('nextTime').as('time'))
    .where('enable', '=', JobEnable.enabled)
  return (await next.executeTakeFirst())?.time ?? null
}

/** Forgets runs of workflows that ended before a time, those of removed workflows, too. */
export async function forgetWorkflowRuns(app: FastifyInstance, before: Date): Promise<void> {
  await everyRun(app)
    .transaction()
    .execute(async trx => {
      const old = trx.selectFrom('job_workflow_run').select('id').where('endTime', '<', before)
      await trx.deleteFrom('job_workflow_step').where('runId', 'in', old).execute()
      await trx.deleteFrom('job_workflow_run').where('endTime', '<', before).execute()
    })
}
