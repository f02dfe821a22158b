import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import { as, makeExam, makeSignup, morning, notify, payApp, payAt } from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { samplePhone } from '../../../../tests/helper/sample.ts'
import {
  addTo,
  give,
  makeDraft,
  makePackage,
  makeTemplate,
  program,
  sendOut,
} from '../../../../tests/helper/send-bench.ts'
import { soon } from '../../../../tests/helper/soon.ts'
import { uploadAs } from '../../../../tests/helper/upload.ts'
import { setFault } from '../../../platform/channels/pay/sandbox/orders.ts'
import { isQuiet } from '../../../platform/channels/quiet.ts'
import type { NewSms } from '../../../platform/channels/sms/channel.ts'
import { SmsError } from '../../../platform/channels/sms/channel.ts'
import { fillTemplate, missingParams, paramsOf, segmentsOf } from '../../../platform/channels/sms/sms-text.ts'
import { templateWorkbook } from '../../../platform/workbook/workbook.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'
import { balanceOf, expireBalance, moveBalance } from './ledger.ts'

let t: Awaited<ReturnType<typeof payApp>>
let staff: Caller
let operator: Caller
let templateId: string
const base = '/api/blade-send/send'
const balance = () => balanceOf(program(t))

beforeAll(async () => {
  t = await payApp()
  staff = t.staff
  operator = await signIn(t, { role: 'administrator' })
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.setNow(morning)
  await stayLoggedIn(t)
  await t.pool.query(
    'TRUNCATE send, sendmessage, sendpay, sendledger, sendpackages, sms, sms_outbox, payorder, payrefund, work_item CASCADE',
  )
  templateId = (await makeTemplate(t)).id
})

const act = (what: string, id: string, body: object = {}) => as(t, staff).post(`${base}/${what}?id=${id}`, body)
const sendRow = (id: string) => t.db.selectFrom('send').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const messages = (sendId: string) =>
  t.db
    .selectFrom('sendmessage')
    .selectAll()
    .where('sendId', '=', sendId)
    .where('isDeleted', '=', 0)
    .orderBy('id')
    .execute()
const outbox = async () => (await t.pool.query<{ content: string }>('SELECT content FROM sms_outbox')).rows

/** A draft with some receivers, paid when asked. */
async function drafted(phones = 2, paid = false): Promise<string> {
  const id = await makeDraft(t, staff, templateId)
  for (let n = 1; n <= phones; n++) await addTo(t, staff, id, samplePhone(n))
  if (!paid) return id
  await give(t, phones, id)
  expect((await act('useBalance', id)).code).toBe(200)
  return id
}

