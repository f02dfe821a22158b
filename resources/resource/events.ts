import { events, text } from '#engine'
import type {} from '../audiences.ts'
import { mail } from './mail.ts'
import { sms } from './sms.ts'
import { wechat } from './wechat.ts'

/** What staff are told of accounts for text messages. */
export const smsEvents = events(sms, {
  paused: {
    label: '短信通道暂停',
    to: ['account.keepers'],
    fields: ['smsCode', 'pauseReason'],
    by: { mail: true },
    text: {
      zh: '短信通道“{smsCode}”已暂停，请检查设置：{pauseReason}。',
      en: 'The text message account “{smsCode}” is paused; its settings need a look: {pauseReason}.',
    },
    opens: '/resource/sms',
  },
  trouble: {
    label: '短信需要处理',
    to: ['account.keepers'],
    fields: ['smsCode'],
    data: { trouble: text('情况') },
    phrases: {
      trouble: {
        spent: {
          zh: '今日短信费用已用完，其余次日再发',
          en: 'the money of the day is spent, what is left goes out tomorrow',
        },
        spareSpent: {
          zh: '今日短信费用已用八成，提醒类短信次日再发',
          en: 'four fifths of the money of the day are spent, reminders go out tomorrow',
        },
        balance: {
          zh: '短信余额不足，有发送订单待支付',
          en: 'the balance does not reach, and sendings wait to be paid',
        },
        down: { zh: '服务商多次没有应答', en: 'the provider has not answered several times' },
        receipts: { zh: '服务商数小时没有回执', en: 'the provider has told of no arrivals for hours' },
      },
    },
    by: { mail: true },
    text: { zh: '短信需要处理：{trouble}。', en: 'Text messages need attention: {trouble}.' },
    opens: '/resource/sms',
  },
})

/** What staff are told of accounts for e-mail. */
export const mailEvents = events(mail, {
  paused: {
    label: '邮箱暂停',
    to: ['account.keepers'],
    fields: ['fromAddress', 'pauseReason'],
    text: {
      zh: '发件邮箱{fromAddress}已暂停，请检查设置：{pauseReason}。',
      en: 'The e-mail account {fromAddress} is paused; its settings need a look: {pauseReason}.',
    },
    opens: '/resource/mail',
  },
})

/** What staff are told of WeChat accounts. */
export const wechatEvents = events(wechat, {
  paused: {
    label: '公众号暂停',
    to: ['account.keepers'],
    fields: ['accountName', 'pauseReason'],
    by: { mail: true },
    text: {
      zh: '公众号“{accountName}”已暂停，请检查设置：{pauseReason}。',
      en: 'The WeChat account “{accountName}” is paused; its settings need a look: {pauseReason}.',
    },
    opens: '/resource/wechat',
  },
})
