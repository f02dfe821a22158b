import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { ExamineStatus, PayState, SendType, SignStatus, UserType } from '#schemas/dictionaries'
import { type Fragment, ident, join } from '../../../crud/fragment.ts'
import { resourceOf, scopeOf } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
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
  entity: string
  /** Whoever may know it. */
  sees: (person: Person) => boolean
  /** Column with the time by which a row belongs to a day; the row is `t`. */
  time: string
  /** What else a row must be. */
  where: Fragment
  /** What is added up; rows are counted without it. */
  sum?: string
}

const holder = (permission: string) => (person: Person) => person.permissions.has(permission)

const submitted = sql`t."signStatus" = ${sql.lit(SignStatus.submitted)}`
const paid = sql`t."payState" = ${sql.lit(PayState.paid)}`

const todays: readonly Today[] = [
  { code: 'submitted', entity: 'signup', sees: seesSignups, time: 'submitTime', where: submitted },
  {
    code: 'examined',
    entity: 'signup',
    sees: seesSignups,
    time: 'examineTime',
    where: sql`${submitted} AND t.examine <> ${sql.lit(ExamineStatus.pending)}`,
  },
  { code: 'paid', entity: 'payrecord', sees: holder('payrecord'), time: 'payTime', where: paid },
  {
    code: 'income',
    entity: 'payrecord',
    sees: holder('payrecord'),
    time: 'payTime',
    where: paid,
    sum: 'amount',
  },
  {
    code: 'registered',
    entity: 'user',
    sees: holder('user'),
    time: 'createTime',
    where: sql`t."userType" = ${sql.lit(UserType.candidate)}`,
  },
  {
    code: 'sent',
    entity: 'sendmessage',
    sees: holder('sendmessage'),
    time: 'sendTime',
    where: sql`EXISTS (SELECT 1 FROM send o WHERE o.id = t."sendId" AND o."sendType" <> ${sql.lit(SendType.inbox)})`,
  },
]

function counting({ code, entity, time, where, sum }: Today, person: Person, now: Date): Fragment {
  const scope = scopeOf(person, resourceOf(entity), now)
  const what = sum ? `coalesce(sum(t.${ident(sum)}), 0)` : 'count(*)'
  return sql`SELECT ${code}::text AS code, ${sql.raw(what)}::float8 AS num FROM ${sql.raw(ident(entity))} t
    WHERE ${scope} AND ${sql.raw(`t.${ident(time)}`)} >= ${startOfDay(now)} AND ${where}`
}

/** What has happened today, as far as the person may know, in one statement; amounts in fen. */
async function today({ db, now }: DeskApp, person: Person) {
  const mine = todays.filter(({ sees }) => sees(person))
  if (mine.length === 0) return []
  const each = mine.map(one => counting(one, person, now()))
  return (await join(each, ' UNION ALL ').$castTo<Figure>().execute(db)).rows
}

/** Days of the line, today included. */
const lineDays = 14
const day = 86_400_000

/** Sign-ups handed in on each of the last days of Shanghai, and all so far at the end of each; none for whoever may not know. */
async function submissions({ db, now: clock }: DeskApp, person: Person) {
  if (!seesSignups(person)) return []
  const now = clock()
  const first = new Date(startOfDay(now).getTime() - (lineDays - 1) * day)
  const found = sql`WITH handed AS MATERIALIZED (
      SELECT coalesce(s."submitTime", s."createTime") AS at FROM signup s
      WHERE s."signStatus" = ${sql.lit(SignStatus.submitted)} AND ${scopeOf(person, resourceOf('signup'), now, 's')}
    )
    SELECT to_char(d.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD') AS time,
      (count(*) FILTER (WHERE h.at >= d.at))::int AS num, count(h.at)::int AS total
    FROM generate_series(${first}::timestamptz, ${now}::timestamptz, interval '1 day') AS d (at)
    LEFT JOIN handed h ON h.at < d.at + interval '1 day'
    GROUP BY d.at ORDER BY d.at`
  return (await found.$castTo<LinePoint>().execute(db)).rows
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
