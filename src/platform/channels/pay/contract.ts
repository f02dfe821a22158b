import { group, text, words } from '#engine'

/** What a payment channel says about an order; the words are WeChat Pay's. */
export const channelState = words(
  '渠道状态',
  'NOTPAY',
  'USERPAYING',
  'SUCCESS',
  'CLOSED',
  'REFUND',
  'PAYERROR',
  'REVOKED',
  'ACCEPT',
)

/** One thing that a payer fills in. */
export const instructionShape = group({ label: text('名称'), value: text('内容') })
