import {
  date,
  dateTime,
  dict,
  entity,
  file,
  filled,
  integer,
  money,
  optional,
  type Row,
  ref,
  state,
  text,
} from '#engine'
import { payChannel, reconStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

export const Reconciliation = entity(
  'reconciliation',
  '对账',
  {
    billDate: date('账单日期'),
    channel: dict('渠道', payChannel),
    localNum: filled(optional(integer('本地笔数', { minimum: 0 }))),
    localAmount: filled(optional(money('本地金额'))),
    channelNum: filled(optional(integer('渠道笔数', { minimum: 0 }))),
    channelAmount: filled(optional(money('渠道金额'))),
    refundLocal: filled(optional(money('本地退款'))),
    refundChannel: filled(optional(money('渠道退款'))),
    diffNum: filled(optional(integer('差异笔数', { minimum: 0 }))),
    reconStatus: state('对账状态', reconStatus),
    billFile: optional(file('渠道账单')),
    sha256: filled(optional(text('账单摘要', { maxLength: 64 }))),
    handleUser: filled(optional(ref('处理人', 'user'))),
    handleTime: filled(optional(dateTime('处理时间'))),
    remark: optional(text('处理说明', { maxLength: 500 })),
  },
  { label: 'billDate', uniques: [['channel', 'billDate']], keep: keeping.office },
)
export type Reconciliation = Row<typeof Reconciliation>

declare module '#engine' {
  interface Entities {
    reconciliation: typeof Reconciliation
  }
}