describe('a sending', () => {
  test('is paid from the balance, goes out once, and says what became of it', async () => {
    const id = await drafted(2)
    expect(await act('useBalance', id)).toMatchObject({ code: 27001, status: 409, msg: '短信余额不足：需2条，余0条' })
    expect(await act('sendMessage', id)).toMatchObject({ code: 27002 })
    await give(t, 5)
    expect(await act('useBalance', id)).toMatchObject({ code: 200 })
    expect([await balance(), (await sendRow(id)).sendStatus]).toEqual([3, 2])
    expect(await act('useBalance', id)).toMatchObject({ code: 200 })
    expect(await balance()).toBe(3)
    const codes = (await Promise.all([act('sendMessage', id), act('sendMessage', id)])).map(one => one.code)
    expect(codes).toEqual([200, 200])
    expect(await sendOut(t)).toBe(2)
    expect(await sendRow(id)).toMatchObject({ sendStatus: 4, successNum: 2, failNum: 0, num: 2, segNum: 2 })
    const finished = await t.db.selectFrom('event').select(['code', 'facts']).where('subjectId', '=', id).execute()
    expect(finished).toMatchObject([{ code: 'send.finished', facts: { successNum: 2, failNum: 0 } }])
    expect((await outbox()).map(one => one.content)).toEqual(Array(2).fill('【聚贤】张三您好，笔试请尽快缴费。'))
    expect(await sendOut(t)).toBe(0)
    expect(await as(t, staff).post(`${base}/remove?ids=${id}`)).toMatchObject({ code: 27003 })
    const info = await as(t, staff).get(`${base}/getSendInfo?id=${id}`)
    expect(info.data).toMatchObject({ counts: { 2: 2 }, balance: 3, params: ['name', 'examName'] })
  })

  test('with the same Idempotency-Key answers alike', async () => {
    const id = await drafted(1, true)
    const headers = { ...staff.headers, 'idempotency-key': 'k1' }
    const call = () => t.call({ method: 'POST', url: `${base}/sendMessage`, headers, payload: { sendId: id } })
    expect(await call()).toMatchObject({ data: { accepted: 1 } })
    expect(await call()).toMatchObject({ code: 200, data: { accepted: 1 } })
  })

  test('needs receivers, all values, and a question at night', async () => {
    const id = await makeDraft(t, staff, templateId)
    await give(t, 5)
    expect(await act('useBalance', id)).toMatchObject({ code: 27004 })
    await addTo(t, staff, id, samplePhone(1), { examName: '' })
    const lacking = await act('useBalance', id)
    expect(lacking).toMatchObject({ code: 27005, data: [{ phone: '139****0001', missing: 'examName' }] })
    const [one] = await messages(id)
    await as(t, staff).post(`${base}/deleteMessage?ids=${one?.id}`)
    await addTo(t, staff, id, samplePhone(1))
    await act('useBalance', id)
    t.setNow('2026-12-01 22:00:00')
    await stayLoggedIn(t)
    expect(await act('sendMessage', id)).toMatchObject({ code: 29005, data: { confirm: true } })
    expect(await act('sendMessage', id, { confirm: '1' })).toMatchObject({ code: 200, data: { accepted: 1 } })
  })

  test('at a planned time goes out by itself, not before', async () => {
    const id = await makeDraft(t, staff, templateId, { planTime: '2026-12-01 10:00:00' })
    await addTo(t, staff, id, samplePhone(1))
    await give(t, 1)
    await act('useBalance', id)
    t.setNow('2026-12-01 09:59:59')
    expect(await sendOut(t)).toBe(0)
    t.setNow('2026-12-01 10:00:00')
    expect(await sendOut(t)).toBe(1)
    expect((await sendRow(id)).sendStatus).toBe(4)
    const past = { title: 'x', sendType: 1, templateId, planTime: '2026-12-01 10:00:00' }
    await stayLoggedIn(t)
    expect(await as(t, staff).post(`${base}/submit`, past)).toMatchObject({ code: 29005 })
  })

  test('that is cancelled gives back what was set aside, once', async () => {
    const id = await drafted(2, true)
    expect(await balance()).toBe(0)
    expect(await act('cancel', id)).toMatchObject({ code: 200 })
    expect(await act('cancel', id)).toMatchObject({ code: 200 })
    expect([await balance(), (await sendRow(id)).sendStatus]).toEqual([2, 6])
    expect(await act('sendMessage', id)).toMatchObject({ code: 27003 })
    const other = await drafted(1, true)
    expect(await as(t, staff).post(`${base}/remove?ids=${other}`)).toMatchObject({ code: 200 })
    expect(await balance()).toBe(3)
  })

  test('of two at once only one gets the last of the balance', async () => {
    const ids = await Promise.all([drafted(2), drafted(2), drafted(2)])
    await give(t, 4)
    const codes = (await Promise.all(ids.map(id => act('useBalance', id)))).map(one => one.code)
    expect(codes.toSorted()).toEqual([200, 200, 27001])
    expect(await balance()).toBe(0)
  })

  test('changes only as a draft', async () => {
    const id = await drafted(1, true)
    const { version } = await sendRow(id)
    expect(await as(t, staff).post(`${base}/submit`, { id, version, title: 'y' })).toMatchObject({ code: 27003 })
    expect(await addTo(t, staff, id, samplePhone(9))).toMatchObject({ code: 27003 })
    expect(await as(t, staff).post(`${base}/deleteAll`, { sendId: id })).toMatchObject({ code: 27003 })
  })
})

