import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { EnableStatus, ExamRole, ExamStatus, MsgStatus, SendStatus, SmsVendor } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examuser } from '#schemas/exams/examuser'
import { Message } from '#schemas/notifications/message'
import { Sms } from '#schemas/resource/sms'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import { as, morning } from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert, samplePhone } from '../../../../tests/helper/sample.ts'
import { give, makeTemplate, program, sendOut } from '../../../../tests/helper/send-bench.ts'
import { type SmsProviderServer, smsProvider } from '../../../../tests/helper/sms-providers.ts'
import { tellDue } from '../../notifications/server/tell.ts'
import { balanceOf } from './ledger.ts'
import { receiverOf } from './receivers.ts'
import { callOffTexts, tellManyByText } from './tell.ts'

const tenantId = '000000'
let t: TestApp
let second: TestApp
let manager: Caller
let examId: string
beforeAll(async () => {
  t = await testApp({ now: morning })
  second = await testApp({ url: t.url, now: morning })
  manager = await signIn(t, { role: 'exam_admin' })
})
afterAll(async () => {
  await second?.close()
  await t?.close()
})
beforeEach(async () => {
  for (const one of [t, second]) one.setNow(morning)
  await stayLoggedIn(t)
  await t.pool.query(
    `TRUNCATE sms, sms_sent, sms_day, sms_outbox, sms_budget, throttle, sendledger, send, sendmessage, message, event, work_item CASCADE`,
  )
  await give(t, 500)
  for (const smsCode of ['signup.returned', 'payrecord.paymentEnds'])
    await makeTemplate(t, { smsCode, templateContent: '{exam}的报名有结果' })
  const exam = await insert(t.app, Examination, {
    examName: '春季招聘',
    examStatus: ExamStatus.released,
    textMost: null,
  })
  examId = exam.id
  await insert(t.app, Examuser, {
    examId,
    userId: manager.userId,
    examRole: ExamRole.manager,
    units: null,
    codes: null,
  })
})

const limit = async (most?: number) =>
  expect(
    await as(t, manager).post('/api/blade-desk/inbox/limit', { examId, ...(most !== undefined && { most }) }),
  ).toMatchObject({
    code: 200,
  })
const shown = async () =>
  (await as(t, manager).get<{ limit: object }>(`/api/blade-desk/inbox/choices?examId=${examId}`)).data.limit

let serial = 0

/** Tells so many people of the exam, by one sending. */
async function tell(
  people: number,
  { code = 'signup.returned', messageId }: { code?: string; messageId?: string } = {},
) {
  const now = t.app.now()
  const receivers = Array.from({ length: people }, () => ({
    ...receiverOf(t.app, tenantId, samplePhone(++serial), null, { exam: '招聘' }),
    ...(messageId && { messageId }),
  }))
  await program(t)
    .transaction()
    .execute(trx =>
      tellManyByText(t.app, trx, { tenantId, now }, { codes: [code], title: code, examId, receivers, runAt: now }),
    )
}

const states = async () => {
  const rows = await t.db.selectFrom('sendmessage').select(['msgStatus']).execute()
  const count = (state: number) => rows.filter(one => one.msgStatus === state).length
  return { sent: count(MsgStatus.sent), held: count(MsgStatus.held), cancelled: count(MsgStatus.cancelled) }
}
const outbox = async () => (await t.db.selectFrom('sms_outbox').select('id').execute()).length
const sendings = async () => (await t.db.selectFrom('send').select('sendStatus').execute()).map(one => one.sendStatus)

test('what is beyond the limit of its exam is held, is shown, is told once, and goes on when it is raised', async () => {
  await limit(3)
  await tell(5)
  await sendOut(t, second)
  expect([await states(), await outbox(), await sendings()]).toEqual([
    { sent: 3, held: 2, cancelled: 0 },
    3,
    [SendStatus.sending],
  ])
  expect(await shown()).toEqual({ most: 3, used: 3, held: 2 })
  const told = async () =>
    (await t.db.selectFrom('event').select('facts').where('code', '=', 'examination.textsHeld').execute()).map(
      one => (one.facts as { most: number }).most,
    )
  expect(await told()).toEqual([3])
  await tellDue(t.app)
  const messages = await t.db.selectFrom('message').select(['userId', 'code']).execute()
  expect(messages).toEqual([{ userId: manager.userId, code: 'examination.textsHeld' }])
  // As long as it may have no more, nothing goes.
  for (const one of [t, second]) one.setNow(new Date(t.app.now().getTime() + 1_200_000))
  await sendOut(t, second)
  expect(await outbox()).toBe(3)
  await stayLoggedIn(t)
  await limit(4)
  await sendOut(t, second)
  expect([await states(), await told()]).toEqual([{ sent: 4, held: 1, cancelled: 0 }, [3, 4]])
  await limit()
  await sendOut(t, second)
  expect([await states(), await outbox(), await sendings()]).toEqual([
    { sent: 5, held: 0, cancelled: 0 },
    5,
    [SendStatus.done],
  ])
  expect(await shown()).toEqual({ most: '', used: 5, held: 0 })
})

