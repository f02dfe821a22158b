import type { AnswerField } from '#schemas/sign-up/signup-parts'
import type { ExamRow, PositionRow, SignupRow } from '../../../platform/access/server/caller.ts'
import type { RuleResult } from '../../exams/rules/sign-rules.ts'
import type { Applicant } from './applicant.ts'
import type { Change, Sheet } from './changes.ts'

/** A sign-up checked and ready to be written. */
export interface Prepared {
  exam: ExamRow
  before: SignupRow | null
  draft: boolean
  applicant: Applicant
  /** Null while a draft has none yet. */
  position: PositionRow | null
  sheet: Sheet
  /** What columns keep of the content. */
  answers: Readonly<Record<AnswerField, string | null>>
  region: readonly [province: string, city: string, area: string | null]
  photo: string | null
  precheck: RuleResult[]
  changes: Change[]
}
