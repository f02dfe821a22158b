import { send } from '#resources/messages/send'
import { sendledger } from '#resources/messages/sendledger'
import { sendmessage } from '#resources/messages/sendmessage'
import { sendpay } from '#resources/messages/sendpay'
import { noticeread } from '#resources/notices/noticeread'
import { postreductionname } from '#resources/reduction/postreductionname'
import { mail } from '#resources/resource/mail'
import { sms } from '#resources/resource/sms'
import { wechat } from '#resources/resource/wechat'
import { signup } from '#resources/sign-up/signup'
import { handler, rules } from '../../../crud/rules.ts'
import { smsHooks } from '../../../platform/settings/server/keys.ts'
import { balanceMeasure } from './balance-low.ts'
import { again, purchaseHandlers, sendingHandlers } from './handlers.ts'
import { messageHooks, purchaseHooks, sendingHooks } from './hooks.ts'
import { mailHooks, mailRules, probeMail } from './mail/account.ts'
import { remindChoosing } from './remind-choosing.ts'
import { remindReaders } from './remind-readers.ts'
import { smsRules } from './sms/enable.ts'
import { probeSms } from './sms/probe.ts'
import { deriveReceiptUrl } from './sms/receipt-url.ts'
import { textSignups } from './text-signups.ts'
import { deriveWechat, probeWechat, wechatHooks, wechatRules } from './wechat/account.ts'

/** Rules of messages beyond their definitions. */
export const messageRules = [
  handler(postreductionname, 'remind', remindChoosing),
  handler(signup, 'text', textSignups),
  rules(noticeread, { handlers: { remind: remindReaders } }),
  rules(send, { routed: ['sendMessage'], hooks: sendingHooks, handlers: sendingHandlers }),
  rules(sms, { hooks: { ...smsHooks, derive: deriveReceiptUrl }, handlers: { probe: probeSms } }),
  ...smsRules,
  rules(mail, { hooks: mailHooks, handlers: { probe: probeMail } }),
  ...mailRules,
  rules(wechat, { hooks: { ...wechatHooks, derive: deriveWechat }, handlers: { probe: probeWechat } }),
  ...wechatRules,
  rules(sendmessage, { hooks: messageHooks, handlers: { resend: again } }),
  rules(sendledger, { hooks: { measure: balanceMeasure } }),
  rules(sendpay, { hooks: purchaseHooks, handlers: purchaseHandlers }),
]
