import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ProviderKey } from '../../src/platform/channels/sms/provider.ts'

/** A message as the provider of a test took it. */
export interface TakenSms {
  /** Our own number. */
  id: string
  bizNo: string
  phone: string
  template: string
  signName: string | null
  params: unknown
}

/**
 * What a provider does with a message: takes it; refuses it for the phone, for its template, for want of money, or for coming too fast;
 * fails; never answers; takes it and cuts the line; cuts the line before.
 */
export type Mood = 'accept' | 'refuse' | 'template' | 'poor' | 'throttle' | 'error' | 'hang' | 'cut' | 'deaf'

/** A call as it came. */
interface Call {
  method: string
  url: URL
  /** The address as it was sent, path and query. */
  raw: string
  headers: IncomingHttpHeaders
  body: string
}

interface Answer {
  status: number
  body: unknown
}

/** An account at the provider of a test, as a row of the settings has it. */
export interface TestAccount {
  accessKey: string
  secretKey: string
  appId: string
}

/** What a provider of a test is, written down from its description and not from our adapter. */
interface Script {
  account: TestAccount
  /** Why a call is refused whatever it wants; null when it is signed as it must be, now. */
  problemOf(call: Call, account: TestAccount, now: Date): Answer | null
  /** Reads a message; null when the call is a question. */
  read(call: Call): Omit<TakenSms, 'bizNo'> | null
  yes(bizNo: string): Answer
  no: Readonly<Record<'refuse' | 'template' | 'poor' | 'throttle' | 'error', Answer>>
  /** Answers a question by what became of messages. */
  list(call: Call, taken: readonly (TakenSms & { became: string | null | undefined })[]): Answer
  /** The provider's number of its n-th message. */
  number(n: number): string
  /** What it sends about a message: null when it arrived. */
  receipt(taken: TakenSms, problem: string | null): { type: string; body: string }
  /** What it wants to hear. */
  thanks: string
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const ok = (body: unknown): Answer => ({ status: 200, body })
const json = (body: unknown) => ({ type: 'application/json', body: JSON.stringify(body) })

const tencentNo = (Code: string): Answer => ok({ Response: { Error: { Code, Message: Code }, RequestId: 'r' } })
const tencentStatus = (Code: string, SerialNo = ''): Answer =>
  ok({ Response: { SendStatusSet: [{ SerialNo, Fee: 1, Code, Message: Code }], RequestId: 'r' } })

const tencent: Script = {
  account: { accessKey: 'AKIDtest', secretKey: 'tencent secret', appId: '1400006666' },
  problemOf({ method, url, headers, body }, account, now) {
    const found =
      /^TC3-HMAC-SHA256 Credential=([^/]+)\/([^/]+)\/sms\/tc3_request, SignedHeaders=content-type;host, Signature=(\w+)$/.exec(
        headers.authorization ?? '',
      )
    if (found?.[1] !== account.accessKey) return tencentNo('AuthFailure.SecretIdNotFound')
    const stamp = Number(headers['x-tc-timestamp'])
    if (Math.abs(now.getTime() / 1000 - stamp) > 300) return tencentNo('AuthFailure.SignatureExpire')
    const day = new Date(stamp * 1000).toISOString().slice(0, 10)
    const head = `content-type:${headers['content-type']}\nhost:${headers.host}\n`
    const canonical = [method, url.pathname, '', head, 'content-type;host', sha256(body)].join('\n')
    const text = ['TC3-HMAC-SHA256', stamp, `${day}/sms/tc3_request`, sha256(canonical)].join('\n')
    let key: Buffer = Buffer.from(`TC3${account.secretKey}`)
    for (const part of [day, 'sms', 'tc3_request']) key = createHmac('sha256', key).update(part).digest()
    const isSigned = found[2] === day && createHmac('sha256', key).update(text).digest('hex') === found[3]
    if (!isSigned) return tencentNo('AuthFailure.SignatureFailure')
    if (headers['x-tc-version'] !== '2021-01-11' || !headers['x-tc-region']) return tencentNo('MissingParameter')
    const { SmsSdkAppId } = JSON.parse(body)
    return SmsSdkAppId === account.appId ? null : tencentNo('UnauthorizedOperation.SmsSdkAppIdVerifyFail')
  },
  read({ headers, body }) {
    if (headers['x-tc-action'] !== 'SendSms') return null
    const { PhoneNumberSet, TemplateId, TemplateParamSet, SignName, SessionContext } = JSON.parse(body)
    const [phone] = PhoneNumberSet as string[]
    const params = TemplateParamSet as string[]
    return { id: SessionContext, phone: phone!.slice(3), template: TemplateId, signName: SignName, params }
  },
  yes: bizNo => tencentStatus('Ok', bizNo),
  no: {
    refuse: tencentStatus('FailedOperation.PhoneNumberInBlacklist'),
    template: tencentStatus('FailedOperation.TemplateIncorrectOrUnapproved'),
    poor: tencentStatus('FailedOperation.InsufficientBalanceInSmsPackage'),
    throttle: tencentNo('RequestLimitExceeded'),
    error: tencentNo('InternalError.OtherError'),
  },
  list: ({ body }, taken) => {
    const { PhoneNumber } = JSON.parse(body)
    const told = taken.filter(one => `+86${one.phone}` === PhoneNumber && one.became !== undefined)
    const PullSmsSendStatusSet = told.map(({ bizNo, phone, became }) => ({
      SerialNo: bizNo,
      PhoneNumber: `+86${phone}`,
      ReportStatus: became === null ? 'SUCCESS' : 'FAIL',
      Description: became ?? 'DELIVRD',
    }))
    return ok({ Response: { PullSmsSendStatusSet, RequestId: 'r' } })
  },
  number: n => `2019:${n}`,
  receipt: ({ bizNo, phone }, problem) =>
    json([
      {
        user_receive_time: '2026-12-01 10:00:00',
        nationcode: '86',
        mobile: phone,
        report_status: problem === null ? 'SUCCESS' : 'FAIL',
        errmsg: problem ?? 'DELIVRD',
        description: problem ?? '用户短信送达成功',
        sid: bizNo,
      },
    ]),
  thanks: '{"result":0,"errmsg":"OK"}',
}

const qiniuNo = (status: number, error: string): Answer => ({
  status,
  body: { error, message: error, request_id: 'r' },
})

const qiniu: Script = {
  account: { accessKey: 'qiniu-key', secretKey: 'qiniu secret', appId: '' },
  problemOf({ method, raw, headers, body }, account) {
    const type = headers['content-type']
    const lines = [`${method} ${raw}`, `Host: ${headers.host}`, ...(type ? [`Content-Type: ${type}`] : []), '', body]
    const hash = createHmac('sha1', account.secretKey).update(lines.join('\n')).digest('base64url')
    // The sign at the end stays in Qiniu's spelling.
    return headers.authorization === `Qiniu ${account.accessKey}:${hash}=` ? null : qiniuNo(401, 'BadToken')
  },
  read({ method, url, body }) {
    if (method !== 'POST' || url.pathname !== '/v1/message/single') return null
    const { template_id, mobile, parameters, seq } = JSON.parse(body)
    return { id: seq, phone: mobile, template: template_id, signName: null, params: parameters }
  },
  yes: message_id => ok({ message_id }),
  no: {
    refuse: qiniuNo(400, 'InvalidMobile'),
    template: qiniuNo(400, 'TemplateNotFound'),
    poor: qiniuNo(403, 'AccountBalanceNotEnough'),
    throttle: qiniuNo(429, 'TooManyRequests'),
    error: qiniuNo(500, 'ServerInternalError'),
  },
  list({ url }, taken) {
    const items = taken
      .filter(one => one.bizNo === url.searchParams.get('message_id'))
      .map(({ bizNo, became }) => ({
        message_id: bizNo,
        status: became === undefined ? 'sending' : became === null ? 'success' : 'failed',
        error: became ?? '',
      }))
    return ok({ items, total: items.length })
  },
  number: n => `3411${n}`,
  receipt: ({ id, bizNo, phone }, problem) =>
    json({
      items: [
        {
          mobile: phone,
          message_id: bizNo,
          seq: id,
          delivrd_at: 1_558_692_400,
          ...(problem === null ? { status: 'DELIVRD' } : { status: 'FAILED', error: problem }),
        },
      ],
    }),
  thanks: '{}',
}

const yunpianNo = (code: number, status = 400): Answer => ({
  status,
  body: { http_status_code: status, code, msg: String(code), detail: String(code) },
})

/** JSON in which the numbers of messages are numbers of 64 bits. */
const longNumbers = (body: unknown): string => JSON.stringify(body).replace(/"sid":"(\d+)"/g, '"sid":$1')

const yunpian: Script = {
  account: { accessKey: '9b11127a9701975c734b8aee81ee3526', secretKey: '', appId: '' },
  problemOf: ({ body }, { accessKey }) =>
    new URLSearchParams(body).get('apikey') === accessKey ? null : yunpianNo(-1),
  read({ url, body }) {
    if (url.pathname !== '/v2/sms/tpl_single_send.json') return null
    const form = new URLSearchParams(body)
    const get = (name: string) => form.get(name) ?? ''
    const values = Object.fromEntries(new URLSearchParams(get('tpl_value')))
    return { id: get('uid'), phone: get('mobile'), template: get('tpl_id'), signName: null, params: values }
  },
  yes: sid => ok({ code: 0, msg: '发送成功', count: 1, fee: 0.05, sid }),
  no: {
    refuse: yunpianNo(10),
    template: yunpianNo(7),
    poor: yunpianNo(3),
    throttle: yunpianNo(33),
    error: yunpianNo(-50, 500),
  },
  list({ body }, taken) {
    const form = new URLSearchParams(body)
    const records = taken
      .filter(one => one.phone === form.get('mobile'))
      .map(({ id, bizNo, phone, became }) => ({
        sid: bizNo,
        uid: id,
        mobile: phone,
        send_status: 'SUCCESS',
        report_status: became === undefined ? 'UNKNOWN' : became === null ? 'SUCCESS' : 'FAIL',
        error_msg: became ?? null,
      }))
    return ok(records)
  },
  number: n => `9007199254740993${n}`,
  receipt({ id, bizNo, phone }, problem) {
    const report = {
      sid: bizNo,
      uid: id,
      mobile: phone,
      user_receive_time: '2026-12-01 10:00:00',
      error_msg: problem ?? '',
      error_detail: problem ?? '',
      report_status: problem === null ? 'SUCCESS' : 'FAIL',
    }
    const text = encodeURIComponent(longNumbers([report]))
    return { type: 'application/x-www-form-urlencoded', body: `sms_status=${encodeURIComponent(text)}` }
  },
  thanks: 'SUCCESS',
}

const aliyunNo = (Code: string, status = 200): Answer => ({ status, body: { Code, Message: Code } })
const aliyunNonces = new Set<unknown>()

const aliyun: Script = {
  account: { accessKey: 'LTAI-key', secretKey: 'a secret/with+signs=', appId: '' },
  problemOf({ method, raw, headers }, account, now) {
    const { authorization = '', 'x-acs-date': date, 'x-acs-signature-nonce': nonce } = headers
    if (!authorization.includes(`Credential=${account.accessKey},`)) return aliyunNo('InvalidAccessKeyId.NotFound', 400)
    const [, names = '', signature = ''] = /SignedHeaders=([^,]+),Signature=(\w+)$/.exec(authorization) ?? []
    const query = raw
      .slice(raw.indexOf('?') + 1)
      .split('&')
      .sort()
      .join('&')
    const lines = names.split(';').map(name => `${name}:${headers[name]}`)
    const canonical = `${method}\n/\n${query}\n${lines.join('\n')}\n\n${names}\n${headers['x-acs-content-sha256']}`
    const must = 'host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version'
    const hash = createHmac('sha256', account.secretKey)
      .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
      .digest('hex')
    if (names !== must || hash !== signature) return aliyunNo('SignatureDoesNotMatch', 400)
    if (Math.abs(Date.parse(String(date)) - now.getTime()) > 900_000) return aliyunNo('InvalidTimeStamp.Expired', 400)
    if (aliyunNonces.has(nonce)) return aliyunNo('SignatureNonceUsed', 400)
    aliyunNonces.add(nonce)
    return null
  },
  read({ url: { searchParams: query }, headers }) {
    if (headers['x-acs-action'] !== 'SendSms') return null
    const get = (name: string) => query.get(name) ?? ''
    const params = JSON.parse(get('TemplateParam'))
    const [id, phone] = [get('OutId'), get('PhoneNumbers')]
    return { id, phone, template: get('TemplateCode'), signName: get('SignName'), params }
  },
  yes: BizId => ok({ Code: 'OK', Message: 'OK', BizId }),
  no: {
    refuse: aliyunNo('isv.MOBILE_NUMBER_ILLEGAL'),
    template: aliyunNo('isv.SMS_TEMPLATE_ILLEGAL'),
    poor: aliyunNo('isv.AMOUNT_NOT_ENOUGH'),
    throttle: aliyunNo('Throttling.User', 400),
    error: aliyunNo('InternalError', 500),
  },
  list({ url }, taken) {
    const details = taken
      .filter(one => one.phone === url.searchParams.get('PhoneNumber'))
      .map(({ id, became }) => ({
        OutId: id,
        SendStatus: became === undefined ? 1 : became === null ? 3 : 2,
        ErrCode: became ?? 'DELIVERED',
      }))
    return ok({ Code: 'OK', SmsSendDetailDTOs: { SmsSendDetailDTO: details } })
  },
  number: n => `B${n}`,
  receipt: ({ id, bizNo, phone }, problem) =>
    json([
      {
        phone_number: phone,
        send_time: '2026-12-01 10:00:00',
        report_time: '2026-12-01 10:00:01',
        success: problem === null,
        err_code: problem ?? 'DELIVERED',
        err_msg: problem ?? '用户接收成功',
        sms_size: '1',
        biz_id: bizNo,
        out_id: id,
      },
    ]),
  thanks: '{"code":0,"msg":"接收成功"}',
}

const scripts: Readonly<Record<ProviderKey, Script>> = { tencent, qiniu, yunpian, aliyun }

/**
 * A provider of text messages as a server of the test: it knows one account, verifies the signature of every call by a computation of its
 * own, keeps what it took, and does with each message what it is told to.
 * @param clock the time that calls have to say, where they say one
 */
export async function smsProvider(key: ProviderKey, clock: () => Date = () => new Date()) {
  const script = scripts[key]
  const taken: TakenSms[] = []
  const became = new Map<string, string | null>()
  let moods: Mood[] = []
  let usual: Mood = 'accept'
  let before: ((taken: TakenSms) => Promise<void>) | undefined
  const state = { calls: 0, questions: 0 }
  const answerTo = async (call: Call): Promise<Answer | 'hang' | 'cut'> => {
    const problem = script.problemOf(call, script.account, clock())
    if (problem) return problem
    const message = script.read(call)
    if (!message) {
      state.questions++
      const rows = taken.map(one => ({ ...one, became: became.get(one.id) }))
      return script.list(call, rows)
    }
    const mood = moods.shift() ?? usual
    if (mood === 'hang') return 'hang'
    if (mood === 'deaf') return 'cut'
    if (mood !== 'accept' && mood !== 'cut') return script.no[mood]
    const one = { ...message, bizNo: script.number(taken.length) }
    taken.push(one)
    await before?.(one)
    return mood === 'cut' ? 'cut' : script.yes(one.bizNo)
  }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { method = '', url: raw = '', headers } = request
    const call = { method, raw, headers, url: new URL(raw, 'http://here'), body: Buffer.concat(parts).toString() }
    state.calls++
    const answer = await answerTo(call)
    if (answer === 'hang') return
    if (answer === 'cut') return void request.socket.destroy()
    const text = key === 'yunpian' ? longNumbers(answer.body) : JSON.stringify(answer.body)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    key,
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    account: script.account,
    thanks: script.thanks,
    /** Its book: every message it took, also those whose answer got lost. */
    taken,
    state,
    /** Says what becomes of the next messages. */
    will: (...next: Mood[]) => {
      moods = next
    },
    /** Says what becomes of all others. */
    always: (mood: Mood) => {
      usual = mood
    },
    /** Does something once a message is taken, before it is answered. */
    beforeAnswer: (work: typeof before) => {
      before = work
    },
    /** Says what became of a message, to whoever asks: null when it arrived. */
    end: (id: string, problem: string | null) => void became.set(id, problem),
    /** What it sends to the address of an account about a message. */
    receipt: (one: TakenSms, problem: string | null) => script.receipt(one, problem),
    clear() {
      taken.length = 0
      became.clear()
      moods = []
      usual = 'accept'
      before = undefined
      Object.assign(state, { calls: 0, questions: 0 })
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A provider of a test. */
export type SmsProviderServer = Awaited<ReturnType<typeof smsProvider>>
