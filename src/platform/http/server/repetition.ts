/** What stands for one transaction where the work of a call cannot be one. */
export type Repetition =
  | {
      /**
       * The key is taken before the work and its answer kept after it. A process that ends in between leaves the key for a
       * minute; then the work is done again and must meet what is there.
       */
      by: 'lease'
      /** Why it is no single transaction; never empty. */
      because: string
      /** Why doing it again does no harm; never empty. */
      again: string
    }
  | {
      /** No key is looked at. */
      by: 'itself'
      /** Why; never empty. */
      because: string
    }

const itself = (because: string): Repetition => ({ by: 'itself', because })
const lease = (because: string, again: string): Repetition => ({ by: 'lease', because, again })

const asked = 'the channel is asked'
const closed = 'open orders are closed at the channel first'
const ownRepeat = 'what is done already by the same person is a success without a second effect'

/** The calls, by their address, that are no single transaction; the first that fits counts. */
const calls: readonly (readonly [address: RegExp, Repetition])[] = [
  [/^\/sandbox\//, itself('the sandbox stands for another system, which has numbers of its own')],
  [
    /\/oauth\/token(\/refresh)?$/,
    itself('answers are secret and not kept; a refresh token gets its answer again by itself'),
  ],
  [/\/draft\/(submit|remove)$/, itself('what was kept last of a form counts; doing it again changes nothing')],
  [/\/channel\/:accountId\/:secret$/, itself('a provider sends the numbers of messages instead of a key')],
  [/\/pay\/wxpay\/(notify|refundNotify)$/, itself('the channel sends numbers of orders and refunds instead of a key')],
  [
    /\/oauth\/bind(\/:source)?$/,
    lease('the identity provider is asked', 'its code is good once, and an account is linked once'),
  ],
  [
    /\/(oauth\/sms\/send-validate|user\/send-email-code)$/,
    lease('a message goes out', 'a second code counts against the same limits and replaces the first'),
  ],
  [/\/user\/begin-wechat$/, lease('WeChat makes a QR code', 'a second one takes the place of the first')],
  [
    /\/(sms|mail|wechat|oss|oauth-source|datasource|job-server)\/(test|debug)$/,
    lease('another system is asked', 'nothing of ours changes; a test message is sent and paid for again'),
  ],
  [
    /\/pay\/wxpay\/(createOrder|queryOrder)$/,
    lease(asked, 'a record has one open order, whose number gets the same code from the channel'),
  ],
  [/\/payorder\/(check|checkMany|close)$/, lease(asked, 'the state of the order decides, and an order is closed once')],
  [
    /\/payrefund\/(approve|approveMany|retry)$/,
    lease(asked, `the channel pays back once for the number of the refund; ${ownRepeat}`),
  ],
  [
    /\/payrecord\/(exempt|exemptMany|offlinePay|reopen)$/,
    lease(closed, `the state of the record decides; ${ownRepeat}`),
  ],
  [/\/payrecord\/importExempt$/, lease(closed, 'records that are exempt already stay as they are')],
  [/\/(releasePay|recallPay|deletePay)$/, lease(closed, `the state of the setting decides; ${ownRepeat}`)],
  [
    /\/job-info\/(submit|change|remove|run|run-paused|sync)$/,
    lease(
      'PowerJob servers are asked',
      'a job has the mark of its row there and is found by it, the same new job is not added twice, and runs are seen in the list',
    ),
  ],
  [/\/job-server\/sync$/, lease('job servers are asked', 'what they are is noted again, as it is by then')],
  [/\/hook\/test$/, lease('the receiver is asked', 'a test message is sent again under a number of its own')],
  [/\/reconciliation\/(run|importBill)$/, lease('the channel is asked for its bill', 'a day is reconciled once')],
  [
    /\/send\/(getSendPayQrcode|checkOrder)$/,
    lease(asked, 'an unpaid purchase of the same things by the same person is used again, and has one open order'),
  ],
  [
    /\/(attach\/(upload|arrived)|oss\/endpoint\/put-file(-attach)?)$/,
    lease(
      'the row of a file is there before its bytes',
      'the file is there twice, and the one that nothing names is removed',
    ),
  ],
]

/** What stands for one transaction at an address; undefined where the work is one. */
export const repetitionOf = (url: string): Repetition | undefined => calls.find(([address]) => address.test(url))?.[1]
