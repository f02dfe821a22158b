import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { EnableStatus } from '#schemas/dictionaries'
import { liveAcross } from '../../../database/live.ts'
import { decrypt, encrypt, type PushKeys, pushKeysOf, readXml, signatureOf } from '../push.ts'
import { pushPath } from '../push-routes.ts'

const element = ([name, text]: readonly [string, string]): string => `<${name}><![CDATA[${text}]]></${name}>`

/** The account in use that has a number at WeChat. */
async function accountOf(app: FastifyInstance, appId: string): Promise<(PushKeys & { id: string }) | undefined> {
  const row = await liveAcross(app, app)
    .selectFrom('wechat')
    .select(['id', 'appId', 'pushToken', 'aesKey'])
    .where('appId', '=', appId)
    .where('wechatStatus', '=', EnableStatus.enabled)
    .executeTakeFirst()
  return row && { id: row.id, ...pushKeysOf(app.vault, row) }
}

/**
 * Tells the server of an account what somebody does, signed and, where the account has a key, encrypted as WeChat does.
 * @returns what the server answers to that person; an empty text for nothing
 */
export async function tellServer(
  app: FastifyInstance,
  appId: string,
  openid: string,
  event: Readonly<Record<string, string>>,
): Promise<string> {
  const account = await accountOf(app, appId)
  if (!account) return ''
  const timestamp = String(Math.floor(app.now().getTime() / 1000))
  const nonce = randomBytes(8).toString('hex')
  const told = { ToUserName: 'gh_sandbox', FromUserName: openid, CreateTime: timestamp, MsgType: 'event', ...event }
  const plain = `<xml>${Object.entries(told).map(element).join('')}</xml>`
  const encrypted = account.aesKey === '' ? '' : encrypt(account, plain)
  const query = new URLSearchParams({
    timestamp,
    nonce,
    signature: signatureOf(account.token, timestamp, nonce),
    ...(encrypted && { encrypt_type: 'aes', msg_signature: signatureOf(account.token, timestamp, nonce, encrypted) }),
  })
  const { statusCode, payload } = await app.inject({
    method: 'POST',
    url: `/api${pushPath(account.id)}?${query}`,
    headers: { 'content-type': 'text/xml' },
    payload: encrypted
      ? `<xml>${element(['ToUserName', 'gh_sandbox'])}${element(['Encrypt', encrypted])}</xml>`
      : plain,
  })
  if (statusCode !== 200) throw new Error(`a push was answered by ${statusCode}`)
  if (payload === '') return ''
  const answer = readXml(payload)
  return (answer.Encrypt ? readXml(decrypt(account, answer.Encrypt)) : answer).Content ?? ''
}
