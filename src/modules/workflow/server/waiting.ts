import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type CountedTodoName, countedTodos } from '#resources/todos'
import './flow-tables.ts'
import type { Live, LiveDatabase } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { TaskState } from '../rules/run/state.ts'

const { claimable, open, delegated } = TaskState

/** Task `t` waits for this person. */
export const isMine = ({ userId }: Pick<Person, 'userId'>): RawBuilder<boolean> =>
  sql`t.state IN (${sql.lit(open)}, ${sql.lit(delegated)}) AND t.assignee = ${userId}`

/** Posts of a person's account, as tasks name them. */
const postsOf = (db: Live, { userId }: Person) =>
  db
    .selectFrom('user as me')
    .where('me.id', '=', userId)
    .select(sql<string[]>`string_to_array('post:' || replace(nullif(me."postId", ''), ',', ',post:'), ',')`.as('all'))

/** Whether a person is one of those task `t` waits for. */
export const isCandidate = (db: Live, person: Person): Expression<SqlBool> => {
  const { roles, deptIds, userId } = person
  const groups = [...roles, ...deptIds.map(id => `dept:${id}`)]
  const eb = expressionBuilder<LiveDatabase & { t: LiveDatabase['flow_task'] }, 't'>()
  return eb.and([
    eb('t.state', '=', sql.lit(claimable)),
    eb.or([
      sql<boolean>`t."candidateUsers" @> ARRAY[${userId}]::bigint[]`,
      sql<boolean>`t."candidateGroups" && (${groups}::text[] || coalesce(${postsOf(db, person)}, '{}'))`,
    ]),
  ])
}

/** What puts a task into a list of work, by the to-do that counts it. */
const lists = {
  flowTodo: (_db: Live, person: Person): Expression<SqlBool> => isMine(person),
  flowClaim: isCandidate,
} as const satisfies { readonly [K in CountedTodoName]?: unknown }

/** How much of one kind of work waits, since when, and how much of it too long. */
interface Waiting {
  code: string
  num: number
  oldest: Date
  overdue: number
  due: Date | null
}

/** What waits for a person in processes, as parts of the statement that counts all work. */
export const flowWaiting = (db: Live, person: Person, now: Date): Expression<Waiting>[] =>
  Object.entries(lists)
    .filter(([code]) => person.permissions.has(countedTodos[code as keyof typeof lists].needs))
    .map(([code, is]) =>
      db
        .selectFrom('flow_task as t')
        .innerJoin('flow_instance as i', 'i.id', 't.instanceId')
        .select([
          sql<string>`${code}::text`.as('code'),
          sql<number>`count(*)::int`.as('num'),
          sql<Date>`min(t."createTime")`.as('oldest'),
          sql<number>`(count(*) FILTER (WHERE t."dueTime" < ${now}))::int`.as('overdue'),
          sql<Date | null>`min(t."dueTime")`.as('due'),
        ])
        .where(is(db, person)),
    )
