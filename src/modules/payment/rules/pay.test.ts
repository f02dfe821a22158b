import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../platform/config/config.ts'
import { readWechat } from '../../../platform/config/wechat.ts'
import { isPollDue, isReusable, newPayNumber, orderExpiry } from './pay-order.ts'
import { totalsChange } from './pay-record.ts'

const now = new Date('2026-12-01T09:00:00+08:00')
const plus = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('an order', () => {
  test.each([
    [86_400, 7200],
    [7200, 7200],
    [7199, 7199],
    [1, 1],
  ])('in a window of %i s lives %i s', (window, life) => {
    expect(orderExpiry(now, plus(window))).toEqual(plus(life))
  })

  test.each([
    [61, 86_400, true],
    [60, 86_400, false],
    [60, 60, true],
    [0, 0, false],
    [-1, 86_400, false],
  ])('with %i s left in a window of %i s more: shown again %s', (left, window, expected) => {
    expect(isReusable(plus(left), now, plus(window))).toBe(expected)
  })

  test('has a number the channel takes, in Beijing time', () => {
    expect(newPayNumber('JF', new Date('2026-12-31T16:00:00Z'))).toMatch(/^JF20270101000000\d{10}$/)
    expect(new Set(Array.from({ length: 200 }, () => newPayNumber('JF', now))).size).toBe(200)
  })

  test('is asked about less and less often', () => {
    const asked: number[] = []
    let last: Date | null = null
    for (let second = 0; second <= 6300; second += 5) {
      if (!isPollDue(now, last, plus(second))) continue
      last = plus(second)
      asked.push(second)
    }
    expect(asked).toEqual([10, 40, 100, 280, 880, 2680, 4480, 6280])
  })
})

test('the counters of a batch always add up to its records', () => {
  const states = [null, 0, 1, 2, 3, 4, 5]
  for (const from of states) {
    for (const to of states) {
      const there = totalsChange(null, from, 8000)
      const on = totalsChange(from, to, 8000)
      const direct = totalsChange(null, to, 8000)
      const names = Object.keys(direct) as (keyof typeof direct)[]
      expect(names.map(name => there[name] + on[name])).toEqual(names.map(name => direct[name]))
    }
  }
  expect(totalsChange(null, 0, 8000)).toMatchObject({ totalNum: 1, paidNum: 0, totalAmount: 8000, paidAmount: 0 })
  expect(totalsChange(0, 1, 8000)).toMatchObject({ totalNum: 0, paidNum: 1, totalAmount: 0, paidAmount: 8000 })
  expect(totalsChange(0, 2, 8000)).toMatchObject({ totalNum: -1, exemptNum: 1, totalAmount: -8000 })
  expect(totalsChange(3, 4, 8000)).toMatchObject({ paidNum: 0, refundAmount: 8000 })
})

describe('the merchant’s settings', () => {
  const pem = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const whole = {
    WXPAY_MCHID: '1900000109',
    WXPAY_APPID: 'wx8888888888888888',
    WXPAY_SERIAL: 'AA',
    WXPAY_PRIVATE_KEY: pem.privateKey.replaceAll('\n', '\\n'),
    WXPAY_API_V3_KEY: 'a'.repeat(32),
    WXPAY_PLATFORM_SERIAL: 'PUB_KEY_ID_1',
    WXPAY_PLATFORM_KEY: pem.publicKey,
  }

  test('are read, and missing when there are none', () => {
    const problems: string[] = []
    expect(readWechat({}, problems)).toBeUndefined()
    const read = readWechat(whole, problems)
    expect(read).toMatchObject({ mchid: '1900000109', platformKeys: { PUB_KEY_ID_1: pem.publicKey.trim() } })
    expect(read?.baseUrl).toBe('https://api.mch.weixin.qq.com')
    expect(problems).toEqual([])
  })

  test('that are wrong are all named', () => {
    const read = () =>
      readConfig({ ...whole, PORT: 'x', WXPAY_SERIAL: '', WXPAY_API_V3_KEY: 'short', WXPAY_PRIVATE_KEY: pem.publicKey })
    expect(read).toThrow(
      /PORT must.*\nWXPAY_SERIAL is missing\.\nWXPAY_PRIVATE_KEY is no private key.*\nWXPAY_API_V3_KEY must be 32/,
    )
  })
})
