import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { jobWorkflow } from '#resources/jobs/job-workflow'
import type { jobWorkflowRun } from '#resources/jobs/job-workflow-run'
import { JobEnable, JobInstanceStatus, JobStepState, JobTrigger, WorkState } from '#schemas/dictionaries'
import type { JobWorkflow } from '#schemas/jobs/job-workflow'
import type { JobWorkflowRun } from '#schemas/jobs/job-workflow-run'
import type { Derive, EventContext, GuardContext, HandlerOf } from '../../../crud/rules.ts'
import { scoped } from '../../../crud/scope.ts'
import { type AnyTrx, liveAcross, updateUnstamped } from '../../../platform/database/live.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { nextTimeOf } from '../rules/job-time.ts'
import { nodeNames } from '../rules/workflow-graph.ts'
import { everyRun, lockRuns } from './instances.ts'
import { endRun } from './run-end.ts'
import { advance, beginWorkflow, holdJobs, openRuns, timedOf } from './workflow-run.ts'

/** Begins a run of a workflow that is switched on. @throws row.notFound, row.wrongState */
export const runWorkflow: HandlerOf<typeof jobWorkflow, 'run'> = async ({ app, db, person, now, ids }) => {
  const runId = await db.transaction().execute(async trx => {
    const workflow = await scoped(app, person, 'job_workflow', trx)
      .select(['id', 'enable', 'maxInstanceNum'])
      .where('id', 'in', ids.slice(0, 1))
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!workflow) throw refuse('row.notFound')
    if (workflow.enable !== JobEnable.enabled) throw refuse('row.wrongState')
    const { tenantId, userId } = person
    return beginWorkflow(app, trx, { workflow: { ...workflow, tenantId }, now, userId })
  })
  app.queue.nudge()
  return { runId: runId ?? '' }
}

/** Workflows that are switched on have their next time from now on, others none. */
export async function replanWorkflows({ app, trx, rows, now }: EventContext<typeof JobWorkflow>): Promise<void> {
  for (const row of rows)
    await updateUnstamped(liveAcross(trx, app), 'job_workflow')
      .set({ nextTime: nextTimeOf(timedOf(row), null, now) })
      .where('id', '=', row.id)
      .execute()
}

/**
 * Calls off the pieces of runs that are stopped. One that is being ended in this moment is left: it finds its run stopped. Whoever
 * ends a run holds its piece first, so nobody is waited for here.
 */
async function cancelPieces(app: FastifyInstance, trx: AnyTrx, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return
  const pieces = await everyRun(app, trx)
    .selectFrom('work_item')
    .select('id')
    .where('kind', '=', 'job.run')
    .where('key', 'in', [...runIds])
    .where('state', 'in', [WorkState.waiting, WorkState.running])
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  for (const { id } of pieces) await app.queue.cancel(trx, { id })
}

/** What a stopped run of a workflow leaves: what runs is stopped, what waited is not begun. */
export async function stopSteps({ app, trx, db, rows, now }: EventContext<typeof JobWorkflowRun>): Promise<void> {
  for (const { id: runId, tenantId } of rows) {
    const steps = await db
      .selectFrom('job_workflow_step')
      .select(['id', 'instanceId'])
      .where('runId', '=', runId)
      .where('state', '=', JobStepState.running)
      .execute()
    await updateUnstamped(db, 'job_workflow_step')
      .set({ state: JobStepState.cancelled, endTime: now })
      .where('runId', '=', runId)
      .where('state', '=', JobStepState.waiting)
      .execute()
    const runs = await lockRuns(
      trx,
      steps.flatMap(step => step.instanceId ?? []),
    )
    await holdJobs(app, trx, { runId, tenantId })
    for (const run of runs) await endRun(app, trx, run, { state: JobInstanceStatus.stopped, result: '手动停止' })
    await cancelPieces(
      app,
      trx,
      runs.map(run => run.id),
    )
  }
}

/** A run is tried again only while its workflow may have one more. @throws row.wrongState */
export async function mayRunAgain({ db, rows }: GuardContext<typeof JobWorkflowRun>): Promise<void> {
  for (const { workflowId } of rows) {
    // Whoever begins another run of the workflow waits.
    const workflow = await db
      .selectFrom('job_workflow')
      .select('maxInstanceNum')
      .where('id', '=', workflowId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    const most = workflow?.maxInstanceNum ?? 0
    if (most > 0 && (await openRuns(db, workflowId)) >= most)
      throw refuseSaying('row.wrongState', '工作流同时运行的次数已达到上限，请等其他运行结束')
  }
}

/** What a run that is tried again begins with: the nodes that failed or were stopped, and those behind them. */
export async function retrySteps({ app, trx, db, rows }: EventContext<typeof JobWorkflowRun>): Promise<void> {
  for (const { id: runId, tenantId } of rows) {
    await updateUnstamped(db, 'job_workflow_step')
      .set({ state: JobStepState.waiting, instanceId: null, startTime: null, endTime: null, result: null })
      .where('runId', '=', runId)
      .where(eb =>
        eb.or([
          eb('state', 'in', [JobStepState.cancelled, JobStepState.stopped]),
          eb('state', '=', JobStepState.failed).and('skipWhenFailed', '=', 0),
        ]),
      )
      .execute()
    await advance(app, trx, { runId, tenantId })
  }
  app.queue.nudge()
}

/** What runs were begun by, how many seconds they took, and how their nodes stand. */
export const deriveWorkflowRun: Derive<typeof jobWorkflowRun> = async ({ app, person }, rows) => {
  const ids = rows.map(row => row.id)
  if (ids.length === 0) return []
  const db = liveAs(app, person)
  const took = sql<string>`trim_scale(round(extract(epoch FROM "endTime" - "planTime"), 2))::text`
  const times = await db
    .selectFrom('job_workflow_run')
    .select(['id', took.as('seconds')])
    .where('id', 'in', ids)
    .execute()
  const seconds = new Map(times.map(row => [row.id, row.seconds ?? '']))
  const steps = await db
    .selectFrom('job_workflow_step')
    .select(['runId', 'nodeName', 'jobName', 'afterNodes', 'state'])
    .where('runId', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map(({ id, userId }) => ({
    trigger: userId ? JobTrigger.manual : JobTrigger.schedule,
    seconds: seconds.get(id) ?? '',
    graph: steps
      .filter(step => step.runId === id)
      .map(step => ({
        name: step.nodeName,
        job: step.jobName,
        after: nodeNames(step.afterNodes),
        state: step.state,
      })),
  }))
}
