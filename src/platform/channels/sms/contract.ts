import { endpoint, group, id, integer, sometimes, text } from '#engine'

/**
 * A provider of text messages tells what became of messages, at the address of an account. What it sends is its own, and so is the answer:
 * each wants to hear other words.
 */
export const smsReceipts = endpoint('sms.receipts', 'POST /channel/:accountId/:secret', {
  title: '短信回执',
  access: 'public',
  essential: true,
  bare: true,
  values: { accountId: id('短信配置'), secret: text('密钥') },
  answer: group({
    code: sometimes(integer('状态码')),
    result: sometimes(integer('状态码')),
    msg: sometimes(text('说明')),
    errmsg: sometimes(text('说明')),
  }),
})
