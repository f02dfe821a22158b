import { dateTime, dict, entity, filled, hidden, integer, json, optional, type Row, ref, text } from '#engine'
import { auditEvent, auditOutcome } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

export const Auditlog = entity(
  'auditlog',
  '审计日志',
  {
    // Place in the chain of its tenant; that none is there twice keeps the chain from forking.
    seq: filled(integer('序号', { minimum: 1, unique: true })),
    event: filled(dict('事件', auditEvent)),
    // Accounts may go; what they did stays.
    userId: filled(optional(ref('主体', 'user', { enforced: false }))),
    targetType: filled(optional(text('客体类型', { maxLength: 50 }))),
    targetId: filled(optional(text('客体主键', { maxLength: 64 }))),
    outcome: filled(dict('结果', auditOutcome)),
    ip: filled(text('IP', { maxLength: 64 })),
    userAgent: filled(optional(text('终端'))),
    detail: filled(optional(json('详情', { keep: keeping.details }))),
    time: filled(dateTime('时间')),
    prevHash: filled(text('前一条摘要', { maxLength: 64 })),
    hash: filled(text('本条摘要', { maxLength: 64 })),
    // The chain covers the digest of salt and content, so that both can be erased together. Empty for entries from before there were salts.
    contentHash: filled(optional(text('内容摘要', { maxLength: 64 }))),
    salt: hidden(filled(optional(text('盐值', { maxLength: 32 })))),
    // Number of the entry that says that the content was to be erased.
    cutBy: filled(optional(integer('清除依据', { minimum: 1 }))),
  },
  {
    label: 'seq',
    indexes: [['time'], ['event', 'time'], ['targetId', 'time']],
    about: 'userId',
    purpose: '保障账号和数据安全',
    keep: keeping.audit,
  },
)
export type Auditlog = Row<typeof Auditlog>

declare module '#engine' {
  interface Entities {
    auditlog: typeof Auditlog
  }
}
