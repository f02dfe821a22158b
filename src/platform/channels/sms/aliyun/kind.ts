import { randomUUID } from 'node:crypto'
import { SmsError } from '../channel.ts'
import {
  bareNumber,
  callProvider,
  type Delivery,
  endedOf,
  type ProviderAround,
  type SentSms,
  type SmsAccount,
  type SmsProviderKind,
  undelivered,
} from '../provider.ts'
import { type AliyunAnswer, reasonOf, refusalOf } from './reasons.ts'
import { queryOf, signedHeaders } from './signature.ts'

const version = '2017-05-25'
/** Milliseconds after which a message that Aliyun does not list is one that it never had. */
const listed = 10 * 60_000
/** Messages to one phone on one day that an answer lists at most. */
const page = 50

interface Detail {
  OutId?: string
  /** 1 on its way, 2 failed, 3 arrived. */
  SendStatus?: number
  ErrCode?: string
}

interface Details extends AliyunAnswer {
  SmsSendDetailDTOs?: { SmsSendDetailDTO?: Detail[] }
}

/** Makes a call and reads its answer. @throws SmsError for what it refuses */
async function call<T extends AliyunAnswer>(
  account: SmsAccount,
  around: ProviderAround,
  action: string,
  params: Readonly<Record<string, string>>,
): Promise<T> {
  const { host } = new URL(around.host)
  const asked = { host, action, version, params, time: around.now(), nonce: randomUUID() }
  const { host: _host, ...headers } = signedHeaders(account, asked)
  const answer = await callProvider(around, `${around.host}/?${queryOf(params)}`, { method: 'POST', headers })
  const body = answer.body as T
  if (!body.Code) throw new SmsError('短信服务商答复无法识别', answer.status >= 500 ? 'later' : 'unknown')
  if (body.Code !== 'OK') throw refusalOf(body)
  return body
}

const dayOf = (time: Date): string =>
  new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '')

const problemOf = (code: string): string => reasonOf(code) ?? undelivered(code)

async function query(account: SmsAccount, around: ProviderAround, sent: SentSms): Promise<Delivery> {
  const answer = await call<Details>(account, around, 'QuerySendDetails', {
    PhoneNumber: sent.phone,
    SendDate: dayOf(sent.time),
    PageSize: String(page),
    CurrentPage: '1',
    ...(sent.bizNo && { BizId: sent.bizNo }),
  })
  const details = answer.SmsSendDetailDTOs?.SmsSendDetailDTO ?? []
  const detail = details.find(one => one.OutId === sent.id)
  if (detail?.SendStatus === 3) return { state: 'arrived' }
  if (detail?.SendStatus === 2) return { state: 'failed', problem: problemOf(detail.ErrCode ?? '') }
  if (detail || sent.bizNo !== null) return { state: 'taken' }
  if (around.now().getTime() - sent.time.getTime() < listed) throw new SmsError('短信服务商尚无记录', 'unknown')
  return { state: details.length < page ? 'never' : 'cannot' }
}

/** Text messages by Aliyun. Aliyun itself does not compare our numbers: it would send one twice. */
export default {
  key: 'aliyun',
  host: 'https://dysmsapi.aliyuncs.com',
  open: (account, around) => ({
    async send({ id, phone, signName, templateId, params }) {
      const { BizId = '' } = await call<AliyunAnswer & { BizId?: string }>(account, around, 'SendSms', {
        PhoneNumbers: phone,
        SignName: signName,
        TemplateCode: templateId,
        TemplateParam: JSON.stringify(Object.fromEntries(params)),
        OutId: id,
      })
      return { bizNo: BizId }
    },
    query: sent => query(account, around, sent),
  }),
  readReceipts: body =>
    endedOf(JSON.parse(body), 'success', ['true', 'false']).map(one => ({
      id: one.out_id ? String(one.out_id) : null,
      bizNo: String(one.biz_id ?? ''),
      phone: bareNumber(one.phone_number),
      problem: String(one.success) === 'true' ? null : problemOf(String(one.err_code ?? '')),
    })),
  thanks: { type: 'application/json', body: '{"code":0,"msg":"接收成功"}' },
} satisfies SmsProviderKind
