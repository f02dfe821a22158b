import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How WeChat behaves next: takes a message, refuses it by a code, takes it and cuts the line, or cuts it before. */
export type WechatBehaviour = 'take' | number | 'cut' | 'deaf'

/** WeChat on this machine, with a book of what it took. */
export interface WechatServer {
  host: string
  /** Messages that it has taken, each once. */
  book: { openid: string; template: string; url: string; id: string; msgId: string; data: Record<string, string> }[]
  behaves: WechatBehaviour
  /** How often it was asked for a token, and for a message to be sent. */
  asked: { token: number; send: number }
  /** Those who follow the account. */
  followers: Set<string>
  /** Makes the tokens that it has given good no more. */
  revoke(): void
  /** A phone opens the page inside WeChat: the code that it is led back with, good once. */
  visit(openid: string): string
  /** The scene of a QR code, by what its picture says. */
  sceneOf(url: string): string
  close(): Promise<void>
}

/** The official account that it knows. */
export const wechatLogin = {
  appId: 'wx0123456789abcdef',
  appSecret: 'f'.repeat(32),
  pushToken: 'TokenOfOurs',
  aesKey: randomBytes(32).toString('base64').slice(0, 43),
}

/** Templates that the account has, with their keywords: WeChat takes these and no others. */
export const wechatTemplateIds = {
  result: ['resultTemplate-0123456789', ['thing1', 'thing2', 'time3']],
  todo: ['todoTemplate-0123456789AB', ['thing1', 'thing2', 'time3']],
} as const

/** SHA-1 over the sorted texts, worked out here once more. */
const sign = (...texts: string[]): string => createHash('sha1').update(texts.sort().join('')).digest('hex')

/** The address and body by which WeChat tells of something, in plain text. */
export function signedPush(event: Record<string, string>, now: Date, token = wechatLogin.pushToken) {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const nonce = randomBytes(6).toString('hex')
  const query = `timestamp=${timestamp}&nonce=${nonce}&signature=${sign(token, timestamp, nonce)}`
  const told = { ToUserName: 'gh_1', CreateTime: timestamp, MsgType: 'event', ...event }
  const body = Object.entries(told).map(([name, text]) => `<${name}><![CDATA[${text}]]></${name}>`)
  return { query, body: `<xml>${body.join('')}</xml>` }
}

/** The same, encrypted for the account by the rules that WeChat publishes, worked out here once more. */
export function encryptedPush(event: Record<string, string>, now: Date, appId: string = wechatLogin.appId) {
  const { query, body } = signedPush(event, now)
  const asked = new URLSearchParams(query)
  const key = Buffer.from(`${wechatLogin.aesKey}=`, 'base64')
  const text = Buffer.from(body)
  const length = Buffer.alloc(4)
  length.writeInt32BE(text.length)
  const plain = Buffer.concat([randomBytes(16), length, text, Buffer.from(appId)])
  const missing = 32 - (plain.length % 32)
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  const sealed = cipher.update(Buffer.concat([plain, Buffer.alloc(missing, missing)])).toString('base64')
  const signature = sign(wechatLogin.pushToken, asked.get('timestamp') ?? '', asked.get('nonce') ?? '', sealed)
  return {
    query: `${query}&encrypt_type=aes&msg_signature=${signature}`,
    body: `<xml><ToUserName><![CDATA[gh_1]]></ToUserName><Encrypt><![CDATA[${sealed}]]></Encrypt></xml>`,
  }
}

/** What an encrypted answer says. */
export function openedAnswer(xml: string): string {
  const [, sealed = ''] = /<Encrypt><!\[CDATA\[(.*?)\]\]><\/Encrypt>/s.exec(xml) ?? []
  const key = Buffer.from(`${wechatLogin.aesKey}=`, 'base64')
  const decipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  const plain = decipher.update(sealed, 'base64')
  return plain.subarray(20, 20 + plain.readInt32BE(16)).toString()
}

