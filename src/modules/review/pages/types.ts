/** One line of the work list. */
export interface WorkRow {
  signUpId: string
  signNo: string
  examName: string
  name: string
  sex: number
  age: number
  educationName: string
  major: string
  unitName: string
  typeName: string
  code: string
  postName: string
  submitTime: string
  submitCount: number
  examine: number
  examineRemark: string
  examineTime: string
  examineUserName: string
  reviewStatus: number
  reviewUserName: string
  precheckMax: number
  claimedBy: string
  reduceState: number
  /** The position first applied for. */
  oldCode: string
}

/** A page of the work list with its counters. */
export interface WorkPage {
  records: WorkRow[]
  total: number
  counters: { wait: number; again: number; done: number; today: number }
}

/** One opinion on a field or file. */
export interface Advice {
  target: 'item' | 'file'
  code: string
  ok: boolean
  opinion: string
}

/** A file as the viewer shows it; `url` needs no header and lives five minutes. */
export interface ReviewFile {
  attachId: string
  name: string
  size: number
  ext: string
  contentType: string
  url: string
}

/** A field of the form as the reviewer reads it. */
export interface ReviewItem {
  code: string
  label: string
  text: string
  inputType: number
  value: unknown
  changed: boolean
  before: string
}

/** Everything a reviewer needs to decide. */
export interface ReviewInfo {
  signup: {
    id: string
    signNo: string
    examId: string
    examName: string
    name: string
    sex: number
    birthday: string
    age: number
    idCard: string
    phone: string
    signStatus: number
    examine: number
    examineRemark: string
    examineTime: string
    examineUserName: string
    reviewStatus: number
    reviewRemark: string
    reviewUserName: string
    unitName: string
    typeName: string
    code: string
    postName: string
    post2Name: string
    oldCode: string
    oldUnitName: string
    oldPostName: string
    adjustAccept: number
    submitTime: string
    submitCount: number
    photoUrl: string
  }
  groups: { name: string; label: string; items: ReviewItem[] }[]
  files: { fileCode: string; fileName: string; required: number; list: ReviewFile[]; changed: boolean }[]
  precheck: { rule: string; level: 1 | 2 | 3; msg: string }[]
  position: Record<string, string | number>
  logs: { kind: string; label: string; result: number; remark: string; userName: string; time: string }[]
  diff: { target: string; code: string; label: string; from: string; to: string }[]
  advisementList: Advice[]
  claim: '' | { userId: string; userName: string; until: string; mine: boolean }
  /** A disqualification that waits for a second person. */
  strike: '' | { userName: string; reason: string; time: string; mine: boolean }
  /** `move`: it is the choice of another position that is decided. */
  can: { examine: boolean; review: boolean; revoke: boolean; move: boolean }
  version: number
  nextId: string
}

/** Which look at a sign-up: 1 the first review, 2 the second, 3 at the choice of another position. */
export type Stage = 1 | 2 | 3
