import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { ChannelError, type NewChannelOrder, NotifyError } from '../../src/platform/channels/pay/channel.ts'
import { type SandboxMerchant, sandboxMerchant } from '../../src/platform/channels/pay/sandbox/merchant.ts'
import sandbox, { sandboxPath } from '../../src/platform/channels/pay/sandbox/plugin.ts'
import { sandboxSettings } from '../../src/platform/channels/pay/sandbox/settings.ts'
import { WechatChannel } from '../../src/platform/channels/pay/wechat/client.ts'
import { databaseNonces } from '../../src/platform/channels/pay/wechat/nonces.ts'
import { loadSecrets } from '../../src/platform/vault/secrets.ts'
import { testSecretKey } from './cluster.ts'

/** A sandbox that listens, the real client in front of it, and a clock one can move. */
export class PayBench {
  clock = new Date('2026-11-20T06:00:00Z')
  readonly now = () => this.clock
  readonly app: FastifyInstance = Fastify()
  readonly pool: Pool
  readonly merchant: SandboxMerchant
  #serial = 0

  constructor(pool: Pool, merchant: SandboxMerchant) {
    this.pool = pool
    this.merchant = merchant
  }

  /** Where the sandbox listens. */
  readonly url = () => `http://127.0.0.1:${(this.app.server.address() as AddressInfo).port}`

  /** The real client, pointed at the sandbox or at another address, with some settings changed. */
  client(url: () => string = this.url, change: Partial<ConstructorParameters<typeof WechatChannel>[0]> = {}) {
    const around = { now: this.now, nonces: databaseNonces(this.pool), timeout: 1000 }
    return new WechatChannel({ ...sandboxSettings(this.merchant, url), ...change }, around)
  }

  /** An order nobody has made yet. */
  order(more: Partial<NewChannelOrder> = {}): NewChannelOrder {
    return {
      orderNo: `T${this.clock.getTime()}${this.#serial++}`,
      body: '2026年公开招聘 笔试',
      amount: 8000,
      expireTime: new Date(this.clock.getTime() + 7_200_000),
      notifyUrl: 'http://127.0.0.1:9/api/pay/wxpay/notify',
      clientIp: '10.0.0.8',
      ...more,
    }
  }

  /** Moves the clock on. */
  wait(seconds: number): void {
    this.clock = new Date(this.clock.getTime() + seconds * 1000)
  }

  /** Empties the tables and sets the clock back. */
  async reset(): Promise<void> {
    this.clock = new Date('2026-11-20T06:00:00Z')
    await this.pool.query('TRUNCATE pay_sandbox_order, pay_sandbox_refund, pay_sandbox_notify, pay_nonce')
  }
}

/** Starts a bench on a database. */
export async function payBench(pool: Pool): Promise<PayBench> {
  const secrets = await loadSecrets(pool, testSecretKey)
  const account = sandboxMerchant(secrets.pair('payMerchant'), secrets.pair('payPlatform'), secrets.get('payNotify'))
  const bench = new PayBench(pool, account)
  const { merchant, now, url: publicUrl } = bench
  await bench.app.register(sandbox, { prefix: sandboxPath, pool, merchant, now, publicUrl, interval: 0 })
  await bench.app.listen({ port: 0, host: '127.0.0.1' })
  return bench
}

/** A request as {@link recorder} got it. */
export interface Seen {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** What {@link recorder} answers. */
export type Reply = { status: number; body?: string; headers?: Record<string, string> }

/** An HTTP server that remembers what it is asked and answers as told. */
export async function recorder(reply: (seen: Seen) => Reply) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body: Buffer.concat(chunks) }
    seen.push(one)
    const { status, body = '', headers: extra = {} } = reply(one)
    response.writeHead(status, extra).end(body)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close: () => server.close() }
}

/** What a call came to: `accepted`, or the fault or code of its error. */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  const name = (error: unknown) =>
    error instanceof NotifyError ? error.fault : error instanceof ChannelError ? error.code : error
  return promise.then(() => 'accepted', name)
}

/** Presses the button of the cashier page. */
export async function payAtCashier(codeUrl: string): Promise<string> {
  return (await fetch(codeUrl, { method: 'POST' })).text()
}
