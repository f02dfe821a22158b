import { type Expression, sql } from 'kysely'
import { type Resource, type Todo, tableOf } from '#engine'
import { resources, views } from '#resources'
import { type CountedTodoName, countedTodos } from '#resources/todos'
import { ExamineStage } from '#schemas/dictionaries'
import { dueOf, listViewSql } from '../../../crud/list-view.ts'
import { resourceOf } from '../../../crud/lookup.ts'
import { whereOf } from '../../../crud/query.ts'
import { admitted } from '../../../crud/view.ts'
import { rolesOwing } from '../../../platform/access/server/owed-grants.ts'
import { chainsBroken } from '../../../platform/audit/server/chain-check.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { reductionsWaiting } from '../../reduction/server/waiting.ts'
import { vacanciesWaiting } from '../../results/server/vacancies.ts'
import { waitingIn } from '../../review/server/list.ts'
import { roomsToday } from '../../tickets/server/check-in/rooms.ts'
import { flowWaiting } from '../../workflow/server/waiting.ts'
import type { DeskApp } from './start-list.ts'

/** How much of one kind of work waits, since when, and how much of it too long. */
interface Waiting {
  code: string
  num: number
  oldest: Date | null
  overdue: number
  /** When the first of it has waited too long; nothing where it may wait. */
  due: Date | null
  /** The page of what waits, where that is not the same for everything of its kind. */
  opens?: string
}

/** A to-do of a screen: rows of one of its named filters. */
interface ScreenTodo extends Todo {
  readonly code: string
  readonly screen: Resource
  readonly chip: string
}

const screenTodos: readonly ScreenTodo[] = [...resources, ...views].flatMap(screen =>
  Object.entries(screen.todos).map(([chip, todo]) => ({ ...todo, screen, chip, code: `${screen.name}.${chip}` })),
)

const needsOf = ({ needs, screen }: ScreenTodo): string => needs ?? screen.code

/** The query of a list that shows what a to-do counts, beside its address. */
const queryOf = ({ screen, chip }: ScreenTodo): Record<string, string> => ({
  ...(screen.view && { view: screen.view.name }),
  chip,
})

/** The rows of a list that wait, as a part of the statement that counts all work. */
function counting(app: DeskApp, person: Person, todo: ScreenTodo): Expression<Waiting> {
  const { screen, code, since = 'createTime', overdue } = todo
  const resource = resourceOf(screen.entity.name)
  // Whoever comes by the permission of a view meets its rows alone.
  const caller = admitted(person, [resource.code]) ?? person
  const where = whereOf({ app, person: caller, resource }, queryOf(todo))
  const asking = { app, person: caller, resource, now: app.now() }
  const late = overdue && listViewSql(overdue, asking)
  const due = overdue && dueOf(overdue, asking)
  return (
    liveAs(app, person)
      // Any table: only its scope and the filters of its list are asked for.
      .selectFrom(`${tableOf(screen.entity.name)} as t` as 'user as t')
      .select([
        sql<string>`${code}::text`.as('code'),
        sql<number>`count(*)::int`.as('num'),
        sql<Date | null>`min(${sql.ref(`t.${since}`)})`.as('oldest'),
        late ? sql<number>`(count(*) FILTER (WHERE ${late}))::int`.as('overdue') : sql<number>`0`.as('overdue'),
        due
          ? sql<Date | null>`min(${due.at}) FILTER (WHERE ${due.where})`.as('due')
          : sql<Date | null>`NULL::timestamptz`.as('due'),
      ])
      .where(where.$castTo<boolean>())
  )
}

/** Reviews wait for whoever is appointed, as in the reviewers' lists: their stage, and the named filter of it. */
const reviews = {
  examine: [ExamineStage.first, 'fresh'],
  again: [ExamineStage.first, 'again'],
  review: [ExamineStage.second],
  move: [ExamineStage.reassignment],
} as const satisfies { readonly [K in CountedTodoName]?: readonly unknown[] }

/** What other modules count of the work of their pages. */
const numbers = {
  reduction: reductionsWaiting,
  rooms: roomsToday,
  presetRoles: rolesOwing,
  vacancy: vacanciesWaiting,
  chains: chainsBroken,
} as const satisfies { readonly [K in CountedTodoName]?: unknown }

/** The work of pages by hand that waits for a person. */
async function counted(app: DeskApp, person: Person): Promise<Waiting[]> {
  const db = liveAs(app, person)
  const caller = { db, vault: app.vault, person, now: app.now(), ip: '', meter: app.meter }
  const mine = Object.entries(reviews).filter(([code]) =>
    person.permissions.has(countedTodos[code as keyof typeof reviews].needs),
  )
  const byCount = Object.entries(numbers).filter(([code]) =>
    person.permissions.has(countedTodos[code as keyof typeof numbers].needs),
  )
  const flows = flowWaiting(db, person, app.now())
  const [inReview, others, inFlows] = await Promise.all([
    Promise.all(mine.map(async ([code, [stage, chip]]) => ({ code, ...(await waitingIn(caller, stage, chip)) }))),
    Promise.all(byCount.map(async ([code, count]) => ({ code, ...(await count(app, person)) }))),
    flows.length > 0 ? sql<Waiting>`${sql.join(flows, sql.raw(' UNION ALL '))}`.execute(db) : { rows: [] },
  ])
  return [...inReview, ...others, ...inFlows.rows]
}

/** The work of screens that waits for a person. */
async function listed(app: DeskApp, person: Person): Promise<Waiting[]> {
  const each = screenTodos
    .filter(todo => person.permissions.has(needsOf(todo)))
    .map(todo => counting(app, person, todo))
  if (each.length === 0) return []
  return (await sql<Waiting>`${sql.join(each, sql.raw(' UNION ALL '))}`.execute(liveAs(app, person))).rows
}

const byCode = new Map(screenTodos.map(todo => [todo.code, todo]))

/** What a line is called, and the address of exactly the rows that it counts. */
function placeOf(code: string): { title: string; opens: string } {
  const todo = byCode.get(code)
  if (!todo) {
    const { label, opens } = countedTodos[code as CountedTodoName]
    return { title: label, opens }
  }
  return { title: todo.label, opens: `${todo.screen.route}?${new URLSearchParams({ chip: todo.chip })}` }
}

const moment = (time: Date | null): number => time?.getTime() ?? Number.POSITIVE_INFINITY

/** By deadline, the soonest first and what has none last; of one deadline what has waited longest. */
const bySoonest = (a: Waiting, b: Waiting): number => order(a.due, b.due) || order(a.oldest, b.oldest)
const order = (a: Date | null, b: Date | null): number => (moment(a) === moment(b) ? 0 : moment(a) - moment(b))

/** What waits for this person, by deadline; nothing that somebody else must do. */
export async function todosOf(app: DeskApp, person: Person) {
  const [own, rest] = await Promise.all([counted(app, person), listed(app, person)])
  return [...own, ...rest]
    .filter(({ num }) => num > 0)
    .sort(bySoonest)
    .map(one => ({ ...placeOf(one.code), ...one }))
}
