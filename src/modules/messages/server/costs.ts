import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { domainEvents } from '#resources/events'
import { wrongInput } from '../../../crud/input.ts'
import { resourceOf } from '../../../crud/lookup.ts'
import { limitsOf, seesAllRows } from '../../../crud/scope.ts'
import { codeTemplate } from '../../../platform/auth/server/sms/code.ts'
import { dayOf } from '../../../platform/channels/sms/sms-ledger.ts'
import { withRemoved } from '../../../platform/database/live.ts'
import { readNumberParam } from '../../../platform/database/param.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import type { CostBy, TextCosts } from '../contract.ts'
import { messageIdIn } from './out-id.ts'
import { eventNameOf } from './text-codes.ts'

const dayLong = 86_400_000
/** Days of a span: where none is asked for, and at most. */
const days = { preset: 30, most: 366 } as const

/** Days from the first to the last; both count. */
interface Span {
  readonly from: string
  readonly to: string
}

const daysBefore = (day: string, n: number): string =>
  new Date(Date.parse(day) - n * dayLong).toISOString().slice(0, 10)

/** The days that are asked for. @throws input.invalid for an end before the start, and for too many */
function spanOf(given: Partial<Span>, now: Date): Span {
  const to = given.to || dayOf(now)
  const from = given.from || daysBefore(to, days.preset - 1)
  if (from > to) throw wrongInput([{ field: 'to', msg: '结束日期不能早于开始日期' }])
  if (from <= daysBefore(to, days.most)) throw wrongInput([{ field: 'from', msg: '最多统计366天' }])
  return { from, to }
}

/** Rows of the ledger that are counted together, and what they are called. */
const groupings: Readonly<Record<CostBy, { key: RawBuilder<string | null>; name: RawBuilder<string | null> }>> = {
  day: { key: sql`to_char(l.time AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD')`, name: sql`NULL` },
  exam: { key: sql`coalesce(o."examId", l."budgetOf")::text`, name: sql`max(e."examName")` },
  event: { key: sql`s."smsCode"`, name: sql`NULL` },
}

interface Counted {
  readonly key: string | null
  readonly name: string | null
  readonly texts: number
  readonly segments: number
}

/**
 * Counts what providers took, each number that it went out under once: what surely did not go out has no row in the ledger, and what
 * did not arrive is charged all the same. Of what belongs to no sending any more only those hear who meet all rows, unless it never
 * belonged to an exam.
 */
async function count(app: FastifyInstance, person: Person, by: CostBy, { from, to }: Span): Promise<Counted[]> {
  const { key, name } = groupings[by]
  const [start, end] = [`${from}T00:00:00+08:00`, `${to}T00:00:00+08:00`]
  const db = liveAs(app, person)
  const accounts = db.selectFrom(withRemoved('sms')).select(['sms.id', 'sms.smsCode'])
  const { rows } = await sql<Counted>`
    SELECT ${key} AS key, ${name} AS name, count(*)::int AS texts, sum(l.segments)::int AS segments
    FROM sms_sent l
    JOIN (${accounts}) s ON s.id = l."smsId"
    LEFT JOIN sendmessage m ON m.id = ${messageIdIn(sql`l.id`)}
    LEFT JOIN send o ON o.id = m."sendId"
    LEFT JOIN examination e ON e.id = coalesce(o."examId", l."budgetOf")
    WHERE (l."bizNo" IS NOT NULL OR l.told)
      AND l.time >= ${start}::timestamptz AND l.time < ${end}::timestamptz + interval '1 day'
      AND CASE WHEN o.id IS NULL THEN l."budgetOf" IS NULL OR ${seesAllRows(person)}
        ELSE ${limitsOf(app, person, resourceOf('send'), app.now(), 'o')} END
    GROUP BY 1`.execute(db)
  return rows
}

type Line = Omit<TextCosts['lines'][number], 'amount'>

const lineOf = ({ key, name, ...counts }: Counted): Line => ({ key: key ?? '', name: name ?? '', title: '', ...counts })

/** The codes of templates by their events; of several that one event has the numbers are put together. */
function byEvent(rows: readonly Counted[]): Line[] {
  const lines = new Map<string, Line>()
  for (const row of rows) {
    const code = row.key ?? ''
    const label = domainEvents.get(eventNameOf(code))?.label
    const key = label === undefined ? code : eventNameOf(code)
    const name = label ?? (code === codeTemplate ? '短信验证码' : code)
    const { texts, segments } = lines.get(key) ?? { texts: 0, segments: 0 }
    lines.set(key, {
      key,
      name,
      title: label ?? '',
      texts: texts + row.texts,
      segments: segments + row.segments,
    })
  }
  return [...lines.values()]
}

/** The newest day first; of others what has cost most. */
const inOrder = (by: CostBy) => (one: Line, other: Line) =>
  (by === 'day' ? 0 : other.segments - one.segments) || (one.key < other.key ? 1 : -1)

/** What text messages have cost, by what is asked for, with their sum. @throws input.invalid */
export async function costsOf(
  app: FastifyInstance,
  person: Person,
  { by, ...given }: Partial<Span> & { by: CostBy },
): Promise<TextCosts> {
  const span = spanOf(given, app.now())
  const [rows, unitFen] = await Promise.all([
    count(app, person, by, span),
    readNumberParam(app, person.tenantId, 'sms.unitFen'),
  ])
  const lines = (by === 'event' ? byEvent(rows) : rows.map(lineOf))
    .toSorted(inOrder(by))
    .map(line => ({ ...line, amount: line.segments * unitFen }))
  const sum = (name: 'texts' | 'segments' | 'amount') => lines.reduce((all, line) => all + line[name], 0)
  const total = { texts: sum('texts'), segments: sum('segments'), amount: sum('amount') }
  return { ...span, unitFen, total, lines }
}
