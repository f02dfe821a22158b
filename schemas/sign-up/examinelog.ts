import {
  dateTime,
  dict,
  entity,
  filled,
  hidden,
  integer,
  json,
  list,
  optional,
  type Row,
  ref,
  structured,
  text,
} from '#engine'
import { examineResult, examineStage } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'
import { adviceShape, changeShape } from './signup-json.ts'

export const Examinelog = entity(
  'examinelog',
  '审核记录',
  {
    signupId: filled(ref('报名', 'signup')),
    stage: filled(dict('环节', examineStage)),
    result: filled(dict('结果', examineResult)),
    remark: filled(optional(text('意见', { maxLength: 500 }))),
    advisementList: optional(structured('逐项意见', list(adviceShape))),
    snapshot: filled(json('审核时报名快照', { keep: keeping.form })),
    diff: optional(structured('与上次提交的差异', list(changeShape), { keep: keeping.form })),
    // What undoing it brings back: kept for the seconds in which that is possible.
    before: hidden(filled(optional(json('审核前状态')))),
    userId: filled(ref('审核人', 'user')),
    time: filled(dateTime('时间')),
    ip: filled(optional(text('IP', { maxLength: 64 }))),
    durationSec: filled(optional(integer('停留秒数', { minimum: 0 }))),
    prevHash: filled(text('前一条摘要', { maxLength: 64 })),
    hash: filled(text('本条摘要', { maxLength: 64 })),
    // The chain covers the digest of salt and what the form held, so that both can be erased together. Empty for lines from before
    // there were salts.
    contentHash: filled(optional(text('内容摘要', { maxLength: 64 }))),
    salt: hidden(filled(optional(text('盐值', { maxLength: 32 })))),
    // Number of the entry of the security log that says that it was to be erased.
    cutBy: filled(optional(integer('清除依据', { minimum: 1 }))),
  },
  {
    label: 'signupId',
    indexes: [['signupId', 'time']],
    about: 'signupId',
    personal: ['snapshot', 'diff'],
    purpose: '说明审核结果和理由',
    keep: keeping.hiring,
  },
)
export type Examinelog = Row<typeof Examinelog>

declare module '#engine' {
  interface Entities {
    examinelog: typeof Examinelog
  }
}
