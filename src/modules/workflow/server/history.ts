import type { FastifyInstance } from 'fastify'
import { expressionBuilder, type RawBuilder, sql } from 'kysely'
import type { ReplyOf } from '#engine'
import { FlowRun } from '#schemas/dictionaries'
import { scoped } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import './flow-tables.ts'
import { type Live, type LiveDatabase, withRemoved } from '../../../platform/database/live.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { runHistory } from '../contract.ts'
import { durationText } from '../rules/duration.ts'
import type { Graph } from '../rules/flow-graph.ts'
import type { TaskState } from '../rules/run/state.ts'
import { ahead, stepOf } from '../rules/run/ways.ts'
import { upgradeGraph } from '../rules/upgrade-graph.ts'
import { isCandidate } from './waiting.ts'

type Around = Pick<FastifyInstance, 'db' | 'now' | 'extensions'>

/** A step of a run on the wire. */
type Step = ReplyOf<typeof runHistory>[number]

/** Permissions to look at runs without a part in them. */
export const managing = ['flow_follow', 'flow_manager']

const ofRun = expressionBuilder<LiveDatabase & { i: LiveDatabase['flow_instance'] }, 'i'>()

/** Whether a person has a part in the run `i` or one that has called it: began it, does, did or may do one of its tasks, or is told of it. */
export function takesPart(db: Live, person: Person): RawBuilder<boolean> {
  const { userId } = person
  const all = sql`(i.id, i."parentInstance", i."rootInstance")`
  const tasks = ofRun
    .selectFrom('flow_task as t')
    .select('t.id')
    .where(sql<boolean>`t."instanceId" IN ${all}`)
    .where(({ or, eb }) => or([eb('t.assignee', '=', userId), eb('t.owner', '=', userId), isCandidate(db, person)]))
  const acts = ofRun
    .selectFrom('flow_task_log as g')
    .select('g.id')
    .where(sql<boolean>`g."instanceId" IN ${all}`)
    .where('g.fromUser', '=', userId)
  const copies = ofRun
    .selectFrom('flow_copy as c')
    .select('c.id')
    .where(sql<boolean>`c."instanceId" IN ${all}`)
    .where('c.userId', '=', userId)
  return sql<boolean>`(i.starter = ${userId} OR EXISTS ${tasks} OR EXISTS ${copies} OR EXISTS ${acts})`
}

interface Shown {
  xml: string
  graph: Graph
  status: number
}

/** A run that a person may look at. @throws row.notFound for any other */
async function runOf(db: Live, person: Person, id: string): Promise<Shown> {
  const isManaging = managing.some(code => person.permissions.has(code))
  const run = await db
    .selectFrom('flow_instance as i')
    .innerJoin('flow_version as v', 'v.id', 'i.versionId')
    .select(['v.xml', 'v.graph', 'i.status'])
    .where('i.id', '=', id)
    .$if(!isManaging, query => query.where(takesPart(db, person)))
    .executeTakeFirst()
  if (!run) throw refuse('row.notFound')
  return { ...run, graph: upgradeGraph(run.graph) }
}

async function actsOf(db: Live, instanceId: string) {
  const rows = await db
    .selectFrom('flow_task_log as g')
    .leftJoin(withRemoved('user as f'), 'f.id', 'g.fromUser')
    .leftJoin(withRemoved('user as o'), 'o.id', 'g.toUser')
    .select(['g.taskId', 'g.act', 'g.comment', 'g.time', 'f.realName as fromUserName', 'o.realName as toUserName'])
    .where('g.instanceId', '=', instanceId)
    .where('g.taskId', 'is not', null)
    .orderBy('g.id')
    .execute()
  return rows
}

async function stepsOf(db: Live, instanceId: string): Promise<Step[]> {
  const rows = await db
    .selectFrom('flow_activity as a')
    .leftJoin('flow_task as t', 't.id', 'a.taskId')
    .leftJoin(withRemoved('user as u'), join => join.on('u.id', '=', eb => eb.fn.coalesce('t.assignee', 'a.assignee')))
    .leftJoin('flow_instance as c', join =>
      join.onRef('c.parentToken', '=', 'a.tokenId').on('a.type', '=', sql.lit('callActivity')),
    )
    .where('a.instanceId', '=', instanceId)
    .orderBy('a.id')
    .select(['a.activityId', 'a.name', 'a.type', 'u.realName', 'a.createTime', 'a.endTime', 'a.taskId'])
    .select(['t.pass', 't.comment', 't.state', 'c.id as calledProcessInstanceId'])
    .select(eb => eb.fn.coalesce('t.assignee', 'a.assignee').as('assignee'))
    .execute()
  const acts = await actsOf(db, instanceId)
  return rows.map(({ activityId, name, type, realName, taskId, state, calledProcessInstanceId, ...row }) => ({
    historyActivityId: activityId,
    historyActivityName: name,
    historyActivityType: type,
    historyActivityDurationTime: row.endTime ? durationText(Number(row.endTime) - Number(row.createTime)) : '',
    ...row,
    assigneeName: realName,
    ...(taskId && {
      taskId,
      taskState: state as TaskState,
      acts: acts.filter(act => act.taskId === taskId).map(({ taskId: _, ...act }) => act),
    }),
    ...(calledProcessInstanceId && { calledProcessInstanceId }),
  }))
}

/** Steps that a run may still come to from where it stands. */
function aheadOf(graph: Graph, steps: readonly Step[]): Step[] {
  const open = steps.filter(({ endTime }) => !endTime).map(one => one.historyActivityId)
  const met = new Set(steps.map(one => one.historyActivityId))
  return [...new Set(open.flatMap(id => [...ahead(graph, id)]))]
    .filter(id => !met.has(id))
    .map(id => ({
      historyActivityId: id,
      historyActivityName: stepOf(graph, id).name,
      historyActivityType: 'candidate',
      createTime: null,
      endTime: null,
    }))
}

/**
 * The way a run has taken.
 * @throws row.notFound when it is not there for this person
 */
export async function historyOf(app: Around, person: Person, instanceId: string): Promise<Step[]> {
  const db = liveAs(app, person)
  await runOf(db, person, instanceId)
  return stepsOf(db, instanceId)
}

/**
 * The model of a run with the way it has taken and the steps it may still come to.
 * @throws row.notFound when it is not there for this person
 */
export async function runView(app: Around, person: Person, instanceId: string) {
  const db = liveAs(app, person)
  const { xml, graph, status } = await runOf(db, person, instanceId)
  const steps = await stepsOf(db, instanceId)
  return { xml, flow: status === FlowRun.running ? [...steps, ...aheadOf(graph, steps)] : steps }
}

/**
 * The model of a deployed process, as it is begun now.
 * @throws row.notFound when it is not deployed
 */
export async function definitionView(app: Around, person: Person, deploymentId: string) {
  const found = await scoped(app, person, 'flow_deployment')
    .innerJoin('flow_version as v', 'v.deploymentId', 'flow_deployment.id')
    .select('v.xml')
    .where('flow_deployment.id', '=', deploymentId)
    .where('deployTime', 'is not', null)
    .orderBy('v.version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!found) throw refuse('row.notFound')
  return { xml: found.xml, flow: [] }
}
