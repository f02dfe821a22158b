import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { EnableStatus, MsgStatus, SendStatus, SmsVendor } from '#schemas/dictionaries'
import { Message } from '#schemas/notifications/message'
import { Sms } from '#schemas/resource/sms'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import { as, morning } from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert, samplePhone } from '../../../../tests/helper/sample.ts'
import { give, program, sendOut } from '../../../../tests/helper/send-bench.ts'
import { type SmsProviderServer, smsProvider, type TakenSms } from '../../../../tests/helper/sms-providers.ts'
import { receiverOf } from './receivers.ts'
import { tellManyByText } from './tell.ts'

// One provider takes messages and loses its answers, and cannot be asked about them: Tencent never, Qiniu by its receipts alone, for a
// while. Another one stands by.

const tenantId = '000000'
const servers = {} as Record<'tencent' | 'qiniu' | 'yunpian', SmsProviderServer>
let t: TestApp
let second: TestApp
let staff: Caller
beforeAll(async () => {
  for (const key of ['tencent', 'qiniu', 'yunpian'] as const) servers[key] = await smsProvider(key, () => t.app.now())
  const smsHosts = Object.fromEntries(Object.values(servers).map(({ key, host }) => [key, host]))
  t = await testApp({ now: morning, config: { demo: false, smsHosts } })
  second = await testApp({ url: t.url, now: morning, config: { demo: false, smsHosts } })
  staff = await signIn(t, { role: 'administrator' })
})
afterAll(async () => {
  await second?.close()
  await t?.close()
  for (const server of Object.values(servers)) await server.close()
})
beforeEach(async () => {
  for (const one of [t, second]) one.setNow(morning)
  await stayLoggedIn(t)
  await t.pool.query(
    `TRUNCATE sms, sms_sent, sms_day, sms_circuit, sms_early_receipt, throttle, sendledger, send, sendmessage, message, work_item,
     log_usual CASCADE`,
  )
  for (const server of Object.values(servers)) server.clear()
  await give(t, 50)
  await account('yunpian', { priority: 2 })
})

const later = (seconds: number) => {
  const time = new Date(t.app.now().getTime() + seconds * 1000)
  for (const one of [t, second]) one.setNow(time)
}

/** An account at a provider with a template of what must be told and one of what need not be, in use. @returns the id of the first */
async function account(key: keyof typeof servers, more: object = {}): Promise<string> {
  const { accessKey, secretKey, appId } = servers[key].account
  const of = (smsCode: string) =>
    insert(t.app, Sms, {
      category: SmsVendor[key],
      smsCode,
      priority: 1,
      templateId: `T_${key}`,
      templateContent: '您在{exam}的报名有结果',
      signName: '聚贤',
      accessKey: t.app.vault.seal(accessKey),
      secretKey: secretKey ? t.app.vault.seal(secretKey) : null,
      appId,
      smsStatus: EnableStatus.enabled,
      ...more,
    })
  const { id } = await of('signup.returned')
  await of('signup.passed')
  return id
}

let serial = 0

/** Tells somebody by a text message whose answer gets lost, and asks about it. @returns the message of the inbox */
async function loseOne(code = 'signup.returned', key: 'tencent' | 'qiniu' = 'tencent'): Promise<string> {
  const event = String(++serial)
  const message = await insert(t.app, Message, {
    eventId: event,
    userId: staff.userId,
    code,
    until: null,
    readTime: null,
  } as never)
  await t.db.updateTable('message').set({ doneTime: null }).where('id', '=', message.id).execute()
  const receiver = {
    ...receiverOf(t.app, tenantId, samplePhone(serial), null, { exam: '招聘' }),
    messageId: message.id,
  }
  const now = t.app.now()
  await program(t)
    .transaction()
    .execute(trx =>
      tellManyByText(
        t.app,
        trx,
        { tenantId, now },
        { codes: [code], title: code, examId: null, receivers: [receiver], runAt: now },
      ),
    )
  servers[key].will('cut')
  await sendOut(t)
  later(66)
  await sendOut(t)
  if (key === 'qiniu') {
    later(31 * 60)
    await sendOut(t)
  }
  return message.id
}

const rows = async () => {
  const found = await t.db.selectFrom('sendmessage').select(['msgStatus', 'errMsg', 'retryNum']).orderBy('id').execute()
  return found.map(one => [one.msgStatus, one.errMsg?.slice(0, 4) ?? null, one.retryNum ?? 0])
}
const books = () => Object.values(servers).map(({ taken }) => taken.map(one => one.id.replace(/^\d+/, '')))
const due = async (seconds = 600) => {
  later(seconds)
  await Promise.all([sendOut(t), second.app.queue.workOff()])
}
const { sent, failed } = MsgStatus
const inDoubt = [failed, '结果不明', 0]

