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
import { type Graph, nodeOf, reachable } from '../rules/graph.ts'

type Around = Pick<FastifyInstance, 'db' | 'now' | 'extensions'>

/** A step of a run on the wire. */
type Step = ReplyOf<typeof runHistory>[number]

/** Permissions to look at runs without a part in them. */
const managing = ['flow_follow', 'flow_manager']

const ofRun = expressionBuilder<LiveDatabase & { i: LiveDatabase['flow_instance'] }, 'i'>()

/** Whether a person has a part in the run `i`: began it, does or did one of its tasks, or may claim the one it stands at. */
export function takesPart({ userId, roles }: Person): RawBuilder<boolean> {
  const tasks = ofRun
    .selectFrom('flow_activity as p')
    .select('p.id')
    .whereRef('p.instanceId', '=', 'i.id')
    .where('p.type', '=', sql.lit('userTask'))
    .where(({ or, and, eb }) =>
      or([
        eb('p.assignee', '=', userId),
        and([
          eb('p.endTime', 'is', null),
          eb('p.assignee', 'is', null),
          eb('p.groups', '&&', sql<string[]>`${[...roles]}::text[]`),
        ]),
      ]),
    )
  return sql<boolean>`(i.starter = ${userId} OR EXISTS ${tasks})`
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
    .$if(!isManaging, query => query.where(takesPart(person)))
    .executeTakeFirst()
  if (!run) throw refuse('row.notFound')
  return { ...run, graph: run.graph as Graph }
}

async function stepsOf(db: Live, instanceId: string): Promise<Step[]> {
  const rows = await db
    .selectFrom('flow_activity as a')
    .leftJoin(withRemoved('user as u'), 'u.id', 'a.assignee')
    .where('a.instanceId', '=', instanceId)
    .orderBy('a.id')
    .select(['a.activityId', 'a.name', 'a.type', 'a.assignee', 'u.realName', 'a.createTime', 'a.endTime'])
    .select(['a.pass', 'a.comment'])
    .execute()
  return rows.map(({ activityId, name, type, realName, ...row }) => ({
    historyActivityId: activityId,
    historyActivityName: name,
    historyActivityType: type,
    historyActivityDurationTime: row.endTime ? durationText(Number(row.endTime) - Number(row.createTime)) : '',
    ...row,
    assigneeName: realName,
  }))
}

/** Steps that a run may still come to from where it stands. */
function aheadOf(graph: Graph, steps: readonly Step[]): Step[] {
  const now = steps.find(({ endTime }) => !endTime)
  if (!now) return []
  const met = new Set(steps.map(one => one.historyActivityId))
  return [...reachable(graph, now.historyActivityId)]
    .filter(id => !met.has(id))
    .map(id => ({
      historyActivityId: id,
      historyActivityName: nodeOf(graph, id).name,
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
