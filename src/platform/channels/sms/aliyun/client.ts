import { randomUUID } from 'node:crypto'
import { SmsError } from '../channel.ts'
import { type AliyunAccount, queryOf, signedHeaders } from './signature.ts'

/** Where Aliyun sends text messages from, and the edition of its calls. */
const [host, version] = ['dysmsapi.aliyuncs.com', '2017-05-25']
/** Milliseconds one call may take. */
const patience = 8000

/** What every answer says; the rest depends on the call. */
export interface AliyunAnswer {
  Code?: string
  Message?: string
}

/**
 * Makes a call and reads its answer, refusals included. A call is made once: whether one without an answer arrived is
 * unknown.
 * @throws SmsError, not final, when there is no answer that can be read
 */
export async function callAliyun<T extends AliyunAnswer>(
  account: AliyunAccount,
  action: string,
  params: Readonly<Record<string, string>>,
): Promise<T> {
  // Aliyun compares with the time of the world, whatever the clock of this installation says.
  const call = { host, action, version, params, time: new Date(), nonce: randomUUID() }
  const { host: _host, ...headers } = signedHeaders(account, call)
  try {
    const answer = await fetch(`https://${host}/?${queryOf(params)}`, {
      method: 'POST',
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    })
    const body = (await answer.json()) as T
    if (answer.status >= 500 || !body.Code) throw new Error(`status ${answer.status}`)
    return body
  } catch (error) {
    throw new SmsError('短信服务商没有应答', false, error)
  }
}
