import { useAnswer } from '../../../../screens/candidate/queries.ts'
import type { Exam, Position } from '../../../../screens/candidate/wire.ts'
import type { FileItem } from '../../../exams/rules/sign-files.ts'
import type { SignGroup } from '../../../exams/rules/sign-form.ts'
import type { Content, Dicts, SignItem } from '../../../exams/rules/sign-item.ts'
import type { RuleResult } from '../exams/use-fitting.ts'

/** A file an exam asks for, with what its slot needs to be drawn. Sizes in KB. */
export interface FileSlot extends FileItem {
  fileDesc: string
  isPhoto: number
  photoW: number | ''
  photoH: number | ''
}

/** One file that was sent; `size` in bytes. */
export interface SentFile {
  attachId: string
  name: string
  size: number
  ext: string
}

/** What was sent for one slot. */
export interface SentSlot {
  fileCode: string
  fileName?: string
  list: SentFile[]
}

/** A reviewer's opinion on one field or file. */
export interface Advisement {
  target: 'item' | 'file' | 'position'
  code: string
  ok: boolean
  opinion: string
}

/** The caller's own sign-up for the exam. */
export interface MySignup {
  id: string
  signNo: string
  signStatus: number
  examine: number
  examineRemark: string
  reviewStatus: number | ''
  reviewRemark: string
  unit: string
  type: string
  code: string
  unit2: string
  type2: string
  code2: string
  adjustAccept: number | ''
  content: Content | ''
  files: SentSlot[] | ''
  precheck: RuleResult[] | ''
  advisementList: Advisement[] | ''
  submitTime: string
  version: number
}

/** Everything the pages of one exam are drawn from. */
export interface ExamForm {
  exam: Exam & { examDesc: string; graceSeconds: number | '' }
  notice: string
  promise: string
  consentVersion: string
  items: SignItem[]
  groups: SignGroup[]
  files: FileSlot[]
  positions: Position[]
  numTime: string
  dicts: Dicts
  applicant: {
    realName: string
    idCard: string
    phone: string
    sex: number
    birthday: string
    complete: boolean
  }
  mySignup: MySignup | ''
  canEdit: boolean
  editReason: string
  editScope: string[]
  deadline: string
  serverTime: string
}

const PATH = '/blade-signup/signup/getExamInfoOrSignUpInfo'

/** The exam, its form, its positions and what the caller has done so far, in one answer. */
export const useExamForm = (examId: string) => useAnswer<ExamForm>(PATH, { examId })
