import { ReleaseStatus } from '#schemas/dictionaries'
import { isTimely } from '../../exams/rules/act-windows.ts'
import type { FactsReader } from '../../sign-up/server/sign-up-summary.ts'
import { resultWindows } from '../rules/act-windows.ts'

/** Whether a candidate can see a score now. */
export const resultReader: FactsReader<'hasScore'> = async ({ db, rows, exams, now }) => {
  const results = await db
    .selectFrom('result')
    .select('signupId')
    .where(
      'signupId',
      'in',
      rows.map(row => row.id),
    )
    .where('resultStatus', '=', ReleaseStatus.released)
    .execute()
  return ({ id, examId }) => ({
    hasScore:
      results.some(one => one.signupId === id) && isTimely(resultWindows.view, { exam: exams.get(examId)! }, now),
  })
}