describe('receivers', () => {
  test('come from a sheet, each phone once, with every bad row told', async () => {
    const id = await makeDraft(t, staff, templateId)
    const url = `${base}/exportSendTemplate?templateId=${templateId}`
    const file = await t.app.inject({ method: 'GET', url, headers: staff.headers })
    const rows = []
    for await (const row of readRows(file.rawPayload)) rows.push(row.cells.map(cell => cell.text))
    expect(rows[1]).toEqual(['姓名', '* 手机号码', '* name', '* examName'])
    const columns = rows[1]!.map(head => ({ title: head.replace('* ', ''), required: head.startsWith('*') }))
    const bring = async (lines: unknown[][], mode: string) => {
      const bytes = await templateWorkbook({ sheet: 'x', version: `message-${templateId}`, columns, rows: lines })
      return uploadAs(t, staff, `${base}/importMessage`, { name: '名单.xlsx', bytes }, { sendId: id, mode })
    }
    const good = ['=HYPERLINK("x")', samplePhone(1), '李四', '笔试']
    const lines = [
      good,
      ['李四', samplePhone(1), '李四', '笔试'],
      ['王五', '123', '王五', '笔试'],
      ['赵六', samplePhone(2), '', '笔试'],
    ]
    expect(await bring(lines, '1')).toMatchObject({ code: 28006, data: { errNum: 2, rows: [{ row: 5 }, { row: 6 }] } })
    expect(await messages(id)).toEqual([])
    expect(await bring(lines, '2')).toMatchObject({ data: { okNum: 1, errNum: 2, dupNum: 1 } })
    expect(await messages(id)).toMatchObject([
      { name: '李四', content: '【聚贤】李四您好，笔试请尽快缴费。', segments: 1 },
    ])
    expect(await sendRow(id)).toMatchObject({ num: 1, segNum: 1 })
  })

  test('come from an exam by their state; no phone is shown', async () => {
    const { exam } = await makeExam(t)
    const [due, paid] = [
      await makeSignup(t, exam.id, { phone: samplePhone(501) }),
      await makeSignup(t, exam.id, { phone: samplePhone(502), payState: 1 }),
    ]
    const id = await makeDraft(t, staff, templateId, { examId: exam.id })
    const fill = (filter: string) => as(t, staff).post(`${base}/fillMessages`, { sendId: id, filter })
    expect((await fill('unpaid')).data).toEqual({ num: 1, dupNum: 0 })
    expect((await fill('passed')).data).toEqual({ num: 1, dupNum: 1 })
    expect((await messages(id)).map(row => row.userId)).toEqual([due.caller.userId, paid.caller.userId])
    const page = await as(t, staff).get<{ records: { phone: string }[] }>(
      `${base}/getMessages?sendId=${id}&current=1&size=10`,
    )
    expect(page.data.records.map(row => row.phone)).toEqual(Array(2).fill(expect.stringMatching(/^1\d\d\*{4}\d{4}$/)))
    expect((await fill('nobody')).code).toBe(29005)
    const other = (await makeTemplate(t, { smsCode: 'x', templateContent: '{room}' })).id
    const second = await makeDraft(t, staff, other, { examId: exam.id })
    expect(await as(t, staff).post(`${base}/fillMessages`, { sendId: second, filter: 'all' })).toMatchObject({
      code: 27005,
    })
  })

  test('are the candidates chosen in the list of sign-ups: a draft of one exam, to be looked at and paid', async () => {
    const [{ exam }, { exam: another }] = [await makeExam(t), await makeExam(t)]
    const [one, two, far] = [
      await makeSignup(t, exam.id, { phone: samplePhone(511) }),
      await makeSignup(t, exam.id, { phone: samplePhone(512), payState: 1 }),
      await makeSignup(t, another.id, { phone: samplePhone(513) }),
    ]
    const text = (ids: readonly string[], who = staff, template = templateId) =>
      as(t, who).post<{ id: string; num: number }>(`/api/blade-signup/signup/text?ids=${ids.join()}`, {
        templateId: template,
      })
    const made = await text([one.signup.id, two.signup.id])
    expect(made).toMatchObject({ code: 200, data: { num: 2 } })
    expect(await sendRow(made.data.id)).toMatchObject({ examId: exam.id, sendStatus: 0, num: 2 })
    expect((await messages(made.data.id)).map(row => row.userId)).toEqual([one.caller.userId, two.caller.userId])
    expect(await text([one.signup.id, far.signup.id])).toMatchObject({
      code: 29005,
      msg: expect.stringContaining('同一场考试'),
    })
    expect(await text([one.signup.id, '1'])).toMatchObject({ code: 29001 })
    const strange = (await makeTemplate(t, { smsCode: 'y', templateContent: '{room}' })).id
    expect(await text([one.signup.id], staff, strange)).toMatchObject({ code: 27005 })
    expect(await text([one.signup.id], await signIn(t, { role: 'finance' }))).toMatchObject({ code: 403 })
    expect(await text([one.signup.id], await signIn(t, { role: 'exam_admin' }))).toMatchObject({ code: 29001 })
  })

  test('that cannot be reached can be tried again three times, charged once', async () => {
    const id = await makeDraft(t, staff, templateId)
    for (const phone of [samplePhone(1), '13900000000']) await addTo(t, staff, id, phone)
    await give(t, 2)
    await act('useBalance', id)
    await act('sendMessage', id)
    await sendOut(t)
    expect(await sendRow(id)).toMatchObject({ sendStatus: 5, successNum: 1, failNum: 1 })
    const failed = (await messages(id)).find(row => row.msgStatus === 3)
    expect(failed?.errMsg).toBe('空号')
    const again = (reason: string) =>
      as(t, staff).post(`/api/blade-sendMessage/sendmessage/resend?ids=${failed?.id}`, { reason })
    expect(await again('')).toMatchObject({ code: 29005 })
    for (let n = 1; n <= 3; n++) {
      expect(await again(`第${n}次`)).toMatchObject({ code: 200, data: { changed: 1 } })
      await sendOut(t)
    }
    expect((await messages(id)).find(row => row.id === failed?.id)).toMatchObject({
      resendReason: '第3次',
      resendUser: staff.userId,
    })
    const found = (filter: Record<string, string>) =>
      as(t, staff).get<{ total: number }>(
        `/api/blade-sendMessage/sendmessage/list?${new URLSearchParams({ sendId: id, ...filter })}`,
      )
    expect((await found({ 'send.title': (await sendRow(id)).title })).data.total).toBe(2)
    expect((await found({ 'send.examId': '1' })).data.total).toBe(0)
    expect((await found({ 'send.title': '没有这样的事' })).data.total).toBe(0)
    expect(await again('再一次')).toMatchObject({ code: 29009 })
    expect([await balance(), (await sendRow(id)).sendStatus]).toEqual([0, 5])
  })
})

