import type { ChannelFault } from '../../fault.ts'
import { SmsError } from '../channel.ts'
import {
  bareNumber,
  callProvider,
  type Delivery,
  endedOf,
  listOf,
  type ProviderAround,
  type SentSms,
  type SmsAccount,
  type SmsProviderKind,
  undelivered,
} from '../provider.ts'

/** Milliseconds after which a message that Yunpian does not list is one that it never had, and by which clocks may differ. */
const listed = 10 * 60_000
const skew = 60_000
/** Messages that one page of its records holds at most. */
const page = 100

/** What Yunpian says, in words, by its code, and what follows from it. */
const reasons: Readonly<Record<number, readonly [ChannelFault, string?]>> = {
  2: ['final', '参数不合规范'],
  3: ['settings', '服务商账户余额不足'],
  4: ['final', '内容含有禁发的词'],
  5: ['settings', '短信模板不存在或未通过审核'],
  7: ['settings', '短信模板不存在或未通过审核'],
  8: ['later', '该号码接收过于频繁，服务商限制发送'],
  9: ['later', '该号码接收过于频繁，服务商限制发送'],
  10: ['final', '该号码在服务商的黑名单内'],
  13: ['later'],
  15: ['settings', '短信签名不存在或未通过审核'],
  16: ['settings', '短信签名不存在或未通过审核'],
  17: ['final', '该号码今日接收过多，服务商限制发送'],
  18: ['settings', '短信签名不存在或未通过审核'],
  22: ['later', '该号码接收过于频繁，服务商限制发送'],
  33: ['later', '发送过快，服务商限制'],
  [-1]: ['settings', 'apikey不正确'],
  [-2]: ['settings', '账户没有发送短信的权限'],
  [-3]: ['settings', '服务器地址不在服务商的白名单内'],
  [-4]: ['later', '已达服务商的日发送限额'],
  [-5]: ['later', '发送过快，服务商限制'],
  [-50]: ['later'],
  [-51]: ['later'],
  [-53]: ['later'],
}

interface Refusal {
  code?: number
  msg?: string
  detail?: string
}

function refusalOf(status: number, { code = 0, msg = '', detail = '' }: Refusal): SmsError {
  const [fault, words] = reasons[code] ?? [status >= 500 || status === 429 ? 'later' : 'final']
  return new SmsError(words ?? `短信服务商拒绝：${detail || msg || code || status}`, fault)
}

/** JSON whose numbers of messages stay texts: they have 64 bits. */
const read = (text: string): unknown => JSON.parse(text.replace(/("sid"\s*:\s*)(\d+)/g, '$1"$2"'))

/** Makes a call and reads its answer. The key stands in the form: nothing but TLS keeps it. @throws SmsError for what it refuses */
async function call(account: SmsAccount, around: ProviderAround, path: string, values: Record<string, string>) {
  const form = {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', accept: 'application/json' },
    body: new URLSearchParams({ apikey: account.accessKey, ...values }).toString(),
  }
  const answer = await callProvider(around, `${around.host}${path}`, form, read)
  if (answer.status !== 200) throw refusalOf(answer.status, answer.body as Refusal)
  return answer.body
}

/** `yyyy-MM-dd HH:mm:ss` in Shanghai. */
const timeText = (at: number): string => new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

async function query(account: SmsAccount, around: ProviderAround, sent: SentSms): Promise<Delivery> {
  const now = around.now().getTime()
  const time = sent.time.getTime()
  const records = listOf(
    await call(account, around, '/v2/sms/get_record.json', {
      mobile: sent.phone,
      start_time: timeText(time - skew),
      end_time: timeText(Math.min(now, time + listed) + skew),
      page_num: '1',
      page_size: String(page),
    }),
  )
  const record = records.find(one => one.uid === sent.id || (sent.bizNo !== null && one.sid === sent.bizNo))
  if (record) {
    if (record.report_status === 'SUCCESS') return { state: 'arrived' }
    if (record.report_status === 'FAIL') return { state: 'failed', problem: undelivered(record.error_msg) }
    return { state: 'taken' }
  }
  if (sent.bizNo !== null) return { state: 'taken' }
  if (now - time < listed) throw new SmsError('短信服务商尚无记录', 'unknown')
  return { state: records.length < page ? 'never' : 'cannot' }
}

/** Encoded twice, as the form that carries them is encoded once more. */
const templateValues = (params: readonly (readonly [string, string])[]): string =>
  params.map(([name, value]) => `${encodeURIComponent(`#${name}#`)}=${encodeURIComponent(value)}`).join('&')

/** Text messages by Yunpian. */
export default {
  key: 'yunpian',
  host: 'https://sms.yunpian.com',
  open: (account, around) => ({
    async send({ id, phone, templateId, params }) {
      const answer = (await call(account, around, '/v2/sms/tpl_single_send.json', {
        mobile: phone,
        tpl_id: templateId,
        tpl_value: templateValues(params),
        uid: id,
      })) as Refusal & { sid?: string }
      if (answer.code !== 0) throw refusalOf(200, answer)
      return { bizNo: answer.sid ?? '' }
    },
    query: sent => query(account, around, sent),
  }),
  readReceipts(body) {
    const text = new URLSearchParams(body).get('sms_status') ?? ''
    const list = read(text.startsWith('%') ? decodeURIComponent(text) : text)
    return endedOf(list, 'report_status', ['SUCCESS', 'FAIL']).map(one => ({
      id: one.uid ? String(one.uid) : null,
      bizNo: String(one.sid ?? ''),
      phone: bareNumber(one.mobile),
      problem: one.report_status === 'SUCCESS' ? null : undelivered(one.error_detail ?? one.error_msg),
    }))
  },
  thanks: { type: 'text/plain', body: 'SUCCESS' },
} satisfies SmsProviderKind
