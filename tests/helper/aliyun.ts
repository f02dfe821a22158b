import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'

/** A message as the provider of a test took it. */
export interface Taken {
  phone: string
  text: string
  params: unknown
  outId: string
  bizId: string
}

/** What the provider does with the next message: its code, or no answer although it took it, or no answer and not taken. */
export type Mood = string | 'silent' | 'deaf'

const host = 'dysmsapi.aliyuncs.com'
const hex = (text: string) => createHash('sha256').update(text).digest('hex')

/** Whether a call is signed with the secret: written down from the provider's description, line by line. */
function isSigned({ method, url = '', headers }: IncomingMessage, secret: string): boolean {
  const [, names = '', signature = ''] =
    /SignedHeaders=([^,]+),Signature=(\w+)$/.exec(headers.authorization ?? '') ?? []
  const query = url
    .slice(url.indexOf('?') + 1)
    .split('&')
    .sort()
    .join('&')
  const lines = names.split(';').map(name => `${name}:${name === 'host' ? host : headers[name]}`)
  const canonical = `${method}\n/\n${query}\n${lines.join('\n')}\n\n${names}\n${headers['x-acs-content-sha256']}`
  const must = ['host', 'x-acs-action', 'x-acs-content-sha256', 'x-acs-date', 'x-acs-signature-nonce', 'x-acs-version']
  const text = `ACS3-HMAC-SHA256\n${hex(canonical)}`
  return must.join(';') === names && createHmac('sha256', secret).update(text).digest('hex') === signature
}

/**
 * Aliyun's text messages as a server of the test: it knows one account, checks signature, time and nonce of every call, and
 * keeps what it took. Calls to Aliyun's own address are led here.
 */
export async function aliyunServer(account: { accessKey: string; secretKey: string }) {
  const taken: Taken[] = []
  const nonces = new Set<unknown>()
  const failed = new Map<string, string>()
  let moods: Mood[] = []
  const problemOf = (request: IncomingMessage): string | null => {
    const { authorization = '', 'x-acs-date': date, 'x-acs-signature-nonce': nonce } = request.headers
    if (!authorization.includes(`Credential=${account.accessKey},`)) return 'InvalidAccessKeyId.NotFound'
    if (!isSigned(request, account.secretKey)) return 'SignatureDoesNotMatch'
    if (Math.abs(Date.parse(String(date)) - Date.now()) > 900_000) return 'InvalidTimeStamp.Expired'
    if (nonces.has(nonce)) return 'SignatureNonceUsed'
    nonces.add(nonce)
    return null
  }
  const send = (query: URLSearchParams) => {
    const mood = moods.shift() ?? 'OK'
    if (mood === 'deaf') return null
    if (mood !== 'OK' && mood !== 'silent') return { Code: mood, Message: 'no' }
    const bizId = `B${taken.length}`
    const [phone, outId] = [query.get('PhoneNumbers') ?? '', query.get('OutId') ?? '']
    const params = JSON.parse(query.get('TemplateParam') ?? '')
    taken.push({ phone, outId, bizId, params, text: `${query.get('SignName')} ${query.get('TemplateCode')}` })
    return mood === 'silent' ? null : { Code: 'OK', Message: 'OK', BizId: bizId }
  }
  const details = (query: URLSearchParams) => {
    const rows = taken
      .filter(one => one.phone === query.get('PhoneNumber'))
      .map(({ outId }) => ({
        OutId: outId,
        SendStatus: failed.has(outId) ? 2 : 3,
        ErrCode: failed.get(outId) ?? 'DELIVERED',
      }))
    return { Code: 'OK', SmsSendDetailDTOs: { SmsSendDetailDTO: rows } }
  }
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://here').searchParams
    const problem = problemOf(request)
    const action = request.headers['x-acs-action'] === 'SendSms' ? send : details
    const answer = problem ? { Code: problem, Message: problem } : action(query)
    if (!answer) return request.socket.destroy()
    response.writeHead(problem ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (to: string, init?: RequestInit) => fetch(to.replace(`https://${host}`, here), init))
  return {
    taken,
    /** Says what becomes of the next messages. */
    will: (...next: Mood[]) => {
      moods = next
    },
    /** A message that was taken does not arrive. */
    lose: (outId: string, code: string) => failed.set(outId, code),
    close() {
      vi.unstubAllGlobals()
      server.close()
    },
  }
}
