import { createHash } from 'node:crypto'
import { limits } from '../../../config/limits.ts'
import type { WechatAccount } from '../../../config/wechat.ts'
import {
  ChannelError,
  type ChannelHeaders,
  type ChannelOrder,
  type NewChannelOrder,
  type NotifyingChannel,
} from '../channel.ts'
import type { ChannelRefund, NewChannelRefund } from '../refund.ts'
import type { NonceStore } from './nonces.ts'
import { readNotification, readRefundNotification } from './notification.ts'
import { readRefund, refundBody } from './refund.ts'
import { authorization, platformMessage, readPlatformKeys, signatureFits } from './signature.ts'
import { readTransaction, wireTime } from './transaction.ts'

/** Everything a merchant gets from WeChat Pay, as configuration. */
export interface WechatSettings extends Omit<WechatAccount, 'baseUrl'> {
  /** `https://api.mch.weixin.qq.com`; a function, because the demo's address is known only once it listens. */
  baseUrl: () => string
  /** Where payments are told instead of the server's own address. */
  notifyUrl?: string
}

/** What the client needs around it. */
export interface WechatSurroundings {
  now: () => Date
  nonces: NonceStore
  /** Milliseconds one call may take, where it is another than usual. */
  timeout?: number
}

const refundPath = '/v3/refund/domestic/refunds'

interface Answer {
  status: number
  body: Buffer
  headers: Headers
}

/** WeChat Pay APIv3, Native: a QR code that the payer scans. */
export class WechatChannel implements NotifyingChannel {
  readonly #settings: WechatSettings
  readonly #around: WechatSurroundings
  readonly #keys: ReturnType<typeof readPlatformKeys>

  constructor(settings: WechatSettings, around: WechatSurroundings) {
    this.#settings = settings
    this.#around = around
    this.#keys = readPlatformKeys(settings.platformKeys)
  }

