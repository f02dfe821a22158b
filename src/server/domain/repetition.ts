/** What stands for one transaction where the work of a call cannot be one. */
export interface Repetition {
  /**
   * `lease`: the key is taken before the work and its answer kept after it. A process that dies in between leaves the key for
   * a minute; then the work is done again and must meet what is there. `itself`: no key is looked at.
   */
  by: 'lease' | 'itself'
  /** Why; never empty. */
  because: string
}

type Calls = readonly (readonly [address: RegExp, by: Repetition['by'], because: string])[]

/** The calls, by their address, that are no single transaction; the first that fits counts. */
const calls: Calls = [
  [/^\/sandbox\//, 'itself', 'the sandbox stands for another house, which has numbers of its own'],
  [
    /\/oauth\/token(\/refresh)?$/,
    'itself',
    'answers are secret and not kept; a refresh token gets its answer again by itself',
  ],
  [
    /\/pay\/wxpay\/(notify|refundNotify)$/,
    'itself',
    'the channel sends numbers of orders and refunds instead of a key',
  ],
  [/\/oauth\/bind(\/:source)?$/, 'lease', 'the identity provider is asked; what was linked is there once'],
  [/\/oauth\/sms\/send-validate$/, 'lease', 'a message goes out; the limit of one a minute holds'],
  [/\/(sms|oss|oauth-source|datasource)\/(test|debug)$/, 'lease', 'another house is asked; nothing of ours changes'],
  [/\/tenant\/datasource$/, 'lease', 'another database is asked whether it is there'],
  [/\/pay\/wxpay\/(createOrder|queryOrder)$/, 'lease', 'the channel is asked; a record has one open order'],
  [/\/payorder\/(check|close|refund)$/, 'lease', 'the channel is asked; the state of the order decides'],
  [/\/payrefund\/(approve|retry|byHand)$/, 'lease', 'the channel is asked; the number of the refund is sent with it'],
  [/\/payrecord\/(exempt|offlinePay|reopen|importExempt)$/, 'lease', 'open orders are closed at the channel first'],
  [/\/(releasePay|recallPay|deletePay)$/, 'lease', 'open orders are closed at the channel first'],
  [/\/reconciliation\/(run|importBill)$/, 'lease', 'the channel is asked for its bill; a day is reconciled once'],
  [/\/send\/(getSendPayQrcode|checkOrder)$/, 'lease', 'the channel is asked; a purchase has one open order'],
  [/\/(attach\/upload|oss\/endpoint\/put-file(-attach)?)$/, 'lease', 'the row of a file is there before its bytes'],
]

/** What stands for one transaction at an address; undefined where the work is one. */
export function repetitionOf(url: string): Repetition | undefined {
  const found = calls.find(([address]) => address.test(url))
  return found && { by: found[1], because: found[2] }
}
