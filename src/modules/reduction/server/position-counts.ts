import { type Expression, type RawBuilder, sql } from 'kysely'
import { examitems } from '#resources/exams/examitems'
import {
  ExamineMode,
  ExamRole,
  ExamStatus,
  PayState,
  ReduceBase,
  ReduceDecision,
  SignStatus,
} from '#schemas/dictionaries'
import { askedId, readMeasures } from '../../../crud/measure.ts'
import type { Derive, Measure, MeasureContext, Total } from '../../../crud/rules.ts'
import { inScope } from '../../../crud/scope.ts'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { holdsNow } from '../../exams/server/appointment.ts'
import { proposalOf } from '../rules/reduction.ts'
import { chargedStages, effectOf, passedAll } from './count-by-post.ts'

const passed = sql`CASE WHEN e."examineMode" = ${sql.lit(ExamineMode.firstAndSecond)} THEN ${passedAll({ examineMode: ExamineMode.firstAndSecond })}
  ELSE ${passedAll({ examineMode: ExamineMode.single })} END`

/** The exams of some positions. */
const examsOf = (db: Live, ids: Expression<string>) =>
  sql<string>`${db.selectFrom(withRemoved('examitems as q')).select('q.examId').where('q.id', 'in', ids)}`

/** How many sign-ups that were handed in are alike in all that counts, of some exams: by the position that counts for them. */
const alike = (db: Live, exams: Expression<string>) =>
  db
    .selectFrom('signup')
    .select(['examId', 'examine', 'reviewStatus', 'reduceState', 'payState'])
    .select(eb => [sql<string>`coalesce("finalCode", code)`.as('code'), eb.fn.countAll<string>().as('people')])
    .where('signStatus', '=', SignStatus.submitted)
    .where('examId', 'in', exams)
    .groupBy(['examId', sql`coalesce("finalCode", code)`, 'examine', 'reviewStatus', 'reduceState', 'payState'])

/**
 * How many people stand at each of some positions, by the position that counts for them: handed in, passed, paid.
 * @param ids a list or a query; whoever lists positions has decided whether removed ones are among them
 * @param exams their exams; named one by one where they are known, because the database then reads their sign-ups alone
 */
const counted = (db: Live, ids: Expression<string>, exams: Expression<string>) => {
  const paid = sql<boolean>`(s."payState" IN (${sql.lit(PayState.paid)}, ${sql.lit(PayState.exempt)}) OR NOT EXISTS ${chargedStages(db)})`
  return (
    db
      .selectFrom(withRemoved('examitems as p'))
      .innerJoin(withRemoved('examination as e'), 'e.id', 'p.examId')
      // Grouped first: the database reads the sign-ups once, whatever it expects of their number.
      .leftJoin(alike(db, exams).as('s'), join =>
        join.onRef('s.examId', '=', 'p.examId').onRef('s.code', '=', 'p.code'),
      )
      .select(['p.id', 'p.planNum', 'p.curPlanNum', 'p.openRatio', 'p.noRatio', 'e.reduceBase'])
      .select([
        sql<number>`coalesce(sum(s.people), 0)::int`.as('signNum'),
        sql<number>`coalesce(sum(s.people) FILTER (WHERE ${passed}), 0)::int`.as('passNum'),
        sql<number>`coalesce(sum(s.people) FILTER (WHERE ${passed} AND ${paid}), 0)::int`.as('paidNum'),
      ])
      .where('p.id', 'in', ids)
      .groupBy(['p.id', 'e.id'])
  )
}

/** Ids as a list in brackets. */
const listed = (ids: readonly string[]) => sql<string>`(${sql.join(ids)})`

type Counted = Awaited<ReturnType<ReturnType<typeof counted>['execute']>>[number]

/** People for each place, with two decimals, and what the rule of reduction would make of the position now. */
function crowd({ signNum, passNum, paidNum, curPlanNum, planNum, ...one }: Counted) {
  const asked = one.noRatio === 1 ? '0' : (one.openRatio ?? '0')
  const effectNum = effectOf(one.reduceBase, { passNum, paidNum })
  const outlook = proposalOf({ planNum, effectNum, ratio: asked })
  const lackNum = Math.max(0, Math.ceil(Number(asked)) - effectNum)
  const ratio = curPlanNum > 0 ? (signNum / curPlanNum).toFixed(2) : ''
  const isShort = outlook.decision === ReduceDecision.keep ? 0 : 1
  return {
    signNum,
    passNum,
    paidNum,
    ratio,
    isShort,
    outlook: { ...outlook, effectNum, lackNum, base: one.reduceBase },
  } as const
}

