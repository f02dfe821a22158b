/** A file that hangs on a notice. */
export interface HungFile {
  id: string
  attachId: string
  fileName: string
  /** Bytes. */
  fileSize: number
  ext: string
}

/** A page of a list. */
export interface Page<T> {
  records: T[]
  total: number
  current: number
  size: number
}

/** An end that is coming: `label` is what people call it. */
export interface Deadline {
  field: string
  label: string
  at: string
}

/** Times and switches of an exam; missing times are empty. */
export interface Exam {
  id: string
  examId: string
  examName: string
  examCode: string
  examTypeName: string
  organizer: string
  contactPhone: string
  cover: string
  phases: string[]
  deadline: Deadline | ''
  signStartTime: string
  signEndTime: string
  modifyEndTime: string
  payStartTime: string
  payEndTime: string
  ticketStartTime: string
  ticketEndTime: string
  examStartTime: string
  ageBaseDate: string
  allowAdjust: number | ''
  needPay: number | ''
  showNum: number | ''
}

/** An exam as one line of a list. `signNum` is empty where the exam keeps it to itself. */
export interface ExamLine extends Exam {
  planTotal: number
  postNum: number
  signNum: number | ''
  mySign?: { id: string; signNo: string; signStatus: number; examine: number } | ''
  serverTime: string
}

/** A position with what it demands, in words, and how many people stand at it where the exam says so. */
export interface Position {
  id: string
  unit: string
  unitName: string
  type: string
  typeName: string
  code: string
  postName: string
  planNum: number
  curPlanNum: number
  eduReq: string
  eduReqName: string
  degreeReq: string
  degreeReqName: string
  majorReq: string
  titleReqName: string
  certReq: string
  ageMax: number | ''
  sexReq: number | ''
  freshReq: number | ''
  expYears: number | ''
  regionReq: string
  otherReq: string
  remark: string
  selectable: boolean
  /** Why it cannot be chosen, `""` when it can. */
  reason: string
  signNum: number | ''
  passNum: number | ''
  ratio: string
}

/** A notice; `content` is formatted text. */
export interface Notice {
  id: string
  title: string
  category: number | ''
  content?: string
  releaseTime: string
  isTop?: number
  needSure?: number
  read?: number
  sure?: number
  sureTime?: string
  files?: HungFile[]
}
