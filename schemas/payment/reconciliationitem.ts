import { dict, entity, filled, money, optional, type Row, ref, state, text } from '#engine'
import { handleStatus, reconDiff } from '../dictionaries.ts'

export const Reconciliationitem = entity(
  'reconciliationitem',
  '对账差异',
  {
    reconId: filled(ref('对账', 'reconciliation')),
    diffType: filled(dict('差异类型', reconDiff)),
    orderNo: filled(optional(text('订单号', { maxLength: 32 }))),
    transactionId: filled(optional(text('渠道订单号', { maxLength: 64 }))),
    localAmount: filled(optional(money('本地金额'))),
    channelAmount: filled(optional(money('渠道金额'))),
    handleStatus: state('处理状态', handleStatus),
    handleWay: filled(optional(text('处理方式'))),
  },
  { label: 'orderNo', indexes: [['reconId']] },
)
export type Reconciliationitem = Row<typeof Reconciliationitem>

declare module '#engine' {
  interface Entities {
    reconciliationitem: typeof Reconciliationitem
  }
}
