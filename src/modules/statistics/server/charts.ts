import { sql } from 'kysely'
import { inScope } from '../../../crud/scope.ts'
import { optionText } from '../../exams/rules/sign-text.ts'
import { loadDicts } from '../../exams/server/candidate/dictionaries.ts'
import type { LinePoint, PayLine, TypeLine } from '../contract.ts'
import { type Caller, inForce, mostLines, people, positionsInScope, type Standing, standing } from './people.ts'

/** What is counted per type: places planned, sign-ups handed in, or those in a standing. */
export type Measure = 'plan' | 'bmrs' | Extract<Standing, 'wshrs' | 'shtgrs'>

const plans = (caller: Caller) =>
  caller.db
    .selectFrom('examitems')
    .select(['examitems.type', sql<number>`sum(examitems."planNum")::int`.as('num')])
    .where('examitems.examId', '=', caller.examId)
    .where(positionsInScope(caller))
    .where(eb =>
      eb.or([
        eb('examitems.enable', '=', 1),
        eb.exists(people(caller).select('signup.id').where(sql<boolean>`${inForce.code} = examitems.code`)),
      ]),
    )
    .groupBy('examitems.type')

const counts = (caller: Caller, measure: Exclude<Measure, 'plan'>) =>
  people(caller)
    .select(inForce.type.as('type'))
    .select(sql<number>`count(*)::int`.as('num'))
    .$if(measure !== 'bmrs', q => q.where(standing(measure as Standing)))
    .groupBy(inForce.type)

/** The exam's own type codes before those of all exams, in the order people gave them. */
const types = ({ db, examId }: Caller) =>
  db
    .selectFrom('typecode')
    .distinctOn('typecode.type')
    .select(['typecode.type', 'typecode.typeName', 'typecode.sort', 'typecode.typeCode'])
    .where(eb => eb.or([eb('typecode.examId', 'is', null), eb('typecode.examId', '=', examId)]))
    .orderBy('typecode.type')
    .orderBy(sql`"examId" nulls last`)

/** One number per type of position, in the order of the type codes; types without a code come last, so that the sum is whole. */
export async function byType(caller: Caller, measure: Measure): Promise<TypeLine[]> {
  const counted = measure === 'plan' ? plans(caller) : counts(caller, measure)
  const [{ rows }, dicts] = await Promise.all([
    sql<{ type: string; typeName: string | null; num: number }>`
      SELECT coalesce(known.type, counted.type) AS type, known."typeName", coalesce(counted.num, 0) AS num
      FROM (${types(caller)}) known FULL JOIN (${counted}) counted ON counted.type = known.type
      ORDER BY known.sort NULLS LAST, known."typeCode", counted.type`.execute(caller.db),
    loadDicts(caller.db, ['post_type']),
  ])
  return rows.map(({ type, typeName, num }) => ({
    type,
    typeName: typeName ?? optionText(dicts.post_type, type),
    num,
  }))
}

/** Sign-ups by sex with their share in hundredths of a per cent; all three keys, also those with nobody. */
export async function bySex(caller: Caller, { unit, code }: { unit?: string | undefined; code?: string | undefined }) {
  const rows = await people(caller)
    .select(['signup.sex', sql<number>`count(*)::int`.as('num')])
    .$if(Boolean(unit), q => q.where(inForce.unit, '=', unit as string))
    .$if(Boolean(code), q => q.where(inForce.code, '=', code as string))
    .groupBy('signup.sex')
    .execute()
  const total = rows.reduce((sum, row) => sum + row.num, 0)
  return ([1, 2, 3] as const).map(sex => {
    const num = rows.find(row => Number(row.sex) === sex)?.num ?? 0
    return { sex, num, percent: total ? Math.round((num * 10_000) / total) / 100 : 0 }
  })
}

/** Pay records by state with their sums in fen; every state, also those with none. */
export async function byPayState(caller: Caller, item: string | undefined) {
  const { app, person, examId } = caller
  const [rows, dicts] = await Promise.all([
    caller.db
      .selectFrom('payrecord')
      .select(['payState', sql<number>`count(*)::int`.as('num'), sql<string>`coalesce(sum(amount), 0)`.as('amount')])
      .where('examId', '=', examId)
      .where(inScope(app, person, 'payrecord'))
      .$if(Boolean(item), q => q.where('itemId', '=', item as string))
      .groupBy('payState')
      .execute(),
    loadDicts(caller.db, ['pay_state']),
  ])
  return (dicts.pay_state ?? []).map(({ key, value }) => {
    const row = rows.find(one => String(one.payState) === key)
    return {
      payState: Number(key) as PayLine['payState'],
      label: value,
      num: row?.num ?? 0,
      amount: Number(row?.amount ?? 0),
    }
  })
}

/** How long a step is, and how many steps of it a day has. */
const steps = { day: { format: 'YYYY-MM-DD', perDay: 1 }, hour: { format: 'YYYY-MM-DD HH24:00', perDay: 24 } } as const

/**
 * Sign-ups handed in per day (`yyyy-MM-dd`) or hour (`yyyy-MM-dd HH:00`) of Shanghai, from the beginning of sign-up to its end or now, without gaps.
 * @param limit the last so many days; 0 is all. Never more than {@link mostLines} points
 */
export async function signUpLine(caller: Caller, step: keyof typeof steps, limit = 0): Promise<LinePoint[]> {
  const { format, perDay } = steps[step]
  const at = (time: unknown) => sql<Date>`date_trunc(${sql.lit(step)}, (${time}) AT TIME ZONE 'Asia/Shanghai')`
  const counted = people(caller)
    .select(at(sql`coalesce(signup."submitTime", signup."createTime")`).as('time'))
    .select(sql<number>`count(*)::int`.as('num'))
    .groupBy(sql`1`)
  const now = caller.app.now()
  const { rows } = await sql<LinePoint>`
    WITH counted AS MATERIALIZED (${counted}),
    ends AS (
      SELECT least(${at(sql`e."signStartTime"`)}, (SELECT min(time) FROM counted)) AS first,
        greatest(least(${at(sql`e."signEndTime" - interval '1 microsecond'`)}, ${at(sql`${now}::timestamptz`)}),
          (SELECT max(time) FROM counted)) AS last
      FROM examination e WHERE e.id = ${caller.examId}
    )
    SELECT to_char(s.time, ${sql.lit(format)}) AS time, coalesce(c.num, 0) AS num,
      sum(coalesce(c.num, 0)) OVER (ORDER BY s.time)::int AS total
    FROM ends, generate_series(ends.first, ends.last, ${sql.lit(`1 ${step}`)}::interval) AS s (time)
    LEFT JOIN counted c ON c.time = s.time ORDER BY s.time`.execute(caller.db)
  return rows.slice(-Math.min(limit ? limit * perDay : mostLines, mostLines))
}
