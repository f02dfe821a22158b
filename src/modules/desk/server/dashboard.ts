import type { FastifyInstance } from 'fastify'
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { ExamineStatus, PayState, SendType, SignStatus, UserType } from '#schemas/dictionaries'
import { inScope } from '../../../crud/scope.ts'
import type { LiveDatabase } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { startOfDay } from '../../../platform/http/server/wire.ts'
import type { LinePoint } from '../../statistics/contract.ts'
import type { Figure } from '../contract.ts'
import { health } from './health.ts'
import { seesSignups, staffWork } from './staff-home.ts'
import type { DeskApp } from './start-list.ts'

/** A number of today. */
interface Today {
  /** Also what the page calls it. */
  code: string
  table: 'signup' | 'payrecord' | 'user' | 'sendmessage'
  /** Whoever may know it. */
  sees: (person: Person) => boolean
  /** Column with the time by which a row belongs to a day; the row is `t`. */
  time: string
  /** What else a row must be. */
  where: Expression<SqlBool>
  /** What is added up; rows are counted without it. */
  sum?: string
}

const holder = (permission: string) => (person: Person) => person.permissions.has(permission)

const eb = expressionBuilder<LiveDatabase>()
const submitted = sql<boolean>`t."signStatus" = ${sql.lit(SignStatus.submitted)}`
const paid = sql<boolean>`t."payState" = ${sql.lit(PayState.paid)}`

const todays: readonly Today[] = [
  { code: 'submitted', table: 'signup', sees: seesSignups, time: 'submitTime', where: submitted },
  {
    code: 'examined',
    table: 'signup',
    sees: seesSignups,
    time: 'examineTime',
    where: sql<boolean>`${submitted} AND t.examine <> ${sql.lit(ExamineStatus.pending)}`,
  },
  { code: 'paid', table: 'payrecord', sees: holder('payrecord'), time: 'payTime', where: paid },
  {
    code: 'income',
    table: 'payrecord',
    sees: holder('payrecord'),
    time: 'payTime',
    where: paid,
    sum: 'amount',
  },
  {
    code: 'registered',
    table: 'user',
    sees: holder('user'),
    time: 'createTime',
    where: sql<boolean>`t."userType" = ${sql.lit(UserType.candidate)}`,
  },
  {
    code: 'sent',
    table: 'sendmessage',
    sees: holder('sendmessage'),
    time: 'sendTime',
    where: eb.exists(
      eb
        .selectFrom('send as o')
        .select('o.id')
        .where('o.id', '=', sql.ref<string>('t.sendId'))
        .where('o.sendType', '<>', SendType.inbox),
    ),
  },
]

function counting(app: DeskApp, person: Person, { code, table, time, where, sum }: Today): Expression<Figure> {
  const what = sum ? sql`coalesce(sum(${sql.ref(`t.${sum}`)}), 0)` : sql`count(*)`
  return liveAs(app, person)
    .selectFrom(`${table} as t` as 'signup as t')
    .select([sql<string>`${code}::text`.as('code'), sql<number>`${what}::float8`.as('num')])
    .where(inScope(app, person, table, 't'))
    .where(sql.ref<Date>(`t.${time}`), '>=', startOfDay(app.now()))
    .where(where)
}

/** What has happened today, as far as the person may know, in one statement; amounts in fen. */
async function today(app: DeskApp, person: Person) {
  const mine = todays.filter(({ sees }) => sees(person))
  if (mine.length === 0) return []
  const each = mine.map(one => counting(app, person, one))
  return (await sql<Figure>`${sql.join(each, sql.raw(' UNION ALL '))}`.execute(liveAs(app, person))).rows
}

/** Days of the line, today included. */
const lineDays = 14
const day = 86_400_000

/** Sign-ups handed in on each of the last days of Shanghai, and all so far at the end of each; none for whoever may not know. */
async function submissions(app: DeskApp, person: Person): Promise<LinePoint[]> {
  if (!seesSignups(person)) return []
  const now = app.now()
  const first = new Date(startOfDay(now).getTime() - (lineDays - 1) * day)
  const days = sql<{ at: Date }>`generate_series(${first}::timestamptz, ${now}::timestamptz, interval '1 day')`
  return liveAs(app, person)
    .with(
      cte => cte('handed').materialized(),
      db =>
        db
          .selectFrom('signup as s')
          .select(({ fn }) => fn.coalesce('s.submitTime', 's.createTime').as('at'))
          .where('s.signStatus', '=', SignStatus.submitted)
          .where(inScope(app, person, 'signup', 's')),
    )
    .selectFrom(days.as<'d'>(sql`d (at)`))
    .leftJoin('handed as h', join => join.on('h.at', '<', sql<Date>`d.at + interval '1 day'`))
    .select(({ fn, cast, ref }) => [
      sql<string>`to_char(d.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD')`.as('time'),
      cast<number>(fn.countAll().filterWhere('h.at', '>=', ref('d.at')), 'integer').as('num'),
      cast<number>(fn.count('h.at'), 'integer').as('total'),
    ])
    .groupBy('d.at')
    .orderBy('d.at')
    .execute()
}

/** What the dashboard of staff shows: the first page's work and exams, the last days in numbers, and how the system does. */
export async function dashboard(app: DeskApp & Pick<FastifyInstance, 'config'>, person: Person) {
  const [work, numbers, line, state] = await Promise.all([
    staffWork(app, person),
    today(app, person),
    submissions(app, person),
    health(app, person),
  ])
  return { ...work, today: numbers, line, health: state }
}
