import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { QueryOf, ReplyOf } from '#engine'
import type { Person } from '../../../platform/http/server/access.ts'
import './flow-tables.ts'
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

const joined = {
  tasks: sql`JOIN flow_activity a ON a."instanceId" = i.id`,
  runs: sql`LEFT JOIN LATERAL (SELECT * FROM flow_activity l WHERE l."instanceId" = i.id AND l.type = 'userTask'
    ORDER BY l.id DESC LIMIT 1) a ON true`,
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

/**
 * A page of runs or tasks of the person's tenant, those that began last first; lists of runs show running ones before others.
 * @param kind one of {@link kinds}
 */
export async function runPage(
  { db }: Pick<FastifyInstance, 'db'>,
  person: Person,
  kind: Kind,
  query: RunQuery,
): Promise<Page<Run>> {
  const at = pageOf(query)
  const one = kind.of === 'tasks' ? sql.ref('a') : sql.ref('i')
  const began = sql<Date>`${one}."createTime"`
  const wanted = [sql<boolean>`i."tenantId" = ${person.tenantId}`, kind.where, ...narrowing(query, began)]
  const found = sql`FROM flow_instance i ${joined[kind.of]}
    JOIN flow_version v ON v.id = i."versionId" JOIN flow_deployment d ON d.id = v."deploymentId"
    WHERE ${sql.join(wanted, sql` AND `)}`
  const { rows: counted } = await sql<{ n: number }>`SELECT count(*)::int AS n ${found}`.execute(db)
  const { rows } = await sql<Run>`
    SELECT p.*, doer."realName" AS "assigneeName", asker."realName" AS "starterName" FROM (
      SELECT a.id AS "taskId", a.name AS "taskName", a.assignee, ${began} AS "createTime", ${one}."endTime" AS "endTime",
        i.id AS "processInstanceId", i."businessTable", i."businessId", i.status, i.starter,
        CASE i.status WHEN 1 THEN 'unfinished' ELSE 'finished' END AS "processIsFinished",
        d.id AS "processDefinitionId", d."modelKey" AS "processDefinitionKey", d.name AS "processDefinitionName",
        d.category, v.version AS "processDefinitionVersion"
      ${found}
      ORDER BY ${kind.of === 'runs' ? sql`i.status > 1, ` : sql``}${began} DESC, ${one}.id DESC
      LIMIT ${at.size} OFFSET ${at.offset}) p
    LEFT JOIN "user" doer ON doer.id = p.assignee LEFT JOIN "user" asker ON asker.id = p.starter
    ORDER BY ${kind.of === 'runs' ? sql`p.status > 1, ` : sql``}p."createTime" DESC,
      p.${sql.ref(kind.of === 'runs' ? 'processInstanceId' : 'taskId')} DESC`.execute(db)
  return page(rows, counted[0]?.n ?? 0, at)
}
