import {
  dateTime,
  dict,
  entity,
  file,
  filled,
  flag,
  hidden,
  longText,
  optional,
  type Row,
  ref,
  sealed,
  state,
  text,
} from '#engine'
import { objectionKind, objectionOutcome, objectionStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

/** What somebody has to say against a list. */
const filing = {
  receipt: filled(text('受理编号', { maxLength: 20, unique: true })),
  objectionKind: filled(dict('异议类别', objectionKind)),
  listNo: filled(optional(text('涉及的编号', { maxLength: 30 }))),
  content: filled(longText('异议内容', { maxLength: 2000 })),
  file1: filled(optional(file('材料一'))),
  file2: filled(optional(file('材料二'))),
  file3: filled(optional(file('材料三'))),
  isNamed: filled(flag('实名')),
  objectorName: hidden(filled(optional(sealed('异议人', { maxLength: 30 })))),
  objectorPhone: hidden(filled(optional(sealed('联系电话', { maxLength: 20 })))),
}

/** What was done about it, by when and by whom. */
const handling = {
  objectionStatus: state('状态', objectionStatus),
  acceptDue: filled(dateTime('受理期限')),
  answerDue: filled(dateTime('答复期限')),
  acceptUser: filled(optional(ref('受理人', 'user'))),
  acceptTime: filled(optional(dateTime('受理时间'))),
  refuseReason: filled(optional(text('不予受理原因', { maxLength: 200 }))),
  outcome: filled(optional(dict('结论', objectionOutcome))),
  answer: filled(optional(longText('答复', { maxLength: 2000 }))),
  proposeUser: filled(optional(ref('拟稿人', 'user'))),
  proposeTime: filled(optional(dateTime('拟稿时间'))),
  answerUser: filled(optional(ref('确认人', 'user'))),
  answerTime: filled(optional(dateTime('答复时间'))),
}

/** What came of one that was right. */
const consequence = {
  strike: filled(optional(ref('取消资格的报名', 'signup', { within: 'examId' }))),
  resultChange: filled(optional(ref('成绩变更', 'resultlog', { within: 'examId' }))),
  correction: filled(optional(ref('更正公示', 'publicity', { within: 'examId' }))),
}

export const Objection = entity(
  'objection',
  '异议',
  {
    examId: filled(ref('考试', 'examination')),
    publicityId: filled(ref('公示', 'publicity')),
    ...filing,
    ...handling,
    ...consequence,
  },
  { label: 'receipt', history: true, keep: keeping.objections },
)
export type Objection = Row<typeof Objection>

declare module '#engine' {
  interface Entities {
    objection: typeof Objection
  }
}