/** Sends what Qiniu says of a message to the address of its account. */
async function push(one: TakenSms, problem: string | null): Promise<void> {
  const { id } = await t.db
    .selectFrom('sms')
    .select('id')
    .where('category', '=', SmsVendor.qiniu)
    .where('smsCode', '=', 'signup.returned')
    .executeTakeFirstOrThrow()
  await stayLoggedIn(t)
  const { data } = await as(t, staff).get<{ receiptUrl: string }>(`/api/blade-resource/sms/detail?id=${id}`)
  const { type, body } = servers.qiniu.receipt(one, problem)
  const url = data.receiptUrl.replace(/^https?:\/\/[^/]+/, '')
  await t.app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload: body })
}

test('what must be told goes once more after ten minutes, by the reserve, under another number, and is logged', async () => {
  await account('tencent')
  await loseOne()
  expect([await rows(), books()]).toEqual([[inDoubt], [['-0'], [], []]])
  await due(590)
  expect(books()).toEqual([['-0'], [], []])
  await due(11)
  expect(books()).toEqual([['-0'], [], ['-1']])
  expect(await rows()).toEqual([[sent, '首次发送', 1]])
  await t.app.journal.flush()
  await second.app.journal.flush()
  const notes = await t.db.selectFrom('log_usual').select('logLevel').where('logId', '=', 'sms.again').execute()
  expect(notes).toEqual([{ logLevel: 'warn' }])
  await due(86_400)
  expect(books()).toEqual([['-0'], [], ['-1']])
  const send = await t.db.selectFrom('send').select(['sendStatus', 'successNum', 'failNum']).executeTakeFirstOrThrow()
  expect(send).toEqual({ sendStatus: SendStatus.done, successNum: 1, failNum: 0 })
})

test('of the reserve nobody can tell either: it stays in doubt, and goes no third time', async () => {
  await account('tencent')
  await loseOne()
  later(600)
  servers.yunpian.always('cut')
  await sendOut(t)
  await t.pool.query('DELETE FROM sms WHERE category = $1', [SmsVendor.yunpian])
  await due(66)
  expect([await rows(), books()]).toEqual([[[failed, '结果不明', 1]], [['-0'], [], ['-1']]])
  await due(1200)
  await due(86_400)
  expect(books()).toEqual([['-0'], [], ['-1']])
})

test('what need not be told is not repeated', async () => {
  await account('tencent')
  await loseOne('signup.passed')
  await due()
  await due(86_400)
  expect([await rows(), books()]).toEqual([[inDoubt], [['-0'], [], []]])
})

test('a receipt that comes in between ends it, whatever it says', async () => {
  await account('qiniu')
  await loseOne('signup.returned', 'qiniu')
  expect(await rows()).toEqual([inDoubt])
  await push(servers.qiniu.taken[0]!, null)
  await due()
  expect([await rows(), books()]).toEqual([[[sent, null, 0]], [[], ['-0'], []]])
  await loseOne('signup.returned', 'qiniu')
  await push(servers.qiniu.taken[1]!, 'MK:0001')
  await due()
  expect(await rows()).toEqual([
    [sent, null, 0],
    [failed, '未送达：', 0],
  ])
  expect(books()).toEqual([[], ['-0', '-0'], []])
})

test('a receipt of the first that comes while the second waits calls the second off', async () => {
  await account('qiniu')
  await loseOne('signup.returned', 'qiniu')
  servers.yunpian.always('throttle')
  await due()
  expect(await rows()).toEqual([[MsgStatus.queued, expect.any(String), 1]])
  await push(servers.qiniu.taken[0]!, null)
  servers.yunpian.always('accept')
  await due(3600)
  expect([await rows(), books()]).toEqual([[[sent, null, 1]], [[], ['-0'], []]])
})

test.each([
  ['is settled', (id: string) => t.pool.query('UPDATE message SET "doneTime" = now() WHERE id = $1', [id])],
  ['is over', (id: string) => t.pool.query('UPDATE message SET until = $2 WHERE id = $1', [id, morning])],
  ['has no reserve', () => t.pool.query('DELETE FROM sms WHERE category = $1', [SmsVendor.yunpian])],
  [
    'has a reserve that is paused',
    () => t.pool.query('UPDATE sms SET "pausedTime" = now() WHERE category = $1', [SmsVendor.yunpian]),
  ],
  [
    'is repeated by staff',
    async () => {
      const { id } = await t.db.selectFrom('sendmessage').select('id').executeTakeFirstOrThrow()
      await stayLoggedIn(t)
      expect(
        await as(t, staff).post(`/api/blade-sendMessage/sendmessage/resend?ids=${id}`, { reason: '未知' }),
      ).toMatchObject({
        code: 200,
      })
      await sendOut(t)
    },
  ],
] as const)('what %s meanwhile does not go by itself', async (_, change) => {
  await account('tencent')
  const id = await loseOne()
  await change(id)
  const before = [await rows(), books()]
  await due()
  expect([await rows(), books()]).toEqual(before)
})
