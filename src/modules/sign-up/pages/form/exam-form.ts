import type { AnswerOf } from '#engine'
import type { SignFiles } from '#schemas/sign-up/signup-json'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { signupPage } from '../../contract.ts'

/** Everything the pages of one exam are drawn from. */
export type ExamForm = AnswerOf<typeof signupPage>

/** The caller's own sign-up for the exam. */
export type MySignup = Exclude<ExamForm['mySignup'], ''>

/** One file that was sent. */
export type SentFile = SignFiles['list'][number]

/** The exam, its form, its positions and what the caller has done so far, in one answer. */
export const useExamForm = (examId: string) => useContract(signupPage, { examId })
