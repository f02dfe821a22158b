import { ConfirmStatus, ReleaseStatus, SignStatus } from '#schemas/dictionaries'
import { isTimely } from '../../exams/rules/act-windows.ts'
import type { FactsReader } from '../../sign-up/server/sign-up-summary.ts'
import { resultWindows } from '../rules/act-windows.ts'
import { confirmEnd } from './places.ts'

/** How a candidate has left a shortlist. */
const leavings: Readonly<Record<number, string>> = {
  [ConfirmStatus.declined]: '已放弃入围',
  [ConfirmStatus.missed]: '未按时确认入围，视为放弃',
}

/** Whether a candidate can see a score now, and what has become of a place on a shortlist. */
export const resultReader: FactsReader<'hasScore' | 'confirmUntil' | 'leftShortlist'> = async ({
  db,
  rows,
  exams,
  now,
}) => {
  const results = await db
    .selectFrom('result')
    .innerJoin('examinationitem as i', 'i.id', 'result.itemId')
    .leftJoin('promotion as m', 'm.id', 'result.promotionId')
    .select(['result.signupId', 'result.isNext', 'result.confirmStatus', 'i.itemName', 'i.startTime', 'i.endTime'])
    .select(confirmEnd.as('confirmEnd'))
    .where(
      'result.signupId',
      'in',
      rows.map(row => row.id),
    )
    .where('result.resultStatus', '=', ReleaseStatus.released)
    .orderBy('i.startTime')
    .execute()
  return ({ id, examId, signStatus }) => {
    const own = results.filter(one => one.signupId === id)
    const hasScore = own.length > 0 && isTimely(resultWindows.view, { exam: exams.get(examId)! }, now)
    const waiting = own.find(
      one =>
        signStatus === SignStatus.submitted &&
        one.isNext === 1 &&
        one.confirmStatus === ConfirmStatus.unanswered &&
        isTimely(resultWindows.confirm, { exam: {}, stage: one }, now),
    )
    return {
      hasScore,
      confirmUntil: hasScore ? (waiting?.confirmEnd ?? null) : null,
      leftShortlist: leavings[own.at(-1)?.confirmStatus ?? ConfirmStatus.unanswered] ?? '',
    }
  }
}