/** Whether nobody reviews who signs up for a position `t` while that is reviewed. */
const isUnmanned = ({ app, person, now }: MeasureContext) => {
  const db = liveAs(app, person)
  const open = db
    .selectFrom('examination as e')
    .select('e.id')
    .where('e.id', '=', sql.ref<string>('t.examId'))
    .where('e.examStatus', '=', ExamStatus.released)
    .where('e.examineEndTime', '>', now)
  const reviewers = db
    .selectFrom('examuser as u')
    .select('u.id')
    .where('u.examId', '=', sql.ref<string>('t.examId'))
    .where('u.examRole', '=', ExamRole.firstReviewer)
    .where(holdsNow('u', now))
    .where(sql<boolean>`(coalesce(u.units, '') = '' OR t.unit::text = ANY(string_to_array(u.units, ',')))`)
    .where(sql<boolean>`(coalesce(u.codes, '') = '' OR t.code = ANY(string_to_array(u.codes, ',')))`)
  return sql`(EXISTS (${open}) AND NOT EXISTS (${reviewers}))::int`
}

/** The people at the positions of a page. */
export const derivePeople: Derive<typeof examitems> = async (ctx, rows) => {
  const { app, person } = ctx
  const ids = rows.map(row => row.id)
  if (ids.length === 0) return []
  const db = liveAs(app, person)
  const exams = [...new Set(rows.flatMap(row => row.examId ?? []))]
  const [found, manned] = await Promise.all([
    counted(db, listed(ids), exams.length > 0 ? listed(exams) : examsOf(db, listed(ids))).execute(),
    readMeasures(ctx, examitems, { isUnmanned }, rows),
  ])
  const known = new Map(found.map(row => [row.id, crowd(row)]))
  return ids.map(id => {
    const one = known.get(id)
    return one && { ...one, isUnmanned: manned.get(id)?.isUnmanned === 1 ? (1 as const) : (0 as const) }
  })
}

/** The sums under the positions: over all that are found, whatever the page. */
export const totalPeople: Total<typeof examitems> = async ({ app, person }, found) => {
  const db = liveAs(app, person)
  const ids = found as RawBuilder<string>
  const sum = (column: string) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)::int`
  const totals = await db
    .selectFrom(counted(db, ids, examsOf(db, ids)).as('one'))
    .select([
      sum('one.planNum').as('planNum'),
      sum('one.curPlanNum').as('curPlanNum'),
      sum('one.signNum').as('signNum'),
      sum('one.passNum').as('passNum'),
      sum('one.paidNum').as('paidNum'),
    ])
    .executeTakeFirst()
  return totals ?? {}
}

const signed = sql`coalesce((SELECT c.signed FROM place_count c WHERE c."examId" = t."examId" AND c.code = t.code), 0)`

/**
 * The same, and whether nobody reviews who signs up for it, as numbers of a position `t` that the database works out: people and people for each place as they are counted all along,
 * and whether the rule of reduction would not keep it as it is, for which the positions are counted that are asked for: those of the exam, or all that the person meets.
 */
export const measurePeople: Measure<typeof examitems> = {
  isUnmanned,
  signNum: () => signed,
  ratio: () => sql`round(${signed}::numeric / nullif(t."curPlanNum", 0), 2)`,
  isShort: ctx => {
    const { app, person } = ctx
    const effect = sql`CASE WHEN one."reduceBase" = ${sql.lit(ReduceBase.paid)} THEN one."paidNum" ELSE one."passNum" END`
    const db = liveAs(app, person)
    const exam = askedId(ctx, 'examId')
    const ofExam = exam ? sql`x."examId" = ${exam}::bigint AND ` : sql``
    const met = sql<string>`(SELECT x.id FROM examitems x WHERE ${ofExam}${inScope(app, person, 'examitems', 'x')})`
    const all = counted(db, met, exam ? listed([exam]) : examsOf(db, met)).as('one')
    return sql`(t.id IN (SELECT one.id FROM ${all} WHERE one."noRatio" = 0 AND coalesce(one."openRatio", 0) > 0
      AND floor((${effect}) / one."openRatio") < one."planNum"))::int`
  },
}
