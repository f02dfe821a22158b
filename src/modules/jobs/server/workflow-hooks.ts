import type { FastifyRequest } from 'fastify'
import type { jobWorkflow } from '#resources/jobs/job-workflow'
import { JobInstanceStatus, JobProcessor, JobServerType } from '#schemas/dictionaries'
import { JobWorkflow } from '#schemas/jobs/job-workflow'
import type { JobWorkflowNode } from '#schemas/jobs/job-workflow-node'
import { wrongInput } from '../../../crud/input.ts'
import type { Derive, HookContext, Hooks } from '../../../crud/rules.ts'
import type { Live } from '../../../platform/database/live.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuseSaying } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { isNeverAgain, nextTimeOf, timingProblem } from '../rules/job-time.ts'
import { graphProblems, nodeNames } from '../rules/workflow-graph.ts'
import { timedOf } from './workflow-run.ts'

/** Nodes of one workflow, at most. */
const mostNodes = 200

const wrong = (field: string, msg: string) => wrongInput([{ field, msg }])

/** Requests that write nodes with their workflow: what must hold of all of them is looked at in the end. */
const whole = new WeakSet<FastifyRequest>()

interface FoundProblem {
  nodeName: string
  field: string
  msg: string
}

/** The nodes of a workflow as they are stored now, with what says whether their jobs can be nodes. */
const nodesOf = (db: Live, workflowId: string) =>
  db
    .selectFrom('job_workflow_node as n')
    .innerJoin('job_info as j', 'j.id', 'n.jobInfoId')
    .innerJoin('job_server as s', 's.id', 'j.jobServerId')
    .select(['n.id', 'n.nodeName', 'n.afterNodes', 'j.jobName', 'j.builtin', 'j.processorType', 's.serverType'])
    .where('n.workflowId', '=', workflowId)
    .orderBy('n.id')
    .execute()

type Nodes = Awaited<ReturnType<typeof nodesOf>>

/** What is wrong with the nodes of a workflow, in words. */
function problemsOf(nodes: Nodes): readonly FoundProblem[] {
  if (nodes.length > mostNodes)
    return [{ nodeName: nodes.at(-1)?.nodeName ?? '', field: 'nodeName', msg: `节点不能超过${mostNodes}个` }]
  const jobs = nodes.flatMap(({ nodeName, jobName, builtin, processorType, serverType }): FoundProblem[] => {
    const why = () => {
      if (builtin) return '系统任务不能作为节点'
      if (serverType === JobServerType.powerJob) return 'PowerJob任务不能作为节点，请在PowerJob中编排'
      return processorType === JobProcessor.builtIn ? null : '外部处理器的任务不能作为节点'
    }
    const said = why()
    return said ? [{ nodeName, field: 'jobInfoId', msg: `任务“${jobName}”：${said}` }] : []
  })
  return [...graphProblems(nodes), ...jobs]
}

/** Names the fields of nodes as a form does that has sent them: `job-workflow-node.2.afterNodes`. */
function inForm({ body }: FastifyRequest, nodes: Nodes, problems: readonly FoundProblem[]) {
  const rows = (body as Readonly<Record<string, unknown>> | null)?.['job-workflow-node']
  const given = Array.isArray(rows) ? (rows as readonly { id?: unknown; nodeName?: unknown }[]) : []
  const names = given.map(({ id, nodeName }) => nodeName ?? nodes.find(node => node.id === id)?.nodeName)
  return problems.map(({ nodeName, field, msg }) => {
    const at = names.lastIndexOf(nodeName)
    return { field: at < 0 ? field : `job-workflow-node.${at}.${field}`, msg }
  })
}

/** When a workflow runs next, if its timing is one that comes again. @throws input.invalid */
function planned(row: Parameters<typeof timedOf>[0], now: Date): Date | null {
  const timed = timedOf(row)
  if (timed.timeExpression === null) return null
  const problem = timingProblem(timed.timeExpressionType, timed.timeExpression)
  if (problem) throw wrong('timeExpression', problem)
  if (isNeverAgain(timed, now)) throw wrong('timeExpression', '时间表达式没有下一次')
  return nextTimeOf(timed, null, now)
}

