import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SmsVendor } from '#schemas/dictionaries'
import { freePort } from '../../../../tests/helper/free-port.ts'
import { samplePhone } from '../../../../tests/helper/sample.ts'
import { type Mood, type SmsProviderServer, smsProvider } from '../../../../tests/helper/sms-providers.ts'
import type { ProviderAround, ProviderKey } from './provider.ts'
import { providerKinds } from './providers.ts'

const message = {
  id: '77-0',
  phone: samplePhone(1),
  signName: '聚贤',
  templateId: 'T_1',
  params: [
    ['code', '1 & 2/三#'],
    ['minutes', '5'],
  ],
} as const

const keys = ['tencent', 'qiniu', 'yunpian', 'aliyun'] as const satisfies readonly ProviderKey[]

test('every provider of the dictionary has one folder', () => {
  expect([...providerKinds().keys()].toSorted()).toEqual([1, 2, 3, 4])
  expect(() => providerKinds({ tencent: 4, huawei: 5 })).toThrow('sms huawei has 0 folders')
})

describe.each(keys)('%s', key => {
  const kind = providerKinds().get(SmsVendor[key])!
  let server: SmsProviderServer
  beforeAll(async () => {
    server = await smsProvider(key)
  })
  afterAll(() => server?.close())
  beforeEach(() => server.clear())

  /** Waits no longer than a test has time for, where no answer will come. */
  const impatient: typeof fetch = (to, init) => fetch(to, { ...init, signal: AbortSignal.timeout(300) })
  const open = (more: Partial<ProviderAround> = {}, keysOf: object = {}) =>
    kind.open(
      { ...server.account, regionId: '', ...keysOf },
      { host: server.host, fetch, now: () => new Date(), ...more },
    )
  const fault = async (promise: Promise<unknown>) => {
    const error = await promise.then(
      () => ({ fault: 'none', message: '' }),
      (error: { fault: string; message: string }) => error,
    )
    return error.fault
  }

  test('takes a signed message once, with our number, its template and its values', async () => {
    const { bizNo } = await open().send(message)
    const named = { code: '1 & 2/三#', minutes: '5' }
    const params = {
      tencent: Object.values(named),
      qiniu: named,
      yunpian: { '#code#': named.code, '#minutes#': named.minutes },
      aliyun: named,
    }[key]
    const [one] = server.taken
    expect(one).toMatchObject({ id: message.id, phone: message.phone, template: 'T_1', params, bizNo })
    expect(server.taken).toHaveLength(1)
    expect(one?.signName ?? '聚贤').toBe('聚贤')
  })

  test('is believed when it refuses for good, for now, for the account, or says nothing', async () => {
    const moods: Record<Exclude<Mood, 'accept'>, string> = {
      refuse: 'final',
      template: 'settings',
      poor: 'settings',
      throttle: 'later',
      error: 'later',
      hang: 'unknown',
      deaf: 'unknown',
      cut: 'unknown',
    }
    const found: Record<string, string> = {}
    for (const mood of Object.keys(moods) as (keyof typeof moods)[]) {
      server.will(mood)
      found[mood] = await fault(open(mood === 'hang' ? { fetch: impatient } : {}).send(message))
    }
    expect(found).toEqual(moods)
    expect(server.taken).toHaveLength(1)
  })

  test('that cannot be reached took nothing; a machine before it may have handed a message on', async () => {
    expect(await fault(open({ host: `http://127.0.0.1:${await freePort()}` }).send(message))).toBe('later')
    const status = (code: number) => open({ fetch: async () => new Response('<html>', { status: code }) }).send(message)
    expect(await Promise.all([502, 504, 500, 503, 429, 404, 200].map(code => fault(status(code))))).toEqual([
      'unknown',
      'unknown',
      'later',
      'later',
      'later',
      'final',
      'unknown',
    ])
  })

  test('refuses wrong keys, one changed byte, and an old time where it is signed', async () => {
    expect(await fault(open({}, { accessKey: 'other' }).send(message))).toBe('settings')
    if (key !== 'yunpian') expect(await fault(open({}, { secretKey: 'other' }).send(message))).toBe('settings')
    // Of what says who it goes to; Yunpian signs nothing, there it is the key.
    const from = key === 'yunpian' ? server.account.accessKey : message.phone
    const flip = (text: string) => text.replace(from, one => `${one.slice(0, -1)}${one.endsWith('9') ? '8' : '9'}`)
    const changed: typeof fetch = (to, init) =>
      fetch(flip(String(to)), init?.body ? { ...init, body: flip(String(init.body)) } : init)
    expect(await fault(open({ fetch: changed }).send(message))).toBe('settings')
    if (key === 'tencent' || key === 'aliyun')
      for (const minutes of [-20, 20])
        expect(await fault(open({ now: () => new Date(Date.now() + minutes * 60_000) }).send(message))).toBe('settings')
    expect(server.taken).toEqual([])
    await open().send(message)
    expect(server.taken).toHaveLength(1)
  })

  test('is asked about a message', async () => {
    const { bizNo } = await open().send(message)
    const sent = { id: message.id, phone: message.phone, bizNo, time: new Date() }
    expect(await open().query(sent)).toEqual({ state: 'taken' })
    server.end(message.id, null)
    expect(await open().query(sent)).toEqual({ state: 'arrived' })
    server.end(message.id, 'MK:0001')
    expect(await open().query(sent)).toEqual({ state: 'failed', problem: '未送达：MK:0001' })
    expect(server.state.questions).toBe(3)
  })

  test('is asked about a message whose answer was lost, as far as it can tell', async () => {
    const time = new Date()
    const lost = { id: message.id, phone: message.phone, bizNo: null, time }
    const after = (minutes: number) => open({ now: () => new Date(time.getTime() + minutes * 60_000) })
    const state = (minutes: number) =>
      after(minutes)
        .query(lost)
        .then(
          one => one.state,
          (error: { fault: string }) => error.fault,
        )
    // The clock of the test's server stands still, so what it says of the time is not looked at here.
    const minutes = key === 'tencent' ? [1, 4] : [1, 11]
    const never = { tencent: 'cannot', qiniu: 'unknown', yunpian: 'never', aliyun: 'never' }[key]
    expect([await state(minutes[0]!), await state(minutes[1]!)]).toEqual([
      key === 'tencent' ? 'cannot' : 'unknown',
      never,
    ])
    server.will('cut')
    await fault(open().send(message))
    server.end(message.id, null)
    const known = { tencent: 'cannot', qiniu: 'unknown', yunpian: 'arrived', aliyun: 'arrived' }[key]
    expect(await state(1)).toBe(known)
    if (key === 'qiniu') expect(await state(31)).toBe('cannot')
  })

  test('sends receipts, which are read', async () => {
    await open().send(message)
    const [one] = server.taken
    const known = {
      id: key === 'tencent' ? null : message.id,
      bizNo: one!.bizNo,
      phone: message.phone,
    }
    expect(kind.readReceipts(server.receipt(one!, null).body)).toEqual([{ ...known, problem: null }])
    expect(kind.readReceipts(server.receipt(one!, 'MK:0001').body)).toEqual([{ ...known, problem: '未送达：MK:0001' }])
    // What only says that it is on its way is no end.
    const { body } = server.receipt(one!, null)
    const early = body.replace('SUCCESS', 'SENDING').replace('"DELIVRD"', '"SENDING"').replace('true', '""')
    expect(kind.readReceipts(early)).toEqual([])
    for (const wrong of ['', '{}', '[1]', '{"items":3}', 'sms_status=1', 'null'])
      expect(() => kind.readReceipts(wrong)).toThrow()
  })
})
