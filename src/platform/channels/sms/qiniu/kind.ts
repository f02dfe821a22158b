import type { ChannelFault } from '../../fault.ts'
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
import { signedHeaders } from './signature.ts'

/** Milliseconds for which the receipt of a message is waited for whose answer was lost: it says our number. */
const receiptTime = 30 * 60_000

/** What Qiniu Cloud says, in words, by its code and status, and what follows from it. The first that fits counts. */
const reasons: readonly (readonly [RegExp, ChannelFault, string?])[] = [
  [/^BadToken|^401 /, 'settings', 'accessKey或secretKey不正确'],
  [/BalanceNotEnough/, 'settings', '服务商账户余额不足'],
  [/FreezedUser/, 'settings', '服务商账户已停机'],
  [/(InactivatedUse|NeedCertified|Forbidden|AccessDenied)|^403 /, 'settings', '账户没有发送短信的权限'],
  [/Template\w*Param|Param\w*Template/i, 'final', '模板参数不合规范'],
  [/Template/i, 'settings', '短信模板不存在或未通过审核'],
  [/Signature/i, 'settings', '短信签名不存在或未通过审核'],
  [/(Limit|TooManyRequests|Frequen)|^429 /i, 'later', '发送过快，服务商限制'],
  [/^ServerInternalError|^5\d\d /, 'later'],
  [/Mobile|Phone/i, 'final', '手机号码不正确'],
]

function refusalOf(status: number, { error = '', message = '' }: { error?: string; message?: string }): SmsError {
  const [, fault = 'final', words] = reasons.find(([code]) => code.test(error) || code.test(`${status} `)) ?? []
  return new SmsError(words ?? `短信服务商拒绝：${message || error || status}`, fault)
}

/** Makes a call and reads its answer. @throws SmsError for what it refuses */
async function call<T>(account: SmsAccount, around: ProviderAround, path: string, values?: object): Promise<T> {
  const body = values && JSON.stringify(values)
  const method = body === undefined ? 'GET' : 'POST'
  const asked = { method, path, host: new URL(around.host).host, ...(body !== undefined && { body }) } as const
  const headers = signedHeaders(account, asked)
  const answer = await callProvider(around, `${around.host}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  })
  if (answer.status !== 200) throw refusalOf(answer.status, answer.body as object)
  return answer.body as T
}

interface Item {
  message_id?: string
  status?: string
  error?: string
}

async function query(account: SmsAccount, around: ProviderAround, sent: SentSms): Promise<Delivery> {
  if (sent.bizNo === null) {
    if (around.now().getTime() - sent.time.getTime() >= receiptTime) return { state: 'cannot' }
    throw new SmsError('短信服务商尚无回执', 'unknown')
  }
  const path = `/v1/messages?message_id=${encodeURIComponent(sent.bizNo)}`
  const { items = [] } = await call<{ items?: Item[] }>(account, around, path)
  const item = items.find(one => one.message_id === sent.bizNo)
  if (item?.status === 'success' || item?.status === 'DELIVRD') return { state: 'arrived' }
  if (item?.status === 'failed' || item?.status === 'FAILED')
    return { state: 'failed', problem: undelivered(item.error) }
  return { state: 'taken' }
}

/** Text messages by Qiniu Cloud. A message whose answer was lost is known by its receipt alone. */
export default {
  key: 'qiniu',
  host: 'https://sms.qiniuapi.com',
  open: (account, around) => ({
    async send({ id, phone, templateId, params }) {
      const { message_id: bizNo } = await call<{ message_id?: string }>(account, around, '/v1/message/single', {
        template_id: templateId,
        mobile: phone,
        parameters: Object.fromEntries(params),
        seq: id,
      })
      if (!bizNo) throw new SmsError('短信服务商答复无法识别', 'unknown')
      return { bizNo }
    },
    query: sent => query(account, around, sent),
  }),
  readReceipts: body =>
    endedOf((JSON.parse(body) as { items?: unknown }).items, 'status', ['DELIVRD', 'FAILED']).map(one => ({
      id: one.seq ? String(one.seq) : null,
      bizNo: String(one.message_id ?? ''),
      phone: bareNumber(one.mobile),
      problem: one.status === 'DELIVRD' ? null : undelivered(one.error),
    })),
  thanks: { type: 'application/json', body: '{}' },
} satisfies SmsProviderKind
