import { ExamineStatus, ExamStatus, ReduceState, SignStatus } from '#schemas/dictionaries'
import type { ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import { Refusal, refuse } from '../../../platform/http/server/refusal.ts'
import { checkTimely, isTimely } from '../../exams/rules/act-windows.ts'
import { signupWindows } from '../rules/act-windows.ts'

type State = Pick<SignupRow, 'signStatus' | 'examine' | 'reduceState'>

/** True while an exam takes sign-ups; the grace seconds lengthen the end. */
export const signOpen = (exam: ExamRow, now: Date): boolean => isTimely(signupWindows.submit, { exam }, now)

/** @throws exams.notReleased exam not released, signup.notStarted before, signup.closed after the sign-up window */
function checkWindow(exam: ExamRow, now: Date): void {
  if (exam.examStatus !== ExamStatus.released) throw refuse('exams.notReleased')
  checkTimely(signupWindows.submit, { exam }, now)
}

function checkSubmitted(exam: ExamRow, { examine, reduceState }: State, now: Date): void {
  if (reduceState !== ReduceState.none) throw refuse('signup.notEditable', { 状态: '正在改报' })
  if (examine === ExamineStatus.approved) throw refuse('signup.notEditable', { 状态: '已审核通过' })
  if (examine === ExamineStatus.pending) checkWindow(exam, now)
  if (examine === ExamineStatus.rejected && !signOpen(exam, now))
    throw refuse('signup.notEditable', { 状态: '审核未通过' })
  if (examine === ExamineStatus.returned) checkTimely(signupWindows.correct, { exam }, now)
}

/**
 * Whether a candidate may save now: a new sign-up (`null`), one given up, a draft, or a submitted one that is
 * unreviewed, returned or, while sign-up lasts, refused.
 * @param draft true: to be kept as a draft, which a submitted sign-up cannot become again by saving
 * @throws exams.notReleased, signup.notStarted, signup.closed, signup.notEditable, signup.correctionClosed
 */
export function checkEditable(exam: ExamRow, signup: State | null, now: Date, draft: boolean): void {
  if (exam.examStatus !== ExamStatus.released) throw refuse('exams.notReleased')
  if (!signup || signup.signStatus === SignStatus.draft || signup.signStatus === SignStatus.withdrawn)
    checkWindow(exam, now)
  else if (signup.signStatus === SignStatus.disqualified) throw refuse('signup.notEditable', { 状态: '已取消资格' })
  else {
    checkSubmitted(exam, signup, now)
    if (draft) throw refuse('signup.notEditable', { 状态: '已提交' })
  }
}

/** Why a candidate may not save now; null while that is possible. */
export function editRefusal(exam: ExamRow, signup: State | null, now: Date): Refusal | null {
  try {
    checkEditable(exam, signup, now, false)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
