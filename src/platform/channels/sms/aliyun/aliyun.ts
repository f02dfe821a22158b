import { type NewSms, type SmsChannel, SmsError, type SmsReceipt } from '../channel.ts'
import type { SentMessage, SmsLedger } from '../ledger.ts'
import { type AliyunAnswer, callAliyun } from './client.ts'
import { refusalOf, undelivered } from './reasons.ts'
import type { AliyunAccount } from './signature.ts'

/** Milliseconds after which a message that Aliyun does not list counts as unknown to it. */
const listed = 10 * 60_000

interface Detail {
  OutId?: string
  /** 1 on its way, 2 failed, 3 arrived. */
  SendStatus?: number
  ErrCode?: string
}

interface Details extends AliyunAnswer {
  SmsSendDetailDTOs?: { SmsSendDetailDTO?: Detail[] }
}

const dayOf = (time: Date): string =>
  new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '')

async function detailOf(account: AliyunAccount, sent: SentMessage): Promise<Detail | undefined> {
  const answer = await callAliyun<Details>(account, 'QuerySendDetails', {
    PhoneNumber: sent.phone,
    SendDate: dayOf(sent.time),
    PageSize: '50',
    CurrentPage: '1',
    ...(sent.bizNo && { BizId: sent.bizNo }),
  })
  if (answer.Code !== 'OK') throw new SmsError(refusalOf(answer).message, false)
  return answer.SmsSendDetailDTOs?.SmsSendDetailDTO?.find(one => one.OutId === sent.id)
}

/**
 * Text messages by Aliyun. A message is written down before it is sent and never sent a second time under one number: Aliyun
 * itself does not compare them.
 */
export function aliyunSms(account: AliyunAccount, ledger: SmsLedger, now: () => Date): SmsChannel {
  return {
    async send(message: NewSms) {
      const before = await ledger.begin(message)
      if (before?.bizNo) return { bizNo: before.bizNo }
      if (before) throw new SmsError('短信此前已提交，结果待查', false)
      const answer = await callAliyun<AliyunAnswer & { BizId?: string }>(account, 'SendSms', {
        PhoneNumbers: message.phone,
        SignName: message.signName,
        TemplateCode: message.templateId,
        TemplateParam: JSON.stringify(message.params),
        OutId: message.id,
      })
      if (answer.Code !== 'OK') {
        await ledger.forget(message.id)
        throw refusalOf(answer)
      }
      await ledger.done(message.id, answer.BizId ?? '')
      return { bizNo: answer.BizId ?? '' }
    },
    async query(id) {
      const sent = await ledger.find(id)
      if (!sent) return 'unknown'
      const detail = await detailOf(account, sent)
      if (detail) return detail.SendStatus === 2 ? 'failed' : 'sent'
      if (now().getTime() - sent.time.getTime() < listed) throw new SmsError('短信服务商尚无记录', false)
      await ledger.forget(id)
      return 'unknown'
    },
    async receipts() {
      const told: SmsReceipt[] = []
      for (const sent of await ledger.waiting()) {
        const detail = await detailOf(account, sent)
        if (detail?.SendStatus !== 2 && detail?.SendStatus !== 3) continue
        const problem = detail.SendStatus === 3 ? null : undelivered(detail.ErrCode ?? '')
        await ledger.told(sent.id)
        told.push({ id: sent.id, problem })
      }
      return told
    },
  }
}
