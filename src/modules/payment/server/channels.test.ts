import { createCipheriv, createVerify, generateKeyPairSync, randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../tests/helper/app.ts'
import {
  outcome,
  type PayBench,
  payAtCashier,
  payBench,
  type Reply,
  recorder,
} from '../../../../tests/helper/pay-bench.ts'
import type { ChannelError, ChannelHeaders } from '../../../platform/channels/pay/channel.ts'
import type { SandboxMerchant } from '../../../platform/channels/pay/sandbox/merchant.ts'
import { signedNotify } from '../../../platform/channels/pay/sandbox/notify.ts'
import { findOrder } from '../../../platform/channels/pay/sandbox/orders.ts'
import type { WechatChannel } from '../../../platform/channels/pay/wechat/client.ts'
import { purgeNonces } from '../../../platform/channels/pay/wechat/nonces.ts'
import { platformHeaders } from '../../../platform/channels/pay/wechat/signature.ts'
import { openPool } from '../../../platform/database/database.ts'

let pool: Pool
let database: TestDatabase
let bench: PayBench
let merchant: SandboxMerchant
let channel: WechatChannel

beforeAll(async () => {
  database = await testDatabase()
  pool = openPool({ connectionString: database.url })
  bench = await payBench(pool)
  merchant = bench.merchant
  channel = bench.client()
})

afterAll(async () => {
  await bench.app.close()
  await pool.end()
  await database.drop()
})

beforeEach(() => bench.reset())

const stranger = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey

describe('a request', () => {
  it('is signed over method, path, time, nonce and body', async () => {
    const { url, seen, close } = await recorder(() => ({ status: 500, body: '{"code":"SYSTEM_ERROR"}' }))
    const asked = bench.client(() => url)
    expect(await outcome(asked.createOrder(bench.order()))).toBe('SYSTEM_ERROR')
    close()
    const [one] = seen
    const header = String(one?.headers.authorization)
    const part = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(header)?.[1] ?? ''
    expect(header).toMatch(/^WECHATPAY2-SHA256-RSA2048 mchid="/)
    expect(part('timestamp')).toBe('1795154400')
    expect(part('nonce_str')).toMatch(/^[0-9A-F]{32}$/)
    const text = `POST\n/sandbox/wxpay/v3/pay/transactions/native\n1795154400\n${part('nonce_str')}\n${one?.body}\n`
    const verify = createVerify('RSA-SHA256').update(text)
    expect(verify.verify(merchant.publicKey, part('signature'), 'base64')).toBe(true)
    expect(JSON.parse(String(one?.body))).toMatchObject({
      amount: { total: 8000, currency: 'CNY' },
      time_expire: '2026-11-20T16:00:00+08:00',
      mchid: merchant.mchid,
      appid: merchant.appid,
    })
  })

  it.each([
    ['a stranger’s key', { privateKey: stranger }],
    ['another serial', { serialNo: 'FFFF' }],
    ['another merchant', { mchid: '1900000000' }],
  ])('with %s is refused', async (_name, change) => {
    const other = bench.client(bench.url, change)
    expect(await outcome(other.createOrder(bench.order()))).toBe('SIGN_ERROR')
  })

  it('whose body was changed on the way is refused', async () => {
    const { url, seen, close } = await recorder(() => ({ status: 500 }))
    await outcome(bench.client(() => url).createOrder(bench.order()))
    close()
    const [one] = seen
    const headers = { authorization: String(one?.headers.authorization), 'content-type': 'application/json' }
    const send = (body: string) => bench.app.inject({ method: 'POST', url: one?.url ?? '', headers, body })
    expect((await send(String(one?.body).replace('8000', '8'))).statusCode).toBe(401)
    expect((await send(String(one?.body))).statusCode).toBe(200)
    bench.wait(301)
    expect((await send(String(one?.body))).statusCode).toBe(401)
  })
})

describe('an answer', () => {
  const body = () =>
    JSON.stringify({ appid: merchant.appid, mchid: merchant.mchid, out_trade_no: 'A00000001', trade_state: 'NOTPAY' })
  const signed = (text = body(), seconds = bench.clock.getTime() / 1000) =>
    platformHeaders(text, seconds, merchant.platformSerial, merchant.platformPrivateKey)

  const cases: [string, string, () => Reply][] = [
    [
      'with a changed body',
      'SIGNATURE',
      () => ({ status: 200, headers: signed(), body: body().replace('NOTPAY', 'CLOSED') }),
    ],
    ['without signature', 'SIGNATURE', () => ({ status: 200, body: body() })],
    [
      'with an unknown serial',
      'SIGNATURE',
      () => ({ status: 200, headers: { ...signed(), 'Wechatpay-Serial': 'X' }, body: body() }),
    ],
    [
      'that is old',
      'SIGNATURE',
      () => ({ status: 200, headers: signed(body(), bench.clock.getTime() / 1000 - 301), body: body() }),
    ],
    ['in a gateway’s HTML', 'FORMAT', () => ({ status: 502, body: '<html>' })],
    [
      'with an unheard-of state',
      'FORMAT',
      () => {
        const text = body().replace('NOTPAY', 'MAYBE')
        return { status: 200, headers: signed(text), body: text }
      },
    ],
    [
      'about another order',
      'FORMAT',
      () => {
        const text = body().replace('A00000001', 'A00000002')
        return { status: 200, headers: signed(text), body: text }
      },
    ],
  ]
  it.each(cases)('%s throws and says nothing about the money', async (_name, code, reply) => {
    const { url, close } = await recorder(reply)
    const asked = bench.client(() => url)
    expect(await outcome(asked.queryOrder('A00000001'))).toBe(code)
    close()
  })

  it('that never comes throws', async () => {
    const { url, close } = await recorder(() => ({ status: 200 }))
    close()
    const asked = bench.client(() => url)
    expect(await outcome(asked.queryOrder('A00000001'))).toBe('TRANSPORT')
  })

  it('"no such order" counts only when it is signed', async () => {
    const text = '{"code":"ORDER_NOT_EXIST","message":"订单不存在"}'
    const replies: Reply[] = [
      { status: 404, body: text },
      { status: 404, body: text, headers: signed(text) },
    ]
    const { url, close } = await recorder(() => replies.shift() ?? { status: 500 })
    const asked = bench.client(() => url)
    const unknown = () => asked.queryOrder('A00000001').catch((error: ChannelError) => error.unknownOrder)
    expect([await unknown(), await unknown()]).toEqual([false, true])
    close()
  })
})

describe('a notification', () => {
  let headers: Record<string, string>
  let body: string

  const lower = (all: Record<string, string>): ChannelHeaders =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]))
  const read = (all = headers, text: string | Buffer = body) => channel.verifyNotify(lower(all), Buffer.from(text))
  const resign = (text: string, seconds = bench.clock.getTime() / 1000) =>
    platformHeaders(text, seconds, merchant.platformSerial, merchant.platformPrivateKey)
  const flip = (text = '', at = text.length >> 1) =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)

  beforeEach(async () => {
    const wanted = bench.order()
    await payAtCashier((await channel.createOrder(wanted)).codeUrl)
    const paid = await findOrder(pool, 'orderNo', wanted.orderNo)
    if (!paid) throw new Error('no order')
    ;({ headers, body } = signedNotify(merchant, paid, 'EV-1', bench.now()))
  })

  it('is read', async () => {
    const { orderNo, transactionId } = (await pool.query('SELECT * FROM pay_sandbox_order')).rows[0]
    const expected = { state: 'SUCCESS', amount: 8000, notifyId: 'EV-1', appid: merchant.appid, mchid: merchant.mchid }
    expect(await read()).toMatchObject({ ...expected, orderNo, transactionId, successTime: bench.clock })
  })

  it.each(['Wechatpay-Timestamp', 'Wechatpay-Nonce', 'Wechatpay-Serial', 'Wechatpay-Signature'])(
    'without %s is refused',
    async name => {
      const { [name]: _gone, ...rest } = headers
      expect(await outcome(read(rest))).toBe('header')
    },
  )

  it.each([
    ['Wechatpay-Signature', 'signature'],
    ['Wechatpay-Nonce', 'signature'],
    ['Wechatpay-Serial', 'serial'],
  ])('with a changed %s is refused, and the true one still passes', async (name, expected) => {
    expect(await outcome(read({ ...headers, [name]: flip(headers[name]) }))).toBe(expected)
    expect(await outcome(read())).toBe('accepted')
  })

  it('with a changed time inside the tolerance is refused', async () => {
    const later = { ...headers, 'Wechatpay-Timestamp': String(bench.clock.getTime() / 1000 + 1) }
    expect(await outcome(read(later))).toBe('signature')
  })

  it('with any single byte of its body changed is refused', async () => {
    const bytes = Buffer.from(body)
    const seen = new Set<unknown>()
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      seen.add(await outcome(read(headers, changed)))
    }
    expect([...seen]).toEqual(['signature'])
    expect(await outcome(read(headers, `${body} `))).toBe('signature')
  })

  it('is judged by its raw bytes, not by what they mean', async () => {
    const same = JSON.stringify(JSON.parse(body), null, 1)
    expect(await outcome(read(headers, same))).toBe('signature')
  })

  it.each([
    [-301, 'stale'],
    [-300, 'accepted'],
    [300, 'accepted'],
    [301, 'stale'],
  ])('%i seconds off the clock is %s', async (seconds, expected) => {
    expect(await outcome(read(resign(body, bench.clock.getTime() / 1000 + seconds)))).toBe(expected)
  })

  it('without a number for its time is refused', async () => {
    expect(await outcome(read({ ...headers, 'Wechatpay-Timestamp': 'NaN' }))).toBe('stale')
  })

  it('that only probes is refused', async () => {
    expect(await outcome(read({ ...headers, 'Wechatpay-Signature': `WECHATPAY/SIGNTEST/${'A'.repeat(300)}` }))).toBe(
      'probe',
    )
  })

  it('signed by somebody else is refused', async () => {
    const forged = platformHeaders(body, bench.clock.getTime() / 1000, merchant.platformSerial, stranger)
    expect(await outcome(read(forged))).toBe('signature')
  })

  it('seen before is refused, also by another process, and forgotten after ten minutes', async () => {
    expect(await outcome(read())).toBe('accepted')
    expect(await outcome(read())).toBe('replayed')
    const twin = bench.client()
    expect(await outcome(twin.verifyNotify(lower(headers), Buffer.from(body)))).toBe('replayed')
    await purgeNonces(pool, new Date(bench.clock.getTime() + 599_000))
    expect((await pool.query('SELECT 1 FROM pay_nonce')).rowCount).toBe(1)
    await purgeNonces(pool, new Date(bench.clock.getTime() + 601_000))
    expect((await pool.query('SELECT 1 FROM pay_nonce')).rowCount).toBe(0)
  })

  it('sent twenty times at once passes once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => outcome(read())))
    expect(all.filter(one => one === 'accepted')).toHaveLength(1)
  })

  it('whose amount was changed inside its cipher is refused even when signed', async () => {
    const wire = JSON.parse(body) as { resource: { ciphertext: string; associated_data: string } }
    const changed = { ...wire, resource: { ...wire.resource, ciphertext: flip(wire.resource.ciphertext) } }
    expect(await outcome(read(resign(JSON.stringify(changed)), JSON.stringify(changed)))).toBe('cipher')
    const moved = { ...wire, resource: { ...wire.resource, associated_data: 'refund' } }
    expect(await outcome(read(resign(JSON.stringify(moved)), JSON.stringify(moved)))).toBe('cipher')
    const cut = { ...wire, resource: { ...wire.resource, ciphertext: 'AAAA' } }
    expect(await outcome(read(resign(JSON.stringify(cut)), JSON.stringify(cut)))).toBe('cipher')
  })

  it.each(['appid', 'mchid'])('with another %s is refused', async name => {
    const wire = {
      appid: merchant.appid,
      mchid: merchant.mchid,
      out_trade_no: 'A00000001',
      transaction_id: '4200001',
      trade_state: 'SUCCESS',
      amount: { total: 8000 },
      [name]: 'somebody',
    }
    const nonce = 'abcdefabcdef'
    const cipher = createCipheriv('aes-256-gcm', merchant.apiV3Key, nonce).setAAD(Buffer.from('transaction'))
    const sealed = Buffer.concat([cipher.update(JSON.stringify(wire)), cipher.final(), cipher.getAuthTag()])
    const resource = { ciphertext: sealed.toString('base64'), nonce, associated_data: 'transaction' }
    const text = JSON.stringify({ id: randomUUID(), resource })
    expect(await outcome(read(resign(text), text))).toBe('merchant')
  })
})
