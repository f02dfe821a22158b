import { ExamStatus, PayState, ReduceDecision, ReduceState, RefundStatus } from '#schemas/dictionaries'
import type { Caller, Db, ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isTimely } from '../../exams/rules/act-windows.ts'
import { optionText } from '../../exams/rules/sign-text.ts'
import { postNames } from '../../sign-up/server/my-list.ts'
import type { ChoiceInfo } from '../contract.ts'
import { reductionWindows } from '../rules/act-windows.ts'
import { leavingOf, targetsOf } from './targets.ts'

/** What has become of the money of somebody who takes part no more: `none`, `due`, `refunding` or `refunded`. */
async function moneyOf(db: Db, signupId: string): Promise<Pick<ChoiceInfo, 'paid' | 'refund'>> {
  const records = await db
    .selectFrom('payrecord as r')
    .leftJoin('payrefund as f', join =>
      join
        .onRef('f.payRecordId', '=', 'r.id')
        .on('f.refundStatus', 'in', [
          RefundStatus.requested,
          RefundStatus.processing,
          RefundStatus.succeeded,
          RefundStatus.exception,
        ]),
    )
    .select(['r.payState', 'f.refundStatus'])
    .where('r.signupId', '=', signupId)
    .where('r.payState', 'in', [PayState.paid, PayState.refunding, PayState.refunded])
    .execute()
  const refund = records.some(one => one.refundStatus === RefundStatus.succeeded || one.payState === PayState.refunded)
    ? 'refunded'
    : records.some(one => one.refundStatus !== null || one.payState === PayState.refunding)
      ? 'refunding'
      : ''
  return { paid: records.some(one => one.payState === PayState.paid || one.payState === PayState.refunding), refund }
}

/**
 * What somebody who has to choose again needs to know: what became of the position, until when, and which positions are open.
 * @throws reduction.notListed for a sign-up that is not on the list
 */
export async function choiceInfo({ db, now }: Pick<Caller, 'db' | 'now'>, exam: ExamRow, row: SignupRow) {
  const name = await db.selectFrom('postreductionname').selectAll().where('signupId', '=', row.id).executeTakeFirst()
  if (!name) throw refuse('reduction.notListed')
  const [of, names, decision, money] = await Promise.all([
    leavingOf(db, exam, row),
    postNames(db, [row]),
    db
      .selectFrom('postreduction')
      .select(['decision', 'confirmTime'])
      .where('examId', '=', exam.id)
      .where('code', '=', name.oldCode)
      .executeTakeFirst(),
    moneyOf(db, row.id),
  ])
  const unitName = (unit: string | null) => optionText(of.dicts.recruit_unit, unit)
  const mayChoose = row.reduceState === ReduceState.choosing || row.reduceState === ReduceState.rejected
  const open = isTimely(reductionWindows.choose, { exam }, now)
  const isNew =
    row.reduceState === ReduceState.pending ||
    row.reduceState === ReduceState.approved ||
    row.reduceState === ReduceState.rejected
  return {
    signupId: row.id,
    examId: exam.id,
    examName: exam.examName,
    name: row.name,
    signNo: row.signNo,
    old: {
      unit: name.oldUnit,
      unitName: unitName(name.oldUnit),
      code: name.oldCode,
      postName: names(exam.id, name.oldCode),
    },
    chosen: isNew
      ? {
          unit: name.newUnit,
          unitName: unitName(name.newUnit),
          code: name.newCode,
          postName: names(exam.id, name.newCode ?? ''),
        }
      : null,
    decision: decision?.confirmTime ? decision.decision : ReduceDecision.pending,
    state: row.reduceState,
    choiceTime: name.choiceTime,
    choiceBy: name.choiceBy,
    window: { start: exam.reduceStartTime, end: exam.reduceEndTime },
    canChoose: mayChoose && open && exam.examStatus === ExamStatus.released && exam.allowAdjust === 1,
    targets: mayChoose && open ? await targetsOf(db, of) : [],
    ...money,
    contactPhone: exam.contactPhone,
    serverTime: now,
  }
}
