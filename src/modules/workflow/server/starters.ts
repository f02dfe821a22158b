import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Live, LiveDatabase } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import './flow-tables.ts'

/** Whether a person may begin a process deployed as `d` or `flow_deployment`: its newest version names nobody, or that person. */
export async function startableBy(
  db: Live,
  { userId, account, roles, deptIds }: Person,
  deployed: 'd' | 'flow_deployment' = 'flow_deployment',
): Promise<Expression<SqlBool>> {
  const posts = await db
    .selectFrom('user as u')
    .innerJoin('post as p', join =>
      join.on(sql<boolean>`p.id::text = ANY(string_to_array(coalesce(u."postId", ''), ','))`),
    )
    .select('p.postCode')
    .where('u.id', '=', userId)
    .execute()
  const people = [{ user: userId }, { account }]
  const groups = [
    ...roles.map(role => ({ role })),
    ...deptIds.map(dept => ({ dept })),
    ...posts.map(({ postCode }) => ({ post: postCode })),
  ]
  const has = (name: string, one: object) =>
    sql<boolean>`v.graph -> 'starters' -> ${sql.lit(name)} @> ${JSON.stringify([one])}::jsonb`
  const nobody = sql<boolean>`coalesce(jsonb_array_length(v.graph -> 'starters' -> 'candidateUsers'), 0)
    + coalesce(jsonb_array_length(v.graph -> 'starters' -> 'candidateGroups'), 0) = 0`
  const eb = expressionBuilder<LiveDatabase & { d: LiveDatabase['flow_deployment'] }, 'd' | 'flow_deployment'>()
  const newest = eb
    .selectFrom('flow_version as v')
    .select(
      eb
        .or([
          nobody,
          ...people.map(person => has('candidateUsers', person)),
          ...groups.map(group => has('candidateGroups', group)),
        ])
        .as('may'),
    )
    .whereRef('v.deploymentId', '=', `${deployed}.id`)
    .orderBy('v.version', 'desc')
    .limit(1)
  return sql<boolean>`${newest}`
}
