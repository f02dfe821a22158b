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
import { refusalOf } from './reasons.ts'
import { signedHeaders } from './signature.ts'

const version = '2021-01-11'
/** Where accounts that name no region send from. */
const usualRegion = 'ap-guangzhou'
/** Seconds that the provider looks back at most, and by which clocks may differ. */
const back = 7 * 86_400
const skew = 60

interface Status {
  Code?: string
  Message?: string
  SerialNo?: string
}

interface Report {
  SerialNo?: string
  ReportStatus?: string
  Description?: string
  /** Our number, where the provider gives it back. */
  SessionContext?: string
}

interface Answer {
  Error?: { Code?: string; Message?: string }
  SendStatusSet?: Status[]
  PullSmsSendStatusSet?: Report[]
}

/** Makes a call and reads its answer: its status is 200 whatever it says. @throws SmsError for what it refuses as a whole */
async function call(account: SmsAccount, around: ProviderAround, action: string, values: object): Promise<Answer> {
  const body = JSON.stringify({ SmsSdkAppId: account.appId, ...values })
  const { host } = new URL(around.host)
  const asked = { host, action, version, region: account.regionId || usualRegion, body, time: around.now() }
  const answer = await callProvider(around, `${around.host}/`, {
    method: 'POST',
    headers: signedHeaders(account, asked),
    body,
  })
  const { Response } = answer.body as { Response?: Answer }
  if (!Response) throw new SmsError('短信服务商答复无法识别', answer.status >= 500 ? 'later' : 'unknown')
  if (Response.Error) throw refusalOf(Response.Error)
  return Response
}

async function query(account: SmsAccount, around: ProviderAround, sent: SentSms): Promise<Delivery> {
  const until = Math.floor(around.now().getTime() / 1000)
  const { PullSmsSendStatusSet: reports = [] } = await call(account, around, 'PullSmsSendStatusByPhoneNumber', {
    BeginTime: Math.max(Math.floor(sent.time.getTime() / 1000) - skew, until - back),
    EndTime: until + skew,
    Offset: 0,
    Limit: 100,
    PhoneNumber: `+86${sent.phone}`,
  })
  const report = reports.find(one => one.SerialNo === sent.bizNo || one.SessionContext === sent.id)
  // Only what carriers have answered is listed: what is not may all the same have gone out.
  if (!report) return { state: sent.bizNo === null ? 'cannot' : 'taken' }
  if (report.ReportStatus === 'SUCCESS') return { state: 'arrived' }
  return { state: 'failed', problem: undelivered(report.Description) }
}

/** Text messages by Tencent Cloud. Of a message whose answer was lost nothing can be learnt, unless a report gives our number back. */
export default {
  key: 'tencent',
  host: 'https://sms.tencentcloudapi.com',
  open: (account, around) => ({
    async send({ id, phone, signName, templateId, params }) {
      const { SendStatusSet: [status] = [] } = await call(account, around, 'SendSms', {
        PhoneNumberSet: [`+86${phone}`],
        SignName: signName,
        TemplateId: templateId,
        TemplateParamSet: params.map(([, value]) => value),
        SessionContext: id,
      })
      if (!status?.Code) throw new SmsError('短信服务商答复无法识别', 'unknown')
      if (status.Code !== 'Ok') throw refusalOf(status)
      return { bizNo: status.SerialNo ?? '' }
    },
    query: sent => query(account, around, sent),
  }),
  readReceipts: body =>
    endedOf(JSON.parse(body), 'report_status', ['SUCCESS', 'FAIL']).map(one => ({
      id: null,
      bizNo: String(one.sid ?? ''),
      phone: bareNumber(one.mobile),
      problem: one.report_status === 'SUCCESS' ? null : undelivered(one.description ?? one.errmsg),
    })),
  thanks: { type: 'application/json', body: '{"result":0,"errmsg":"OK"}' },
} satisfies SmsProviderKind
