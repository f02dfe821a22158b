import { type RawBuilder, sql } from 'kysely'
import type { examitems } from '#resources/exams/examitems'
import { ExamineMode, PayState, SignStatus } from '#schemas/dictionaries'
import type { Derive, Total } from '../../../crud/rules.ts'
import { proposalOf } from '../rules/reduction.ts'
import { chargedStage, effectOf, passedAll } from './count-by-post.ts'

const passed = sql`CASE WHEN e."examineMode" = ${sql.lit(ExamineMode.firstAndSecond)} THEN ${passedAll({ examineMode: ExamineMode.firstAndSecond })}
  ELSE ${passedAll({ examineMode: ExamineMode.single })} END`

/** How many people stand at each of some positions, by the position that counts for them: handed in, passed, paid. */
const counted = (ids: RawBuilder<unknown>) => sql`
  SELECT p.id, p."planNum", p."curPlanNum", p."openRatio"::text AS "openRatio", p."noRatio", e."reduceBase",
    count(s.id)::int AS "signNum", (count(s.id) FILTER (WHERE ${passed}))::int AS "passNum",
    (count(s.id) FILTER (WHERE ${passed} AND (s."payState" IN (${sql.lit(PayState.paid)}, ${sql.lit(PayState.exempt)}) OR NOT ${chargedStage})))::int AS "paidNum"
  FROM examitems p JOIN examination e ON e.id = p."examId"
  LEFT JOIN signup s ON s."examId" = p."examId" AND coalesce(s."finalCode", s.code) = p.code
    AND s."signStatus" = ${sql.lit(SignStatus.submitted)} AND s."isDeleted" = 0
  WHERE p.id IN ${ids} GROUP BY p.id, e.id`

interface Counted {
  id: string
  planNum: number
  curPlanNum: number
  openRatio: string | null
  noRatio: number
  reduceBase: number
  signNum: number
  passNum: number
  paidNum: number
}

/** People for each place, with two decimals, and what the rule of reduction would make of the position now. */
function crowd({ signNum, passNum, paidNum, curPlanNum, planNum, ...one }: Counted) {
  const asked = one.noRatio === 1 ? '0' : (one.openRatio ?? '0')
  const effectNum = effectOf(one.reduceBase, { passNum, paidNum })
  const outlook = proposalOf({ planNum, effectNum, ratio: asked })
  const lackNum = Math.max(0, Math.ceil(Number(asked)) - effectNum)
  const ratio = curPlanNum > 0 ? (signNum / curPlanNum).toFixed(2) : ''
  return { signNum, passNum, paidNum, ratio, outlook: { ...outlook, effectNum, lackNum, base: one.reduceBase } }
}

/** The people at the positions of a page. */
export const derivePeople: Derive<typeof examitems> = async ({ app }, rows) => {
  const ids = rows.map(row => row.id)
  if (ids.length === 0) return []
  const found = await sql<Counted>`${counted(sql`(${sql.join(ids)})`)}`.execute(app.db)
  const known = new Map(found.rows.map(row => [row.id, crowd(row)]))
  return ids.map(id => known.get(id))
}

/** The sums under the positions: over all that are found, whatever the page. */
export const totalPeople: Total<typeof examitems> = async ({ app }, ids) => {
  const { rows } = await sql<Record<string, number>>`SELECT coalesce(sum("planNum"), 0)::int AS "planNum",
    coalesce(sum("curPlanNum"), 0)::int AS "curPlanNum", coalesce(sum("signNum"), 0)::int AS "signNum",
    coalesce(sum("passNum"), 0)::int AS "passNum", coalesce(sum("paidNum"), 0)::int AS "paidNum"
    FROM (${counted(ids)}) one`.execute(app.db)
  return rows[0] ?? {}
}