describe('two processes', () => {
  let second: TestApp
  beforeAll(async () => {
    second = await testApp({ url: t.url, now: morning })
  })
  afterAll(() => second?.close())
  afterEach(() => vi.restoreAllMocks())

  /** Has the channels of both processes do something before each message. */
  function watch(before: (message: NewSms, app: TestApp) => Promise<unknown>): void {
    for (const one of [t as TestApp, second]) {
      const { send } = one.app.sms
      vi.spyOn(one.app.sms, 'send').mockImplementation(async message => {
        await before(message, one)
        return send.call(one.app.sms, message)
      })
    }
  }

  test('send every message once', async () => {
    for (let n = 0; n < 4; n++) await act('sendMessage', await drafted(2, true))
    const seen: string[] = []
    const by = new Set<TestApp>()
    watch(async ({ id }, app) => {
      seen.push(id)
      by.add(app)
      await sleep(50)
    })
    expect(await sendOut(t, second)).toBe(8)
    expect([seen.length, new Set(seen).size, by.size]).toEqual([8, 8, 2])
  })

  test('that are at one sending, because one was thought dead, send every message once', async () => {
    const id = await drafted(60, true)
    await act('sendMessage', id)
    const seen: string[] = []
    let other: Promise<number> | undefined
    watch(async message => {
      seen.push(message.id)
      if (seen.length < 20 || other) return
      await t.pool.query(`UPDATE work_item SET "leaseUntil" = clock_timestamp() - interval '1 second'`)
      other = second.app.queue.workOff()
      await sleep(100)
    })
    await t.app.queue.workOff()
    await other
    t.setNow(new Date(shanghai(morning).getTime() + 61_000))
    await sendOut(t)
    expect([seen.length, new Set(seen).size]).toEqual([60, 60])
    expect(await sendRow(id)).toMatchObject({ sendStatus: 4, successNum: 60 })
  })

  test('ask about what a dead one left behind instead of sending it again', async () => {
    const id = await drafted(2, true)
    await act('sendMessage', id)
    let calls = 0
    const { send } = t.app.sms
    vi.spyOn(t.app.sms, 'send').mockImplementation(async message => {
      if (++calls > 1) await send.call(t.app.sms, message)
      throw new SmsError('died before or after sending', 'unknown')
    })
    await sendOut(t)
    vi.restoreAllMocks()
    expect((await messages(id)).map(row => row.msgStatus)).toEqual([1, 1])
    expect(await sendOut(t)).toBe(0)
    t.setNow(new Date(shanghai(morning).getTime() + 61_000))
    // One is found to have gone out, the other goes out.
    expect(await sendOut(t)).toBe(2)
    expect((await messages(id)).map(row => row.msgStatus)).toEqual([2, 2])
    expect(await outbox()).toHaveLength(2)
  })

  test('of which one ends give back at once what is left of a sending', async () => {
    const id = await drafted(60, true)
    await act('sendMessage', id)
    const third = await testApp({ url: t.url, now: morning })
    const { send } = third.app.sms
    let calls = 0
    vi.spyOn(third.app.sms, 'send').mockImplementation(async message => {
      calls++
      await sleep(50)
      return send.call(third.app.sms, message)
    })
    const ended = third.app.queue.workOff()
    await soon(() => expect(calls).toBeGreaterThan(5))
    await third.close()
    await ended
    const left = (await messages(id)).map(row => row.msgStatus)
    expect([left.includes(1), left.includes(0), left.includes(2)]).toEqual([false, true, true])
    await sendOut(t)
    expect([(await sendRow(id)).sendStatus, (await outbox()).length]).toEqual([4, 60])
  })
})

