import { ExamStatus } from '#schemas/dictionaries/exam'
import { ExamineStatus, ReduceState, SignStatus } from '#schemas/dictionaries/sign-up'
import { isTimely } from '../../exams/rules/act-windows.ts'
import { signupWindows } from './act-windows.ts'

/** What decides whether a candidate may still say that being moved is acceptable. */
interface AdjustCase {
  exam: { allowAdjust: number; examStatus: number; reduceStartTime: Date | null; signEndTime: Date }
  signup: { signStatus: number; examine: number; reduceState: number }
}

/** Why a candidate may no longer change whether a transfer is accepted, in words; null while that is allowed. */
export function adjustRefusal({ exam, signup }: AdjustCase, now: Date): string | null {
  if (exam.allowAdjust !== 1 || exam.examStatus !== ExamStatus.released) return '不接受调剂'
  if (signup.signStatus !== SignStatus.submitted || signup.examine === ExamineStatus.rejected) return '不在有效状态'
  return signup.reduceState !== ReduceState.none || !isTimely(signupWindows.adjust, { exam }, now) ? '已进入改报' : null
}