/** Rules of workflows beyond their fields. A new time is planned only where the timing has changed. */
export const workflowHooks: Hooks<typeof JobWorkflow> = {
  async beforeSubmit({ request, now, set }, given, before) {
    whole.add(request)
    const { timeExpressionType: type, enable } = JobWorkflow.properties
    const row = {
      enable: Number(given.enable ?? before?.enable ?? enable.default),
      timeExpressionType: Number(given.timeExpressionType ?? before?.timeExpressionType ?? type.default),
      timeExpression: (given.timeExpression === undefined ? before?.timeExpression : given.timeExpression) ?? null,
    }
    const { timeExpression } = timedOf(row)
    set({ timeExpression })
    if (before && JSON.stringify(timedOf(before)) === JSON.stringify(timedOf(row))) return
    set({ nextTime: planned(row, now) })
  },
  async afterRows({ db, request }, { id }) {
    const nodes = await nodesOf(db, id)
    const problems = problemsOf(nodes)
    if (problems.length > 0) throw wrongInput(inForm(request, nodes, problems))
    if (nodes.length === 0) throw wrong('job-workflow-node', '请至少添加一个节点')
  },
  async beforeRemove({ db }, rows) {
    const ids = rows.map(row => row.id)
    const runs = db
      .selectFrom('job_workflow_run')
      .select('id')
      .where('workflowId', 'in', ids)
      .where('state', '=', JobInstanceStatus.running)
    if (await runs.limit(1).executeTakeFirst()) throw refuseSaying('row.inUse', '工作流正在运行，请先停止')
  },
}

/** Whoever changes a node changes its workflow: of two who do at one moment the second sees what the first has done. */
const touch = (db: Live, ids: readonly string[]) =>
  db
    .updateTable('job_workflow')
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('id', 'in', [...new Set(ids)].toSorted())
    .execute()

async function checkNodes({ db }: Pick<HookContext, 'db'>, workflowId: string): Promise<void> {
  const problems = problemsOf(await nodesOf(db, workflowId))
  if (problems.length > 0) throw wrongInput(problems.map(({ field, msg }) => ({ field, msg })))
}

/** Rules of nodes beyond their fields: those of a form are looked at together, after the last. */
export const nodeHooks: Hooks<typeof JobWorkflowNode> = {
  async beforeSubmit({ db, request, set }, given, before) {
    if (before && given.workflowId !== undefined && given.workflowId !== before.workflowId)
      throw wrong('workflowId', '节点不能移到别的工作流')
    if (given.nodeName !== undefined) set({ nodeName: given.nodeName.trim() })
    if (given.afterNodes !== undefined) set({ afterNodes: nodeNames(given.afterNodes).join(',') || null })
    const workflowId = before?.workflowId ?? given.workflowId
    if (!whole.has(request) && workflowId) await touch(db, [workflowId])
  },
  async afterSubmit({ db, request }, { workflowId }) {
    if (!whole.has(request)) await checkNodes({ db }, workflowId)
  },
  async beforeRemove({ db, request }, rows) {
    if (whole.has(request)) return
    await touch(
      db,
      rows.map(row => row.workflowId),
    )
    for (const { id, workflowId } of rows) {
      const others = await db
        .selectFrom('job_workflow_node')
        .select(['id', 'nodeName', 'afterNodes'])
        .where('workflowId', '=', workflowId)
        .execute()
      const left = others.filter(node => node.id !== id && !rows.some(row => row.id === node.id))
      if (left.length === 0) throw refuseSaying('row.inUse', '请至少保留一个节点')
      const [problem] = graphProblems(left)
      if (problem) throw refuseSaying('row.inUse', problem.msg)
    }
  },
}

/** A job that is a node of a workflow stays. @throws row.inUse with the name of the workflow */
export async function checkNoNode(db: Live, ids: readonly string[]): Promise<void> {
  const node = await db
    .selectFrom('job_workflow_node as n')
    .innerJoin('job_workflow as w', 'w.id', 'n.workflowId')
    .innerJoin('job_info as j', 'j.id', 'n.jobInfoId')
    .select(['j.jobName', 'w.workflowName'])
    .where('n.jobInfoId', 'in', [...ids])
    .limit(1)
    .executeTakeFirst()
  if (node)
    throw refuseSaying('row.inUse', `任务“${node.jobName}”是工作流“${node.workflowName}”的节点，请先从工作流中移除`)
}

/** How the last run of workflows ended, and what they consist of. */
export const deriveWorkflow: Derive<typeof jobWorkflow> = async ({ app, person }, rows) => {
  const ids = rows.map(row => row.id)
  if (ids.length === 0) return []
  const db = liveAs(app, person)
  const nodes = await db
    .selectFrom('job_workflow_node as n')
    .innerJoin('job_info as j', 'j.id', 'n.jobInfoId')
    .select(['n.workflowId', 'n.nodeName', 'n.afterNodes', 'j.jobName'])
    .where('n.workflowId', 'in', ids)
    .orderBy('n.id')
    .execute()
  const runs = await db
    .selectFrom('job_workflow_run')
    .distinctOn('workflowId')
    .select(['workflowId', 'state', 'planTime'])
    .where('workflowId', 'in', ids)
    .orderBy('workflowId')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id }) => {
    const last = runs.find(run => run.workflowId === id)
    return {
      lastStatus: last?.state ?? null,
      lastTime: last ? wireTime(last.planTime) : null,
      graph: nodes
        .filter(node => node.workflowId === id)
        .map(node => ({ name: node.nodeName, job: node.jobName, after: nodeNames(node.afterNodes) })),
    }
  })
}
