import {
  dateTime,
  dict,
  entity,
  filled,
  flag,
  integer,
  json,
  list,
  optional,
  type Row,
  ref,
  region,
  state,
  structured,
  text,
} from '#engine'
import { postType, recruitUnit, SignStatus, signStatus } from '../dictionaries.ts'
import { positionCode } from '../exams/position-code.ts'
import { keeping } from '../keeping.ts'
import { filesShape, findingShape } from './signup-json.ts'
import { answerFields, applicantFields, outcomeFields, reviewFields } from './signup-parts.ts'

export const Signup = entity(
  'signup',
  '报名',
  {
    examId: filled(ref('考试', 'examination')),
    province: filled(region('省')),
    city: filled(region('市')),
    area: filled(optional(region('区县'))),
    code: filled(text('岗位代码', positionCode)),
    type: filled(dict('岗位类别', postType)),
    unit: filled(dict('报考单位', recruitUnit)),
    code2: filled(optional(text('调剂岗位代码', positionCode))),
    type2: filled(optional(dict('调剂岗位类别', postType))),
    unit2: filled(optional(dict('调剂单位', recruitUnit))),
    content: filled(json('报名表内容')),
    files: structured('报名附件', list(filesShape)),
    ...answerFields,
    ...reviewFields,
    ...applicantFields,
    signNo: filled(text('报名号', { maxLength: 20, unique: true })),
    signStatus: state('报名状态', signStatus),
    submitTime: filled(optional(dateTime('提交时间'))),
    submitCount: filled(optional(integer('提交次数', { minimum: 0 }))),
    adjustAccept: filled(flag('服从调剂')),
    ...outcomeFields,
    precheck: optional(structured('资格预检结果', list(findingShape))),
    consentTime: filled(optional(dateTime('承诺同意时间'))),
    cancelReason: filled(optional(text('取消资格原因', { maxLength: 500 }))),
  },
  {
    label: 'name',
    version: true,
    uniques: [
      {
        fields: ['examId', 'idCard'],
        where: { signStatus: [SignStatus.draft, SignStatus.submitted, SignStatus.disqualified] },
      },
    ],
    indexes: [
      ['examId', 'finalCode'],
      ['examId', 'examine', 'submitTime'],
    ],
    covered: [['examId', 'finalCode', 'code', 'signStatus', 'examine', 'reviewStatus', 'reduceState', 'payState']],
    retired: ['ticketState'],
    about: 'userId',
    personal: ['name', 'birthday', 'content', 'files', 'precheck'],
    purpose: '报名、审核报考资格并与您联系',
    keep: keeping.form,
  },
)
export type Signup = Row<typeof Signup>

declare module '#engine' {
  interface Entities {
    signup: typeof Signup
  }
}
