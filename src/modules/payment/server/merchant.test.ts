import { afterAll, beforeAll, expect, test } from 'vitest'
import { PayChannelNo } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { certificate } from '../../../../tests/helper/certificate.ts'
import { accountOf, as, morning } from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import type { NotifyingChannel } from '../../../platform/channels/pay/channel.ts'
import { channelKinds } from '../../../platform/channels/pay/channels.ts'
import { signedNotify } from '../../../platform/channels/pay/sandbox/notify.ts'
import type { SandboxOrder } from '../../../platform/channels/pay/sandbox/orders.ts'
import { pemOf } from '../../../platform/vault/pem.ts'

let t: TestApp
let admin: Caller
beforeAll(async () => {
  t = await testApp({ now: morning, config: { demo: false } })
  admin = await signIn(t, { role: 'administrator' })
})
afterAll(() => t?.close())

const base = '/api/blade-pay/pay'
const submit = (more: object) =>
  as(t, admin).post(`${base}/submit`, { channel: 1, payName: '微信', enable: 1, ...more })

/** The settings as a person copies them from WeChat Pay: an input of one line swallows line feeds. */
function settings() {
  const account = accountOf(t)
  return {
    appId: account.appid,
    mchId: account.mchid,
    serialNo: account.serialNo,
    apiV3Key: account.apiV3Key,
    privateKey: account.privateKey.replaceAll('\n', ''),
    platformKeyId: account.platformSerial,
    platformKey: account.platformPublicKey,
  }
}

const notify = () => {
  const order = { orderNo: 'JF1', amount: 100, state: 'SUCCESS', transactionId: '42', payerId: 'o', fault: {} }
  const { appid, mchid } = accountOf(t)
  const paid = { ...order, appid, mchid, successTime: t.app.now() } as SandboxOrder
  const { body, headers } = signedNotify(accountOf(t), paid, crypto.randomUUID(), t.app.now())
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (t.app.pay.channel as NotifyingChannel).verifyNotify(lower, Buffer.from(body))
}

test('keys that cannot be right are refused, by field', async () => {
  const wrong = async (more: object) =>
    (await submit({ ...settings(), ...more })).data as unknown as { field: string }[]
  expect(await wrong({ privateKey: 'x' })).toMatchObject([{ field: 'privateKey' }])
  expect(await wrong({ privateKey: '' })).toMatchObject([{ field: 'privateKey' }])
  expect(await wrong({ apiV3Key: 'short' })).toMatchObject([{ field: 'apiV3Key' }])
  expect(await wrong({ platformKey: 'x' })).toMatchObject([{ field: 'platformKey' }])
  expect(await wrong({ certificate: 'x' })).toMatchObject([{ field: 'certificate' }])
  expect(await wrong({ certificate: certificate.cert })).toMatchObject([
    { field: 'certificate', msg: '商户API证书与商户证书序列号不符' },
  ])
  expect(await wrong({ notifyUrl: 'http://a.b/c' })).toMatchObject([{ field: 'notifyUrl' }])
  expect(await wrong({ notifyUrl: 'https://a.b/c?d=1' })).toMatchObject([{ field: 'notifyUrl' }])
})

test('the merchant that is kept and enabled is the one the channel speaks for', async () => {
  await expect(notify()).rejects.toMatchObject({ fault: 'merchant' })
  await expect(t.app.pay.channel.queryOrder('JF1')).rejects.toMatchObject({ code: 'NO_CHANNEL' })
  expect(await submit(settings())).toMatchObject({ code: 200 })
  expect(await notify()).toMatchObject({ orderNo: 'JF1', state: 'SUCCESS', amount: 100 })
  const row = await t.db.selectFrom('pay').selectAll().executeTakeFirstOrThrow()
  expect(t.app.vault.open(row.privateKey ?? '')).toBe(pemOf(settings().privateKey))
  const told = JSON.stringify([
    (await as(t, admin).get(`${base}/page`)).data,
    (await as(t, admin).get(`${base}/detail?id=${row.id}`)).data,
  ])
  expect(told).toContain(row.mchId)
  for (const secret of ['PRIVATE KEY', settings().apiV3Key, String(row.privateKey)]) expect(told).not.toContain(secret)
  t.setNow('2026-12-01 09:00:01')
  expect(await submit({ id: row.id, payName: '微信支付', privateKey: '', apiV3Key: '' })).toMatchObject({ code: 200 })
  expect(await notify()).toMatchObject({ orderNo: 'JF1' })
  expect(await submit({ ...settings(), payName: '另一个' })).toMatchObject({ code: 29004 })
  t.setNow('2026-12-01 09:00:02')
  expect(await submit({ id: row.id, enable: 0 })).toMatchObject({ code: 200 })
  await expect(notify()).rejects.toMatchObject({ fault: 'merchant' })
})

test('the certificate of the serial number is kept, also when it was pasted into one line', async () => {
  const { cert, serialNo } = certificate
  const row = await t.db.selectFrom('pay').select('id').executeTakeFirstOrThrow()
  const pasted = cert.replaceAll('\n', '')
  t.setNow('2026-12-01 09:00:03')
  expect(await submit({ id: row.id, enable: 0, serialNo: serialNo.toLowerCase(), certificate: pasted })).toMatchObject({
    code: 200,
  })
  expect(await t.db.selectFrom('pay').select('certificate').executeTakeFirst()).toEqual({ certificate: cert })
})

test('only who may keep the channel sees it', async () => {
  expect(await as(t, await signIn(t, { role: 'finance' })).get(`${base}/page`)).toMatchObject({ code: 403 })
})

test('a channel of the dictionary has one folder, and new orders need one that is open', async () => {
  const keys = channelKinds().map(({ key }) => key)
  expect(keys.toSorted()).toEqual(['simulated', 'wechat'])
  expect(() => channelKinds({ wechat: 1, bank: 3 })).toThrow('pay_channel bank has 0 folders')
  expect(() => channelKinds({ wechat: 1 }, [...channelKinds(), ...channelKinds()])).toThrow('has 2 folders')
  expect([...t.app.pay.all.keys()]).toEqual([PayChannelNo.wechat])
  await expect(testApp({ config: { payChannel: 'wechat' } })).rejects.toThrow('PAY_CHANNEL names wechat')
})