test('reminders leave a fifth of the limit to what must be told', async () => {
  await limit(10)
  await tell(10, { code: 'payrecord.paymentEnds' })
  await sendOut(t, second)
  expect(await states()).toEqual({ sent: 8, held: 2, cancelled: 0 })
  await tell(3)
  await sendOut(t, second)
  expect(await states()).toEqual({ sent: 10, held: 3, cancelled: 0 })
})

test('what is held and over is called off, and what was set aside for it comes back', async () => {
  await limit(0)
  const { id } = await insert(t.app, Message, { code: 'signup.returned', until: null, doneTime: null } as never)
  await tell(1, { messageId: id })
  await tell(1)
  await sendOut(t)
  expect([await states(), await balanceOf(program(t))]).toEqual([{ sent: 0, held: 2, cancelled: 0 }, 498])
  await program(t)
    .transaction()
    .execute(trx => callOffTexts(trx, tenantId, [id]))
  expect([await states(), await balanceOf(program(t))]).toEqual([{ sent: 0, held: 1, cancelled: 1 }, 499])
})

test('other exams, and what belongs to none, have nothing to do with it', async () => {
  await limit(0)
  const other = await insert(t.app, Examination, {
    examName: '秋季招聘',
    examStatus: ExamStatus.released,
    textMost: null,
  })
  examId = other.id
  await tell(2)
  await sendOut(t)
  expect(await states()).toEqual({ sent: 2, held: 0, cancelled: 0 })
})

test('whoever may not change the exam does not see or set its limit', async () => {
  const stranger = await signIn(t, { role: 'exam_admin' })
  expect((await as(t, stranger).post('/api/blade-desk/inbox/limit', { examId, most: 1 })).code).toBe(21001)
  expect((await as(t, manager).post('/api/blade-desk/inbox/limit', { examId, most: -1 })).code).toBe(29005)
})

/** Many messages at once by two processes, on the account of one row that may have so many. @returns how many went out */
async function atOnce(most: number, tries: number, ...apps: readonly TestApp[]): Promise<number> {
  const message = (n: number) => ({
    id: `at-once-${n}`,
    tenantId,
    smsCode: 'signup.returned',
    phone: samplePhone(5000 + n),
    params: { exam: '招聘' },
    budget: { ownerId: examId, most },
  })
  const all = Array.from({ length: tries }, (_, n) => apps[n % apps.length]!.app.sms.send(message(n)))
  return (await Promise.allSettled(all)).filter(one => one.status === 'fulfilled').length
}

test('messages that are sent at once by several processes do not exceed the limit', async () => {
  // Every message is being written down while the others are.
  await t.pool.query(`CREATE FUNCTION dwell() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END';
    CREATE TRIGGER dwell BEFORE INSERT ON sms_outbox FOR EACH ROW EXECUTE FUNCTION dwell()`)
  expect([await atOnce(20, 80, t, second), await outbox()]).toEqual([20, 20])
  await t.pool.query('DROP TRIGGER dwell ON sms_outbox; DROP FUNCTION dwell')
})

test('with a provider outside neither; what surely did not go out costs nothing', async () => {
  const server: SmsProviderServer = await smsProvider('yunpian')
  const config = { demo: false, smsHosts: { yunpian: server.host } }
  const outside = [await testApp({ url: t.url, config }), await testApp({ url: t.url, config })]
  await t.pool.query('TRUNCATE sms CASCADE')
  await insert(t.app, Sms, {
    category: SmsVendor.yunpian,
    smsCode: 'signup.returned',
    priority: 1,
    templateId: '1',
    templateContent: '{exam}的报名有结果',
    signName: '聚贤',
    accessKey: t.app.vault.seal(server.account.accessKey),
    secretKey: null,
    smsStatus: EnableStatus.enabled,
  })
  server.will('refuse', 'throttle', 'refuse')
  const sent = await atOnce(20, 40, ...outside)
  const used = async () => (await t.db.selectFrom('sms_budget').select('segments').executeTakeFirstOrThrow()).segments
  expect([server.taken.length, await used()]).toEqual([sent, sent])
  expect([sent >= 17, sent <= 20]).toEqual([true, true])
  for (const one of outside) await one.close()
  await server.close()
})
