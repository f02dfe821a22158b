import { events } from '#engine'
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
