import { sql } from 'kysely'
import type { Proposal } from '#resources/exams/outlook'
import {
  EnableStatus,
  ExamineMode,
  ExamineStatus,
  ItemRange,
  PayState,
  PostStatus,
  ReduceState,
  ReviewStatus,
  SignStatus,
} from '#schemas/dictionaries'
import type { Db, ExamRow } from '../../../platform/access/server/caller.ts'
import type { Pending } from '../contract.ts'
import { proposalOf } from '../rules/reduction.ts'

/** A position with those who count for it, by either base. */
export interface PostCount {
  positionId: string
  unit: string
  type: string
  code: string
  postName: string
  planNum: number
  /** Candidates asked for each place; `0` for positions that ask for none. */
  ratio: string
  /** Passed review. */
  passNum: number
  /** Passed review, and paid or exempt where a fee is asked. */
  paidNum: number
}

/** Sign-ups `s` that have passed all reviews and stand at the position they count at. */
export const passedAll = (exam: Pick<ExamRow, 'examineMode'>) =>
  exam.examineMode === ExamineMode.firstAndSecond
    ? sql<boolean>`(s.examine = ${sql.lit(ExamineStatus.approved)} AND s."reviewStatus" = ${sql.lit(ReviewStatus.approved)} AND s."reduceState" IN (${sql.lit(ReduceState.none)}, ${sql.lit(ReduceState.approved)}))`
    : sql<boolean>`(s.examine = ${sql.lit(ExamineStatus.approved)} AND s."reduceState" IN (${sql.lit(ReduceState.none)}, ${sql.lit(ReduceState.approved)}))`

/** The stages of position `p` that everybody takes and that cost money. */
export const chargedStages = (db: Db) =>
  db
    .selectFrom('examinationitem as i')
    .select('i.id')
    .where('i.examId', '=', sql.ref<string>('p.examId'))
    .where('i.needPay', '=', 1)
    .where('i.itemStatus', '=', EnableStatus.enabled)
    .where('i.candidateRule', '=', ItemRange.allValid)
    .where(sql<boolean>`(coalesce(p."itemIds", '') = '' OR i.id::text = ANY (string_to_array(p."itemIds", ',')))`)

/** The positions of an exam that have not been cancelled, each with its people, counted now in one statement. */
export async function countByPost(db: Db, exam: ExamRow): Promise<PostCount[]> {
  const passed = passedAll(exam)
  const rows = await db
    .selectFrom('examitems as p')
    .leftJoin('signup as s', join =>
      join
        .onRef('s.examId', '=', 'p.examId')
        .on(sql<boolean>`coalesce(s."finalCode", s.code) = p.code`)
        .on('s.signStatus', '=', SignStatus.submitted),
    )
    .select(['p.id as positionId', 'p.unit', 'p.type', 'p.code', 'p.postName', 'p.planNum', 'p.openRatio', 'p.noRatio'])
    .select([
      sql<string>`count(s.id) FILTER (WHERE ${passed})`.as('passNum'),
      sql<string>`count(s.id) FILTER (WHERE ${passed} AND (s."payState" IN (${sql.lit(PayState.paid)}, ${sql.lit(PayState.exempt)}) OR NOT EXISTS ${chargedStages(db)}))`.as(
        'paidNum',
      ),
    ])
    .where('p.examId', '=', exam.id)
    .where('p.postStatus', '<>', PostStatus.cancelled)
    .groupBy('p.id')
    .orderBy('p.unit')
    .orderBy('p.code')
    .execute()
  return rows.map(({ openRatio, noRatio, passNum, paidNum, ...row }) => ({
    ...row,
    ratio: noRatio === 1 ? '0' : (openRatio ?? '0'),
    passNum: Number(passNum),
    paidNum: Number(paidNum),
  }))
}

/** Effective candidates by the base of the exam: 1 passed review, 2 paid. */
export const effectOf = (base: number, { passNum, paidNum }: Pick<PostCount, 'passNum' | 'paidNum'>): number =>
  base === 2 ? paidNum : passNum

/** What the rule makes of a position by a base. */
export const proposalFor = (base: number, one: PostCount): Proposal =>
  proposalOf({ planNum: one.planNum, effectNum: effectOf(base, one), ratio: one.ratio })

/** Those whose review is not finished: not looked at, returned, or not looked at again. */
export async function pendingOf(db: Db, exam: ExamRow, most: number): Promise<{ num: number; list: Pending[] }> {
  const open = db
    .selectFrom('signup')
    .where('examId', '=', exam.id)
    .where('signStatus', '=', SignStatus.submitted)
    .where(eb => {
      const waiting = eb('examine', 'in', [ExamineStatus.pending, ExamineStatus.returned])
      return exam.examineMode === ExamineMode.firstAndSecond
        ? eb.or([
            waiting,
            eb.and([eb('examine', '=', ExamineStatus.approved), eb('reviewStatus', '=', ReviewStatus.pending)]),
          ])
        : waiting
    })
  const [{ n }, list] = await Promise.all([
    open.select(eb => eb.fn.countAll<string>().as('n')).executeTakeFirstOrThrow(),
    open.select(['id as signupId', 'signNo', 'name', 'examine']).orderBy('signNo').limit(most).execute(),
  ])
  return { num: Number(n), list }
}