test('a sending that is planned and paid late, moved, cancelled or let go goes out when it should, once', async () => {
  const planTime = '2026-12-01 10:00:00'
  const planned = async () => {
    const id = await makeDraft(t, staff, templateId, { planTime })
    await addTo(t, staff, id, samplePhone(1))
    await give(t, 1, id)
    return id
  }
  const [now, cancelled, late] = [await planned(), await planned(), await planned()]
  for (const id of [now, cancelled]) expect(await act('useBalance', id)).toMatchObject({ code: 200 })
  expect(await act('sendMessage', now)).toMatchObject({ code: 200 })
  expect(await act('cancel', cancelled)).toMatchObject({ code: 200 })
  expect(await sendOut(t)).toBe(1)
  expect((await sendRow(now)).sendStatus).toBe(4)
  t.setNow('2026-12-01 10:30:00')
  await stayLoggedIn(t)
  expect(await sendOut(t)).toBe(0)
  expect(await act('useBalance', late)).toMatchObject({ code: 200 })
  expect(await sendOut(t)).toBe(1)
  expect([(await sendRow(late)).sendStatus, (await sendRow(cancelled)).sendStatus]).toEqual([4, 6])
})

test('a long sending lets others go out between', async () => {
  const long = await drafted(1, true)
  await t.pool.query(
    `INSERT INTO sendmessage ("tenantId", "sendId", phone, "phoneHash", "phoneMask", params, content, segments)
     SELECT m."tenantId", m."sendId", m.phone, n::text, m."phoneMask", m.params, m.content, 1
     FROM sendmessage m, generate_series(1, 1100) n`,
  )
  await act('sendMessage', long)
  const more = [await drafted(1, true), await drafted(1, true)]
  for (const id of more) await act('sendMessage', id)
  const order: string[] = []
  vi.spyOn(t.app.sms, 'send').mockImplementation(async ({ id }) => {
    const row = await t.db.selectFrom('sendmessage').select('sendId').where('id', '=', id.split('-')[0]!).execute()
    order.push(row[0]!.sendId)
    return { bizNo: 'x' }
  })
  await sendOut(t)
  vi.restoreAllMocks()
  expect(order).toHaveLength(1103)
  for (const id of more) expect(order.indexOf(id)).toBeLessThan(600)
  expect((await sendRow(long)).sendStatus).toBe(4)
})

