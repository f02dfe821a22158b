import { dateTime, dict, entity, filled, integer, optional, type Row, text } from '#engine'
import { ledgerSource, ledgerType } from '../dictionaries.ts'

export const Sendledger = entity(
  'sendledger',
  '短信余额流水',
  {
    changeType: filled(dict('类型', ledgerType)),
    num: filled(integer('变动条数')),
    balance: filled(integer('余额', { minimum: 0 })),
    refType: filled(dict('来源', ledgerSource)),
    refId: filled(text('来源主键', { maxLength: 20 })),
    expireTime: filled(optional(dateTime('到期'))),
  },
  { label: 'refId', uniques: [['changeType', 'refType', 'refId']] },
)
export type Sendledger = Row<typeof Sendledger>

declare module '#engine' {
  interface Entities {
    sendledger: typeof Sendledger
  }
}