  async createOrder(order: NewChannelOrder): Promise<{ codeUrl: string }> {
    const { appid, mchid } = this.#settings
    const answer = await this.#call('POST', '/v3/pay/transactions/native', {
      appid,
      mchid,
      description: order.body,
      out_trade_no: order.orderNo,
      time_expire: wireTime(order.expireTime),
      notify_url: this.#settings.notifyUrl || order.notifyUrl,
      amount: { total: order.amount, currency: 'CNY' },
      scene_info: { payer_client_ip: order.clientIp },
    })
    const { code_url: codeUrl } = JSON.parse(answer) as { code_url?: string }
    if (!codeUrl) throw new ChannelError('FORMAT', 200, 'no code_url')
    return { codeUrl }
  }

  async queryOrder(orderNo: string): Promise<ChannelOrder> {
    const order = readTransaction(await this.#call('GET', `${this.#orderPath(orderNo)}?mchid=${this.#settings.mchid}`))
    const isOwn = order.appid === this.#settings.appid && order.mchid === this.#settings.mchid
    if (!isOwn || order.orderNo !== orderNo) throw new ChannelError('FORMAT', 200, 'an answer about another order')
    return order
  }

  async closeOrder(orderNo: string): Promise<void> {
    await this.#call('POST', `${this.#orderPath(orderNo)}/close`, { mchid: this.#settings.mchid })
  }

  verifyNotify(headers: ChannelHeaders, rawBody: Buffer): Promise<ChannelOrder> {
    return readNotification(this.#notificationKeys(), headers, rawBody)
  }

  async refund(refund: NewChannelRefund): Promise<ChannelRefund> {
    return own(refund.refundNo, await this.#call('POST', refundPath, refundBody(refund)))
  }

  async queryRefund(refundNo: string): Promise<ChannelRefund> {
    return own(refundNo, await this.#call('GET', `${refundPath}/${encodeURIComponent(refundNo)}`))
  }

  verifyRefundNotify(headers: ChannelHeaders, rawBody: Buffer): Promise<ChannelRefund> {
    return readRefundNotification(this.#notificationKeys(), headers, rawBody)
  }

  async tradeBill(day: string): Promise<string> {
    const answer = await this.#call('GET', `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL`)
    const told = JSON.parse(answer) as { hash_type?: string; hash_value?: string; download_url?: string }
    if (told.hash_type !== 'SHA1' || !told.download_url) throw new ChannelError('FORMAT', 200, 'no bill address')
    const base = new URL(this.#settings.baseUrl())
    const url = new URL(told.download_url)
    // The address is signed with our key: it goes to the channel's own host and nowhere else.
    if (url.host !== base.host) throw new ChannelError('FORMAT', 200, 'the bill is on another host')
    const { status, body } = await this.#send('GET', url, '')
    if (status !== 200) throw new ChannelError('FORMAT', status, 'the bill cannot be fetched')
    const digest = createHash('sha1').update(body).digest('hex')
    if (digest !== told.hash_value?.toLowerCase()) throw new ChannelError('HASH', 200, 'the bill was changed')
    return body.toString('utf8')
  }

  #notificationKeys() {
    return { ...this.#settings, ...this.#around, platformKeys: this.#keys }
  }

  #orderPath(orderNo: string): string {
    return `/v3/pay/transactions/out-trade-no/${encodeURIComponent(orderNo)}`
  }

  async #call(method: 'GET' | 'POST', path: string, body?: object): Promise<string> {
    const url = new URL(this.#settings.baseUrl().replace(/\/$/, '') + path)
    const answer = await this.#send(method, url, body ? JSON.stringify(body) : '')
    const signed = this.#isSigned(answer)
    if (answer.status >= 300) throw refusal(answer, signed)
    if (!signed) throw new ChannelError('SIGNATURE', answer.status, 'the answer is not signed by the platform')
    return answer.body.toString('utf8')
  }

  async #send(method: string, url: URL, body: string): Promise<Answer> {
    const seconds = Math.floor(this.#around.now().getTime() / 1000)
    const [serial = ''] = this.#keys.keys()
    try {
      const response = await fetch(url, {
        method,
        body: body || undefined,
        redirect: 'error',
        signal: AbortSignal.timeout(this.#around.timeout ?? limits.pay),
        headers: {
          Authorization: authorization(this.#settings, method, url.pathname + url.search, body, seconds),
          Accept: 'application/json',
          'User-Agent': 'juxian',
          'Wechatpay-Serial': serial,
          ...(body && { 'Content-Type': 'application/json' }),
        },
      })
      return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
    } catch (error) {
      throw new ChannelError('TRANSPORT', 0, 'the channel did not answer', { cause: error })
    }
  }

  #isSigned({ headers, body }: Answer): boolean {
    const key = this.#keys.get(headers.get('wechatpay-serial') ?? '')
    const timestamp = headers.get('wechatpay-timestamp') ?? ''
    const apart = Math.abs(this.#around.now().getTime() / 1000 - Number(timestamp))
    if (!key || !timestamp || !(apart <= 300)) return false
    const message = platformMessage(timestamp, headers.get('wechatpay-nonce') ?? '', body)
    return signatureFits(message, headers.get('wechatpay-signature') ?? '', key)
  }
}

/** The refund of an answer, if it is about the one that was asked for. */
function own(refundNo: string, answer: string): ChannelRefund {
  const { mchid: _, ...refund } = readRefund(answer)
  if (refund.refundNo !== refundNo) throw new ChannelError('FORMAT', 200, 'an answer about another refund')
  return refund
}

function refusal({ status, body }: Answer, signed: boolean): ChannelError {
  try {
    const { code, message } = JSON.parse(body.toString('utf8')) as { code?: string; message?: string }
    return new ChannelError(code || 'FORMAT', status, message ?? '', { signed })
  } catch {
    return new ChannelError('FORMAT', status, 'an answer that cannot be read')
  }
}
