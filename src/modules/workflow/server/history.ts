import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { ReplyOf } from '#engine'
import { FlowRun } from '#schemas/dictionaries'
import { scoped } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import './flow-tables.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { runHistory } from '../contract.ts'
import { durationText } from '../rules/duration.ts'
import { type Graph, nodeOf, reachable } from '../rules/graph.ts'

type Around = Pick<FastifyInstance, 'db' | 'now'>

/** A step of a run as it travels. */
type Step = ReplyOf<typeof runHistory>[number]

/** Permissions to look at runs without a part in them. */
const managing = ['flow_follow', 'flow_manager']

/** Whether a person has a part in the run `i`: began it, does or did one of its tasks, or may claim the one it stands at. */
export const takesPart = (person: Person) => sql<boolean>`(i.starter = ${person.userId} OR EXISTS (
  SELECT 1 FROM flow_activity p WHERE p."instanceId" = i.id AND p.type = 'userTask' AND (p.assignee = ${person.userId}
    OR (p."endTime" IS NULL AND p.assignee IS NULL AND p.groups && ${[...person.roles]}::text[]))))`

interface Shown {
  xml: string
  graph: Graph
  status: number
}

/** A run that a person may look at. @throws row.notFound for any other */
async function runOf({ db }: Around, person: Person, id: string): Promise<Shown> {
  const isManaging = managing.some(code => person.permissions.has(code))
  const { rows } = await sql<Shown>`
    SELECT v.xml, v.graph, i.status FROM flow_instance i JOIN flow_version v ON v.id = i."versionId"
    WHERE i.id = ${id} AND i."tenantId" = ${person.tenantId} AND ${isManaging ? sql`true` : takesPart(person)}`.execute(
    db,
  )
  if (!rows[0]) throw refuse('row.notFound')
  return rows[0]
}

async function stepsOf({ db }: Around, instanceId: string): Promise<Step[]> {
  const rows = await db
    .selectFrom('flow_activity as a')
    .leftJoin('user as u', 'u.id', 'a.assignee')
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
  await runOf(app, person, instanceId)
  return stepsOf(app, instanceId)
}

/**
 * The model of a run with the way it has taken and the steps it may still come to.
 * @throws row.notFound when it is not there for this person
 */
export async function runView(app: Around, person: Person, instanceId: string) {
  const { xml, graph, status } = await runOf(app, person, instanceId)
  const steps = await stepsOf(app, instanceId)
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
