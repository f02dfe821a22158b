import type { Change, RuleResult } from '#schemas/sign-up/signup-json'
import type { AnswerField } from '#schemas/sign-up/signup-parts'
import type { ExamRow, PositionRow, SignupRow } from '../../../platform/access/server/caller.ts'
import type { Applicant } from './applicant.ts'
import type { Sheet } from './changes.ts'

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