/** Starts WeChat: it gives tokens for the right secret, looks at them, and has a message of one number to one receiver once. */
export async function wechatServer(): Promise<WechatServer> {
  const scenes = new Map<string, string>()
  const visits = new Map<string, string>()
  let token = ''
  const no = (errcode: number, errmsg = 'refused') => ({ errcode, errmsg })
  const isRightData = (template: string, data: Record<string, { value: string }>): boolean => {
    const known = Object.values(wechatTemplateIds).find(([id]) => id === template)
    const names = Object.keys(data)
    const isTime = ({ value }: { value: string }) => /^\d{4}年\d{1,2}月\d{1,2}日 \d\d:\d\d$/.test(value)
    return (
      names.toSorted().join() === known?.[1].toSorted().join() &&
      names.every(name => (name.startsWith('time') ? isTime(data[name]!) : /^.{1,20}$/.test(data[name]!.value)))
    )
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://wechat')
      const body = JSON.parse(Buffer.concat(parts).toString() || '{}')
      const answer = (value: object) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
      if (url.pathname === '/cgi-bin/stable_token') {
        own.asked.token++
        const isRight = body.grant_type === 'client_credential' && body.force_refresh === false
        if (!isRight || body.appid !== wechatLogin.appId) return answer(no(40013))
        if (body.secret !== wechatLogin.appSecret) return answer(no(40125))
        token ||= randomBytes(16).toString('hex')
        return answer({ access_token: token, expires_in: 7200 })
      }
      if (url.pathname === '/sns/oauth2/access_token') {
        const { appid, secret, code = '', grant_type: kind } = Object.fromEntries(url.searchParams)
        if (request.method !== 'GET' || kind !== 'authorization_code' || appid !== wechatLogin.appId)
          return answer(no(40013))
        if (secret !== wechatLogin.appSecret) return answer(no(40125))
        const openid = visits.get(code)
        if (openid === undefined) return answer(no(40029))
        visits.delete(code)
        return answer({ access_token: 'page', expires_in: 7200, openid, scope: 'snsapi_base' })
      }
      if (token === '' || url.searchParams.get('access_token') !== token) return answer(no(40001))
      if (url.pathname === '/cgi-bin/qrcode/create') {
        const picture = `http://weixin.qq.com/q/${randomBytes(9).toString('hex')}`
        scenes.set(picture, body.action_info.scene.scene_str)
        return answer({ ticket: 't', expire_seconds: body.expire_seconds, url: picture })
      }
      if (url.pathname === '/cgi-bin/user/info' && request.method === 'GET') {
        const openid = url.searchParams.get('openid') ?? ''
        return answer({ openid, subscribe: Number(own.followers.has(openid)) })
      }
      own.asked.send++
      if (own.behaves === 'deaf') return request.socket.destroy()
      if (typeof own.behaves === 'number') return answer(no(own.behaves))
      const { touser: openid, template_id: template, client_msg_id: id, url: page, data } = body
      if (!own.followers.has(openid)) return answer(no(43004))
      if (!Object.values(wechatTemplateIds).some(([known]) => known === template)) return answer(no(40037))
      if (!isRightData(template, data)) return answer(no(47003))
      let taken = own.book.find(one => one.openid === openid && one.id === id)
      if (!taken) {
        const values = Object.entries<{ value: string }>(data).map(([name, { value }]) => [name, value])
        const msgId = String(10_000 + own.book.length)
        taken = { openid, template, url: page, id, msgId, data: Object.fromEntries(values) }
        own.book.push(taken)
      }
      if (own.behaves === 'cut') return request.socket.destroy()
      answer({ errcode: 0, errmsg: 'ok', msgid: Number(taken.msgId) })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own: WechatServer = {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    book: [],
    behaves: 'take',
    asked: { token: 0, send: 0 },
    followers: new Set(),
    revoke: () => {
      token = ''
    },
    visit: openid => {
      const code = randomBytes(12).toString('hex')
      visits.set(code, openid)
      return code
    },
    sceneOf: picture => scenes.get(picture) ?? '',
    close: () =>
      new Promise(done => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
  return own
}
