import type { FastifyInstance } from 'fastify'
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { QueryOf, ReplyOf } from '#engine'
import { FlowRun } from '#schemas/dictionaries'
import './flow-tables.ts'
import { type Live, type LiveDatabase, withRemoved } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { type Page, page, pageOf } from '../../../platform/http/server/page.ts'
import { readTime } from '../../../platform/http/server/wire.ts'
import type { allRuns } from '../contract.ts'
import { TaskState, TokenState } from '../rules/run/state.ts'
import { definitionNames } from './definitions.ts'
import { isCandidate, isMine } from './waiting.ts'

type RunQuery = QueryOf<typeof allRuns>
type Truth = Expression<SqlBool>
type Run = ReplyOf<typeof allRuns>['records'][number]

/** Which rows a list has and what stands first. `t` is the task, `i` the run. */
interface Kind {
  /** Whether a run stands there once, with its oldest open task or its last one, or once for each task. */
  of: 'runs' | 'tasks'
  where(db: Live): Truth
}

const ended = [TaskState.done, TaskState.returned].map(one => sql.lit(one))

/** The lists of work by their name, as this person meets them. */
export const kinds = {
  claim: (person: Person): Kind => ({ of: 'tasks', where: db => isCandidate(db, person) }),
  todo: (person: Person): Kind => ({ of: 'tasks', where: () => isMine(person) }),
  done: ({ userId }: Person): Kind => ({
    of: 'tasks',
    where: () => sql<boolean>`t.state IN (${sql.join(ended)}) AND t.assignee = ${userId}`,
  }),
  send: ({ userId }: Person): Kind => ({ of: 'runs', where: () => sql<boolean>`i.starter = ${userId}` }),
  copies: ({ userId }: Person, isRead?: '0' | '1'): Kind => ({
    of: 'runs',
    where: db =>
      expressionBuilder<LiveDatabase, never>().exists(
        db
          .selectFrom('flow_copy as c')
          .select('c.id')
          .where(sql<boolean>`c."instanceId" = i.id`)
          .where('c.userId', '=', userId)
          .$if(isRead === '0', query => query.where('c.readTime', 'is', null))
          .$if(isRead === '1', query => query.where('c.readTime', 'is not', null)),
      ),
  }),
  follow: (): Kind => ({ of: 'runs', where: () => sql<boolean>`true` }),
}

const narrowing = (asked: RunQuery, began: RawBuilder<Date>): Truth[] => {
  const query = definitionNames(asked)
  const name = query.processDefinitionName
  const from = readTime(query.createTime_dategt ?? query.beginDate)
  const until = readTime(query.createTime_datelt ?? query.endDate)
  return [
    ...(query.category ? [sql<boolean>`d.category = ${Number(query.category)}`] : []),
    ...(name ? [sql<boolean>`strpos(d.name, ${name}) > 0`] : []),
    ...(query.title ? [sql<boolean>`strpos(i.title, ${query.title}) > 0`] : []),
    ...(query.processDefinitionKey ? [sql<boolean>`d."modelKey" = ${query.processDefinitionKey}`] : []),
    ...(query.processInstanceId ? [sql<boolean>`i.id = ${query.processInstanceId}`] : []),
    ...(query.incident === '1' ? [sql<boolean>`i.incident IS NOT NULL`] : []),
    ...(from ? [sql<boolean>`${began} >= ${from}`] : []),
    ...(until ? [sql<boolean>`${began} <= ${until}`] : []),
  ]
}

function tasksIn(db: Live) {
  return db.selectFrom('flow_instance as i').innerJoin('flow_task as t', 't.instanceId', 'i.id')
}

/** Runs with one task each: the oldest open one, else the last; where a run has none, the columns of the task are null. */
const runsIn = (db: Live) =>
  db.selectFrom('flow_instance as i').leftJoinLateral(
    eb =>
      eb
        .selectFrom('flow_task as l')
        .selectAll('l')
        .whereRef('l.instanceId', '=', 'i.id')
        .orderBy(sql`CASE WHEN l.state <= ${sql.lit(TaskState.consulting)} THEN l.id END`)
        .orderBy('l.id', 'desc')
        .limit(1)
        .as('t'),
    join => join.onTrue(),
  ) as unknown as ReturnType<typeof tasksIn>

/**
 * What runs stand at, by the run: the names of all present steps, with how many of several people are through.
 * @returns `会签（2/3）、财务`
 */
