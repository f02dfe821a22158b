import { ExamineMode, ExamineStatus, ExamStatus, ReduceState, ReviewStatus, SignStatus } from '#schemas/dictionaries'
import type { ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import { choicePeriod, isTimely, resultPeriod, stateOf } from '../../exams/rules/act-windows.ts'
import { signupWindows } from '../rules/act-windows.ts'
import { signOpen } from './editable.ts'

/** What a candidate has to do next. */
export type NextStep =
  | 'FILL'
  | 'WAIT'
  | 'FIX'
  | 'CHOOSE_POST'
  | 'PAY'
  | 'SURE'
  | 'UPLOAD'
  | 'TICKET'
  | 'CONFIRM'
  | 'SCORE'
  | 'DONE'

/** What decides the next step of a sign-up after review. */
export interface StepFacts {
  /** End of the payment window of a due that is open now; null when nothing is due. */
  payUntil: Date | null
  /** What can be paid now, in fen. */
  payAmount: number
  /** Papers for an exemption from it are being checked. */
  isExemptAsked: boolean
  /** A ticket is out and may be downloaded now. */
  hasTicket: boolean
  mustSure: boolean
  mustUpload: boolean
  /** A result has been published. */
  hasScore: boolean
  /** Until when a place on a shortlist is to be confirmed; null when none is. */
  confirmUntil: Date | null
  /** How a place on a shortlist was left; empty when none was. */
  leftShortlist: string
}

/** A next step, and until when it is to be done. */
export interface Step {
  nextStep: NextStep
  deadline: Date | null
}

const step = (nextStep: NextStep, deadline: Date | null = null): Step => ({ nextStep, deadline })

function afterReview(exam: ExamRow, signup: SignupRow, facts: StepFacts, now: Date): Step {
  if (exam.examineMode === ExamineMode.firstAndSecond && signup.reviewStatus === ReviewStatus.pending)
    return step('WAIT', exam.examineEndTime)
  if (signup.reviewStatus === ReviewStatus.rejected) return step('DONE')
  if (signup.reduceState === ReduceState.choosing || signup.reduceState === ReduceState.rejected) {
    const isPlanned = exam.reduceStartTime && exam.reduceEndTime
    return isPlanned && stateOf(choicePeriod, { exam }, now) === 'open'
      ? step('CHOOSE_POST', exam.reduceEndTime)
      : step('WAIT')
  }
  if (signup.reduceState === ReduceState.pending) return step('WAIT')
  if (signup.reduceState > ReduceState.rejected) return step('DONE')
  // Before anything of the next stage: without an answer there is none.
  if (facts.confirmUntil) return step('CONFIRM', facts.confirmUntil)
  if (facts.payUntil) return step('PAY', facts.payUntil)
  // A ticket that may be had is for a stage ahead: it is more pressing than the score of one before.
  if (facts.hasTicket) {
    if (facts.mustSure) return step('SURE', exam.ticketEndTime)
    return step(facts.mustUpload ? 'UPLOAD' : 'TICKET', exam.ticketEndTime)
  }
  if (facts.hasScore) return step('SCORE', exam.appealEndTime)
  return stateOf(resultPeriod, { exam }, now) === 'closed' ? step('DONE') : step('WAIT')
}

/** The next thing a candidate has to do for a sign-up, and until when; DONE when nothing is left. */
export function nextStep(exam: ExamRow, signup: SignupRow, facts: StepFacts, now: Date): Step {
  const isOpen = exam.examStatus === ExamStatus.released && signOpen(exam, now)
  if (signup.signStatus === SignStatus.withdrawn || signup.signStatus === SignStatus.disqualified) return step('DONE')
  if (signup.signStatus === SignStatus.draft) return isOpen ? step('FILL', exam.signEndTime) : step('DONE')
  if (signup.examine === ExamineStatus.pending) return step('WAIT', exam.examineEndTime)
  if (signup.examine === ExamineStatus.rejected) return isOpen ? step('FIX', exam.signEndTime) : step('DONE')
  if (signup.examine === ExamineStatus.returned)
    return isTimely(signupWindows.correct, { exam }, now) ? step('FIX', exam.modifyEndTime) : step('DONE')
  return afterReview(exam, signup, facts, now)
}
