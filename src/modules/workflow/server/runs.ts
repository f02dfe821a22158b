import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { QueryOf, ReplyOf } from '#engine'
import { FlowRun } from '#schemas/dictionaries'
import './flow-tables.ts'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { type Page, page, pageOf } from '../../../platform/http/server/page.ts'
import { readTime } from '../../../platform/http/server/wire.ts'
import type { allRuns } from '../contract.ts'
import { definitionNames } from './definitions.ts'
import { isClaimable, isMine } from './waiting.ts'

type RunQuery = QueryOf<typeof allRuns>
type Truth = RawBuilder<boolean>
type Run = ReplyOf<typeof allRuns>['records'][number]

/** Which rows a list has and what stands first. `a` is the task, `i` the run. */
interface Kind {
  /** Whether a run stands there once, with its last task, or once for each task. */
  of: 'runs' | 'tasks'
  where: Truth
}

/** The lists of work by their name, as this person meets them. */
export const kinds = {
  claim: (person: Person): Kind => ({ of: 'tasks', where: isClaimable(person) }),
  todo: (person: Person): Kind => ({ of: 'tasks', where: isMine(person) }),
  done: ({ userId }: Person): Kind => ({
    of: 'tasks',
    where: sql`a.type = 'userTask' AND a."endTime" IS NOT NULL AND a.assignee = ${userId} AND a.pass IS NOT NULL`,
  }),
  send: ({ userId }: Person): Kind => ({ of: 'runs', where: sql`i.starter = ${userId}` }),
  follow: (): Kind => ({ of: 'runs', where: sql`true` }),
}

const narrowing = (asked: RunQuery, began: RawBuilder<Date>): Truth[] => {
  const query = definitionNames(asked)
  const name = query.processDefinitionName
  const from = readTime(query.createTime_dategt ?? query.beginDate)
  const until = readTime(query.createTime_datelt ?? query.endDate)
  return [
    ...(query.category ? [sql<boolean>`d.category = ${Number(query.category)}`] : []),
    ...(name ? [sql<boolean>`strpos(d.name, ${name}) > 0`] : []),
    ...(query.processDefinitionKey ? [sql<boolean>`d."modelKey" = ${query.processDefinitionKey}`] : []),
    ...(query.processInstanceId ? [sql<boolean>`i.id = ${query.processInstanceId}`] : []),
    ...(from ? [sql<boolean>`${began} >= ${from}`] : []),
    ...(until ? [sql<boolean>`${began} <= ${until}`] : []),
  ]
}

function tasksIn(db: Live) {
  return db.selectFrom('flow_instance as i').innerJoin('flow_activity as a', 'a.instanceId', 'i.id')
}

/** Runs with their last task each; where a run has none, the columns of the task are null. */
const runsIn = (db: Live) =>
  db.selectFrom('flow_instance as i').leftJoinLateral(
    eb =>
      eb
        .selectFrom('flow_activity as l')
        .selectAll('l')
        .whereRef('l.instanceId', '=', 'i.id')
        .where('l.type', '=', sql.lit('userTask'))
        .orderBy('l.id', 'desc')
        .limit(1)
        .as('a'),
    join => join.onTrue(),
  ) as unknown as ReturnType<typeof tasksIn>

/**
 * A page of runs or tasks of the person's tenant, those that began last first; lists of runs show running ones before others.
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
  const one = isOfRuns ? 'i' : 'a'
  const began = sql.ref<Date>(`${one}.createTime`)
  const found = (isOfRuns ? runsIn(db) : tasksIn(db))
    .innerJoin('flow_version as v', 'v.id', 'i.versionId')
    .innerJoin(withRemoved('flow_deployment as d'), 'd.id', 'v.deploymentId')
    .where(({ and }) => and([kind.where, ...narrowing(query, began)]))
  const { n } = await found.select(({ fn }) => fn.countAll<string>().as('n')).executeTakeFirstOrThrow()
  const rows = found
    .select(['a.id as taskId', 'a.name as taskName', 'a.assignee', began.as('createTime')])
    .select(['i.id as processInstanceId', 'i.businessTable', 'i.businessId', 'i.status', 'i.starter'])
    .select([
      sql.ref<Date | null>(`${one}.endTime`).as('endTime'),
      sql<
        Run['processIsFinished']
      >`CASE i.status WHEN ${sql.lit(FlowRun.running)} THEN 'unfinished' ELSE 'finished' END`.as('processIsFinished'),
    ])
    .select(['d.id as processDefinitionId', 'd.modelKey as processDefinitionKey', 'd.name as processDefinitionName'])
    .select(['d.category', 'v.version as processDefinitionVersion'])
    .$if(isOfRuns, each => each.orderBy(sql`i.status > ${sql.lit(FlowRun.running)}`))
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
    .$if(isOfRuns, each => each.orderBy(sql`p.status > ${sql.lit(FlowRun.running)}`))
    .orderBy('p.createTime', 'desc')
    .orderBy(isOfRuns ? 'p.processInstanceId' : 'p.taskId', 'desc')
    .execute()
  return page(records, Number(n), at)
}