describe('a package', () => {
  test('pays a sending by QR code: balance up once, taken for it', async () => {
    const { id: packageId } = await makePackage(t)
    const id = await makeDraft(t, staff, templateId, { packageId })
    await addTo(t, staff, id, samplePhone(1))
    const made = (
      await as(t, staff).get<{ orderNo: string; codeUrl: string; amount: number }>(`${base}/getSendPayQrcode?id=${id}`)
    ).data
    expect(made).toMatchObject({ amount: 800, codeUrl: expect.stringContaining('/sandbox/wxpay/cashier/') })
    expect((await as(t, staff).get(`${base}/getSendPayQrcode?id=${id}`)).data).toMatchObject({ orderNo: made.orderNo })
    expect((await sendRow(id)).sendStatus).toBe(1)
    await setFault(t.pool, made.orderNo, { times: 0 })
    await payAt(made.codeUrl)
    await notify(t, made.orderNo)
    await notify(t, made.orderNo)
    expect([await balance(), (await sendRow(id)).sendStatus]).toEqual([99, 2])
    const state = await as(t, staff).get(`${base}/checkOrder?orderNo=${made.orderNo}`)
    expect(state.data).toEqual({ orderStatus: 1, sendStatus: 2, balance: 99 })
    expect(await as(t, staff).get(`${base}/getSendPayQrcode?id=${id}`)).toMatchObject({ code: 27003 })
  })

  test('bought ahead, closed, and paid all the same gets a refund slip', async () => {
    const { id: packageId } = await makePackage(t)
    const made = (
      await as(t, staff).get<{ orderNo: string; codeUrl: string }>(`${base}/getSendPayQrcode?packageId=${packageId}`)
    ).data
    const purchase = await t.db.selectFrom('sendpay').selectAll().executeTakeFirstOrThrow()
    expect((await as(t, staff).post('/api/pay/wxpay/createOrder', { sendPayId: purchase.id })).data).toMatchObject({
      orderNo: made.orderNo,
    })
    expect(await as(t, staff).post(`/api/blade-sendPay/sendpay/close?id=${purchase.id}`)).toMatchObject({ code: 200 })
    await setFault(t.pool, made.orderNo, { times: 0 })
    await payAt(made.codeUrl)
    await notify(t, made.orderNo)
    expect(await balance()).toBe(0)
    expect(await t.db.selectFrom('payrefund').selectAll().execute()).toMatchObject([
      { reason: '关闭后到账', amount: 800 },
    ])
  })

  test('paid by transfer is confirmed by another person, once', async () => {
    const { id: packageId } = await makePackage(t)
    const buy = (more: object) =>
      as(t, staff).post('/api/blade-sendPay/sendpay/submit', { packageId, channel: 2, ...more })
    expect(await buy({})).toMatchObject({ code: 29005 })
    const { id: voucher } = (
      await t.pool.query<{ id: string }>(
        `INSERT INTO attach (link, name, "originalName", extension, "attachSize", "contentType", sha256, visible, "tenantId", "createUser")
       VALUES ('x', 'x', 'x.png', 'png', 1, 'image/png', 'x', 3, '000000', $1) RETURNING id`,
        [staff.userId],
      )
    ).rows[0]!
    expect(await buy({ voucher })).toMatchObject({ code: 200 })
    const row = await t.db.selectFrom('sendpay').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ sendPayStatus: 1, num: 100, amount: 800 })
    const bare = await as(t, staff).post(`/api/blade-sendPay/sendpay/voucher?id=${row.id}`, {})
    expect(bare).toMatchObject({ code: 29005, data: [{ field: 'voucher', msg: '请上传转账凭证' }] })
    const sure = (who: Caller) =>
      as(t, who).post(`/api/blade-sendPay/sendpay/sureSendPay?id=${row.id}`, { remark: '已到账' })
    expect(await sure(staff)).toMatchObject({ code: 24018 })
    const codes = (await Promise.all([sure(operator), sure(operator)])).map(one => one.code)
    expect([codes, await balance()]).toEqual([[200, 200], 100])
    const other = await signIn(t, { role: 'administrator' })
    expect(await sure(other)).toMatchObject({ code: 27007 })
    expect(await as(t, staff).post(`/api/blade-sendPay/sendpay/remove?ids=${row.id}`)).toMatchObject({ code: 27007 })
  })

  test('off the shelf cannot be bought, on it cannot be changed', async () => {
    const one = await makePackage(t)
    const change = () => as(t, staff).post('/api/blade-sendPackages/sendpackages/submit', { id: one.id, price: 1 })
    expect(await change()).toMatchObject({ code: 29009 })
    await as(t, staff).post(`/api/blade-sendPackages/sendpackages/offShelf?id=${one.id}`)
    expect(await change()).toMatchObject({ code: 200 })
    expect(await as(t, staff).get(`${base}/getSendPayQrcode?packageId=${one.id}`)).toMatchObject({ code: 27006 })
    expect((await as(t, staff).get(`${base}/getSendPackages`)).data).toEqual([])
  })

  test('that expires takes off what was not used of it', async () => {
    const move = (changeType: 1 | 2, num: number, refId: string, expireTime?: Date) =>
      program(t)
        .transaction()
        .execute(trx =>
          moveBalance(trx, {
            tenantId: '000000',
            changeType,
            num,
            refType: 'sendpay',
            refId,
            expireTime: expireTime ?? null,
          }),
        )
    await move(1, 100, '1', shanghai('2026-12-31 00:00:00'))
    await move(1, 50, '2')
    await move(2, -30, '3')
    const run = () =>
      program(t)
        .transaction()
        .execute(trx => expireBalance(trx, '000000', t.app.now()))
    await run()
    expect(await balance()).toBe(120)
    t.setNow('2026-12-31 00:00:00')
    await run()
    await run()
    expect(await balance()).toBe(50)
  })
})

test('templates, parts and quiet hours', () => {
  expect(paramsOf('{a}{b} {a} {}')).toEqual(['a', 'b'])
  expect(fillTemplate('{a}-{b}', { a: '{b}', b: '2' })).toBe('{b}-2')
  expect(fillTemplate('$' + '{a}元', { a: '1' })).toBe('1元')
  expect(missingParams('{a}{b}', { a: ' ', b: '1' })).toEqual(['a'])
  expect([70, 71, 134, 135].map(n => segmentsOf('字'.repeat(n)))).toEqual([1, 2, 2, 3])
  const at = (text: string) => isQuiet(shanghai(`2026-12-01 ${text}`), { from: '22:00', until: '08:00' })
  expect(['07:59:59', '08:00:00', '21:59:59', '22:00:00'].map(at)).toEqual([true, false, false, true])
})
