import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../../tests/helper/app.ts'
import { outcome, type PayBench, payAtCashier, payBench, recorder } from '../../../../../tests/helper/pay-bench.ts'
import { openPool } from '../../../database/database.ts'
import type { WechatChannel } from '../wechat/client.ts'
import type { SandboxMerchant } from './merchant.ts'
import { sendDueNotifies } from './notify.ts'
import { setFault } from './orders.ts'
import { sandboxPath } from './plugin.ts'

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

describe('the sandbox', () => {
  it('gives the same order the same code, and refuses its number to another', async () => {
    const wanted = bench.order()
    const first = await channel.createOrder(wanted)
    expect(first.codeUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sandbox\/wxpay\/cashier\/[\w-]{24}$/)
    expect(await channel.createOrder(wanted)).toEqual(first)
    expect(await outcome(channel.createOrder({ ...wanted, amount: 1 }))).toBe('OUT_TRADE_NO_USED')
  })

  it('lets a person pay once, at the cashier, and says so', async () => {
    const wanted = bench.order({ body: '<b>笔试</b>' })
    const { codeUrl } = await channel.createOrder(wanted)
    expect(await channel.queryOrder(wanted.orderNo)).toMatchObject({ state: 'NOTPAY', transactionId: '', amount: 8000 })
    const page = await (await fetch(codeUrl)).text()
    expect(page).toContain('¥80.00')
    expect(page).toContain('支付</button>')
    expect(page).toContain('&lt;b&gt;笔试')
    expect(await payAtCashier(codeUrl)).toContain('支付成功')
    expect(await channel.queryOrder(wanted.orderNo)).toMatchObject({ state: 'SUCCESS', successTime: bench.clock })
    await payAtCashier(codeUrl)
    expect((await pool.query('SELECT 1 FROM pay_sandbox_notify')).rowCount).toBe(1)
    expect(await outcome(channel.closeOrder(wanted.orderNo))).toBe('ORDERPAID')
    expect(await outcome(channel.createOrder(wanted))).toBe('ORDERPAID')
  })

  it('takes no money for what is closed or over', async () => {
    const [closed, over] = [bench.order(), bench.order()]
    const { codeUrl } = await channel.createOrder(closed)
    await channel.closeOrder(closed.orderNo)
    await channel.closeOrder(closed.orderNo)
    expect(await payAtCashier(codeUrl)).toContain('订单已关闭')
    expect((await channel.queryOrder(closed.orderNo)).state).toBe('CLOSED')
    const late = await channel.createOrder(over)
    bench.clock = over.expireTime
    expect(await payAtCashier(late.codeUrl)).toContain('订单已关闭')
    expect((await channel.queryOrder(over.orderNo)).state).toBe('NOTPAY')
  })

  it('does not know what it was never told', async () => {
    expect(await outcome(channel.queryOrder('A00000009'))).toBe('ORDER_NOT_EXIST')
    expect(await outcome(channel.closeOrder('A00000009'))).toBe('ORDER_NOT_EXIST')
    expect((await bench.app.inject(`${sandboxPath}/cashier/none`)).statusCode).toBe(404)
  })

  it('notifies, again after 15, 15 and 30 seconds while refused, and then no more', async () => {
    let status = 500
    const { url, seen, close } = await recorder(() => ({ status }))
    const wanted = bench.order({ notifyUrl: url })
    await payAtCashier((await channel.createOrder(wanted)).codeUrl)
    // The first is sent by the cashier; its row is free for the next attempt when the answer stands in it.
    const answer = 'SELECT answer FROM pay_sandbox_notify WHERE "orderNo" = $1'
    await expect.poll(async () => (await pool.query(answer, [wanted.orderNo])).rows[0]?.answer).toBe(500)
    const counts: number[] = []
    for (const seconds of [0, 14, 1, 15, 29, 1]) {
      bench.wait(seconds)
      if (counts.length === 5) status = 204
      await sendDueNotifies(pool, merchant, bench.now)
      counts.push(seen.length)
    }
    expect(counts).toEqual([1, 1, 2, 3, 3, 4])
    bench.wait(3600)
    await sendDueNotifies(pool, merchant, bench.now)
    close()
    expect(seen).toHaveLength(4)
    bench.wait(-3600)
    const told = await Promise.all(seen.slice(2).map(one => channel.verifyNotify(one.headers, one.body)))
    expect(told.map(one => [one.state, one.orderNo])).toEqual(Array(2).fill(['SUCCESS', wanted.orderNo]))
  })

  it('sends each notification once, however many processes look', async () => {
    const { url, seen, close } = await recorder(() => ({ status: 200 }))
    const all = Array.from({ length: 6 }, () => bench.order({ notifyUrl: url }))
    await Promise.all(all.map(async one => payAtCashier((await channel.createOrder(one)).codeUrl)))
    await Promise.all(Array.from({ length: 4 }, () => sendDueNotifies(pool, merchant, bench.now)))
    await expect
      .poll(async () => (await pool.query('SELECT 1 FROM pay_sandbox_notify WHERE answer = 200')).rowCount)
      .toBe(6)
    close()
    expect(seen).toHaveLength(6)
  })

  it('goes wrong as told: late, twice, never, with another amount', async () => {
    const { url, seen, close } = await recorder(() => ({ status: 200 }))
    const paidWith = async (what: Parameters<typeof setFault>[2]) => {
      const wanted = bench.order({ notifyUrl: url })
      const { codeUrl } = await channel.createOrder(wanted)
      await setFault(pool, wanted.orderNo, what)
      await payAtCashier(codeUrl)
      const due = await pool.query('SELECT "nextTime" FROM pay_sandbox_notify WHERE "orderNo" = $1', [wanted.orderNo])
      return { orderNo: wanted.orderNo, due: due.rowCount }
    }
    expect((await paidWith({ times: 0 })).due).toBe(0)
    expect((await paidWith({ times: 2 })).due).toBe(2)
    await expect.poll(() => seen.length).toBe(2)
    const late = await paidWith({ late: 60 })
    bench.wait(59)
    await sendDueNotifies(pool, merchant, bench.now)
    expect(seen).toHaveLength(2)
    bench.wait(1)
    await sendDueNotifies(pool, merchant, bench.now)
    expect((await channel.verifyNotify(seen[2]?.headers ?? {}, seen[2]?.body ?? Buffer.of())).orderNo).toBe(
      late.orderNo,
    )
    const wrong = await paidWith({ amount: 1 })
    expect((await channel.queryOrder(wrong.orderNo)).amount).toBe(1)
    close()
  })
})