async function stepNames(db: Live, runs: readonly string[]): Promise<Map<string, string>> {
  if (runs.length === 0) return new Map()
  const open = await db
    .selectFrom('flow_activity as a')
    .select(['a.instanceId', 'a.activityId', 'a.name'])
    .where('a.instanceId', 'in', runs)
    .where('a.endTime', 'is', null)
    .where('a.type', '<>', 'subProcess')
    .orderBy('a.id')
    .execute()
  const several = await db
    .selectFrom('flow_token')
    .select(['instanceId', 'nodeId', 'loc'])
    .where('instanceId', 'in', runs)
    .where('state', '=', sql.lit(TokenState.waiting))
    .where(sql<boolean>`jsonb_exists(loc, 'nrOfInstances')`)
    .execute()
  const names = new Map<string, Map<string, string>>()
  for (const { instanceId, activityId, name } of open) {
    const all = several.find(one => one.instanceId === instanceId && one.nodeId === activityId)
    const far = all ? `（${Number(all.loc.nrOfCompletedInstances)}/${Number(all.loc.nrOfInstances)}）` : ''
    const own = names.get(instanceId) ?? new Map<string, string>()
    names.set(instanceId, own.set(activityId, `${name || activityId}${far}`))
  }
  return new Map([...names].map(([run, own]) => [run, [...own.values()].join('、')]))
}

/**
 * A page of runs or tasks of the person's tenant, those that began last first; lists of runs show running ones before others, lists
 * of tasks those that are overdue.
 * @param kind one of {@link kinds}
 */
export async function runPage(
  app: Pick<FastifyInstance, 'db' | 'now'>,
  person: Person,
  kind: Kind,
  query: RunQuery,
): Promise<Page<Run>> {
  const at = pageOf(query)
  const db = liveAs(app, person)
  const isOfRuns = kind.of === 'runs'
  const one = isOfRuns ? 'i' : 't'
  const began = sql.ref<Date>(`${one}.createTime`)
  const found = (isOfRuns ? runsIn(db) : tasksIn(db))
    .innerJoin('flow_version as v', 'v.id', 'i.versionId')
    .innerJoin(withRemoved('flow_deployment as d'), 'd.id', 'v.deploymentId')
    .where(({ and }) => and([kind.where(db), ...narrowing(query, began)]))
  const { n } = await found.select(({ fn }) => fn.countAll<string>().as('n')).executeTakeFirstOrThrow()
  const isOverdue = sql<boolean>`coalesce(t.state <= ${sql.lit(TaskState.consulting)} AND t."dueTime" < ${app.now()}, false)`
  const first = isOfRuns ? sql`i.status > ${sql.lit(FlowRun.running)}` : sql`NOT ${isOverdue}`
  const rows = found
    .select(['t.id as taskId', 't.name as taskName', 't.assignee', 't.dueTime', isOverdue.as('overdue')])
    .select([sql<number>`coalesce(t."urgeCount", 0)`.as('urgeCount'), began.as('createTime'), first.as('isLater')])
    .select(['i.id as processInstanceId', 'i.businessTable', 'i.businessId', 'i.status', 'i.starter'])
    .select(['i.incident', 'i.passState', sql<string>`coalesce(i.title, d.name)`.as('title')])
    .select([
      sql.ref<Date | null>(`${one}.endTime`).as('endTime'),
      sql<
        Run['processIsFinished']
      >`CASE i.status WHEN ${sql.lit(FlowRun.running)} THEN 'unfinished' ELSE 'finished' END`.as('processIsFinished'),
    ])
    .select(['d.id as processDefinitionId', 'd.modelKey as processDefinitionKey', 'd.name as processDefinitionName'])
    .select(['d.category', 'v.version as processDefinitionVersion'])
    .orderBy(first)
    .orderBy(began, 'desc')
    .orderBy(`${one}.id`, 'desc')
    .limit(at.size)
    .offset(at.offset)
    .as('p')
  const records = await db
    .selectFrom(rows)
    .leftJoin(withRemoved('user as doer'), 'doer.id', 'p.assignee')
    .leftJoin(withRemoved('user as asker'), 'asker.id', 'p.starter')
    .selectAll('p')
    .select(['doer.realName as assigneeName', 'asker.realName as starterName'])
    .orderBy('p.isLater')
    .orderBy('p.createTime', 'desc')
    .orderBy(isOfRuns ? 'p.processInstanceId' : 'p.taskId', 'desc')
    .execute()
  const names = isOfRuns
    ? await stepNames(
        db,
        records.map(row => row.processInstanceId),
      )
    : new Map<string, string>()
  const shown = records.map(({ isLater: _, ...row }) => ({
    ...row,
    taskName: names.get(row.processInstanceId) ?? row.taskName,
  }))
  return page(shown, Number(n), at)
}
