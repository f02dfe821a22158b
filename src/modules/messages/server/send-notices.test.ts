import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { User } from '#schemas/system/user'
import { testApp } from '../../../../tests/helper/app.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import { as, makeExam, makeSignup, morning, payApp } from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert, samplePhone } from '../../../../tests/helper/sample.ts'
import {
  addTo,
  give,
  makeDraft,
  makePackage,
  makeTemplate,
  program,
  sendOut,
} from '../../../../tests/helper/send-bench.ts'
import { balanceOf } from './ledger.ts'

let t: Awaited<ReturnType<typeof payApp>>
let templateId: string
/** Has an account and is on no list. */
let stranger: Caller
const base = '/api/blade-send/send'
const notices = '/api/blade-exam/examination'
/** Nobody's. */
const unknown = samplePhone(99_000_001)

beforeAll(async () => {
  t = await payApp()
  stranger = await signIn(t, { role: 'candidate' })
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.setNow(morning)
  await stayLoggedIn(t)
  await t.pool.query(
    'TRUNCATE send, sendmessage, sendpackages, sendledger, sms, sms_outbox, notice, notifyread, work_item CASCADE',
  )
  templateId = (await makeTemplate(t)).id
})

const act = (what: string, id: string, body: object = {}) => as(t, t.staff).post(`${base}/${what}?id=${id}`, body)
const draft = (sendType: number, more: object = {}) => makeDraft(t, t.staff, templateId, { sendType, ...more })
const sendRow = (id: string) => t.db.selectFrom('send').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const outbox = async () => (await t.pool.query('SELECT 1 FROM sms_outbox')).rowCount
const notice = (sendId: string) => t.db.selectFrom('notice').selectAll().where('sendId', '=', sendId).executeTakeFirst()

async function phoneOf({ userId }: Caller): Promise<string> {
  const row = await t.db.selectFrom('user').select('phone').where('id', '=', userId).executeTakeFirstOrThrow()
  return t.app.vault.open(row.phone)
}

/** What the bell of somebody shows. */
const unread = async (who: Caller) =>
  (
    await as(t, who).get<{ records: { id: string; title: string; read: number }[] }>(
      `${notices}/getNoticeList?unread=1`,
    )
  ).data.records
const reading = (who: Caller, id: string | undefined) =>
  as(t, who).get<{ content: string }>(`${notices}/getNoticeInfo?id=${id}`)

/** A sending to a candidate of an exam, somebody of the staff and a phone without an account, ready to go out. */
async function settled(sendType: number, more: object = {}) {
  const { exam } = await makeExam(t)
  const id = await draft(sendType, { examId: exam.id, ...more })
  const clerk = await signIn(t, { role: 'finance' })
  const candidate = await signIn(t, { role: 'candidate' })
  await addTo(t, t.staff, id, await phoneOf(clerk))
  await addTo(t, t.staff, id, await phoneOf(candidate), { name: '<b>李&四' })
  await addTo(t, t.staff, id, unknown)
  if (sendType === 3) await give(t, 3, id)
  expect((await act(sendType === 3 ? 'useBalance' : 'ready', id)).code).toBe(200)
  return { id, clerk, candidate }
}

describe('a message inside the system', () => {
  test('is an unread notice for whoever has an account, with the text for that person, and costs nothing', async () => {
    const { id, clerk, candidate } = await settled(2)
    expect((await act('sendMessage', id)).data).toEqual({ accepted: 3, noAccount: 1 })
    expect(await sendRow(id)).toMatchObject({ sendStatus: 5, successNum: 2, failNum: 1, segNum: 0 })
    const { title } = await sendRow(id)
    for (const who of [clerk, candidate]) expect(await unread(who)).toMatchObject([{ title, read: 0 }])
    const out = await notice(id)
    expect((await reading(candidate, out?.id)).data.content).toBe('<p>&#60;b&#62;李&#38;四您好，笔试请尽快缴费。</p>')
    expect((await reading(clerk, out?.id)).data.content).toBe('<p>张三您好，笔试请尽快缴费。</p>')
    await as(t, candidate).post(`${notices}/readNotice?noticeId=${out?.id}`)
    expect([await unread(candidate), (await unread(clerk)).length]).toEqual([[], 1])
    const rows = await t.db.selectFrom('sendledger').select('id').execute()
    expect([rows, await outbox(), await sendOut(t)]).toEqual([[], 0, 0])
    const watcher = await signIn(t, { role: 'administrator' })
    const board = await as(t, watcher).get('/api/blade-desk/home/dashboard')
    expect(board.data).toMatchObject({ today: expect.arrayContaining([{ code: 'sent', num: 0 }]) })
    expect(board.data).toMatchObject({ health: expect.arrayContaining([{ code: 'failed', num: 0, isBad: false }]) })
    const info = await as(t, t.staff).get(`${base}/getSendInfo?id=${id}`)
    expect(info.data).toMatchObject({
      noAccount: 1,
      counts: { 2: 2, 3: 1 },
      preview: '{name}您好，{examName}请尽快缴费。',
    })
  })

  test('alone needs neither a template nor a payment', async () => {
    await t.pool.query('TRUNCATE sms CASCADE')
    const submit = (body: object) => as(t, t.staff).post(`${base}/submit`, { title: '停水通知', sendType: 2, ...body })
    expect(await submit({})).toMatchObject({ code: 29005, data: [{ field: 'content' }] })
    expect(await submit({ sendType: 1, content: '请到大厅领取' })).toMatchObject({ data: [{ field: 'templateId' }] })
    expect(await submit({ content: '请到大厅领取' })).toMatchObject({ code: 200 })
    const { id } = await t.db.selectFrom('send').select('id').executeTakeFirstOrThrow()
    const candidate = await signIn(t, { role: 'candidate' })
    expect((await act('sendMessage', id)).code).toBe(27004)
    expect((await addTo(t, t.staff, id, await phoneOf(candidate))).code).toBe(200)
    expect(await submit({ id, content: '改期领取', version: (await sendRow(id)).version })).toMatchObject({
      code: 29005,
    })
    expect((await as(t, t.staff).get(`${base}/getSendInfo?id=${id}`)).data).toMatchObject({ preview: '请到大厅领取' })
    const sheet = await t.app.inject({ url: `${base}/exportSendTemplate?sendId=${id}`, headers: t.staff.headers })
    expect(sheet.statusCode).toBe(200)
    expect((await act('sendMessage', id)).data).toEqual({ accepted: 1, noAccount: 0 })
    expect((await reading(candidate, (await notice(id))?.id)).data.content).toBe('<p>请到大厅领取</p>')
    expect(await sendRow(id)).toMatchObject({ sendStatus: 4, amount: null, templateId: null })
  })

  test('that was sent is not edited, and neither is what its receivers read', async () => {
    const { id } = await settled(2)
    await act('sendMessage', id)
    const out = await notice(id)
    const path = '/api/blade-desk/notice/submit'
    expect((await as(t, t.staff).post(path, { id: out?.id, title: '改了' })).code).not.toBe(200)
    const { version } = await sendRow(id)
    expect((await as(t, t.staff).post(`${base}/submit`, { id, version, title: '改了' })).code).toBe(27003)
    expect((await notice(id))?.title).toBe(out?.title)
  })

  test('is nobody else’s: not a stranger’s, not all the staff’s, not that of another tenant', async () => {
    const { id } = await settled(2)
    const other = await signIn(t, { role: 'candidate', tenantId: '000091' })
    const hash = t.app.vault.hash('000000', unknown)
    await t.db.updateTable('user').set({ phoneHash: hash }).where('id', '=', other.userId).execute()
    expect((await act('sendMessage', id)).data).toMatchObject({ noAccount: 1 })
    const out = await notice(id)
    for (const who of [stranger, t.staff, other]) {
      expect(await unread(who)).toEqual([])
      expect((await reading(who, out?.id)).code).toBe(29001)
    }
    const readers = await as(t, t.staff).get(`/api/blade-noticeRead/noticeread/readerList?noticeId=${out?.id}`)
    expect(readers.data).toMatchObject({ counts: { total: 2, unread: 2 } })
  })

  test('goes to the candidates of an exam by their accounts', async () => {
    const { exam } = await makeExam(t)
    const { caller } = await makeSignup(t, exam.id, { phone: unknown })
    const id = await draft(2, { examId: exam.id })
    await as(t, t.staff).post(`${base}/fillMessages`, { sendId: id, filter: 'all' })
    await act('ready', id)
    expect((await act('sendMessage', id)).data).toEqual({ accepted: 1, noAccount: 0 })
    expect(await unread(caller)).toHaveLength(1)
  })

  test('that would reach nobody does not go out', async () => {
    const id = await draft(2)
    await addTo(t, t.staff, id, unknown)
    const blocked = await signIn(t, { role: 'candidate' })
    await addTo(t, t.staff, id, await phoneOf(blocked))
    await t.db.updateTable('user').set({ accountStatus: 2 }).where('id', '=', blocked.userId).execute()
    await act('ready', id)
    expect(await act('sendMessage', id)).toMatchObject({ code: 27004 })
    expect([(await sendRow(id)).sendStatus, await notice(id)]).toEqual([2, undefined])
  })

  test('is sent again to whoever has an account by now, as one notice', async () => {
    const { id, candidate } = await settled(2)
    await act('sendMessage', id)
    const { tenantId } = t.staff
    const late = await insert(t.app, User, { tenantId, userType: 2, accountStatus: 1, phone: unknown, idCard: null })
    const failed = await t.db
      .selectFrom('sendmessage')
      .select('id')
      .where('msgStatus', '=', 3)
      .executeTakeFirstOrThrow()
    const again = () =>
      as(t, t.staff).post(`/api/blade-sendMessage/sendmessage/resend?ids=${failed.id}`, { reason: '空号' })
    expect(await again()).toMatchObject({ data: { changed: 1 } })
    expect(await sendOut(t)).toBe(0)
    expect(await sendRow(id)).toMatchObject({ sendStatus: 4, successNum: 3, failNum: 0 })
    const whose = t.db.selectFrom('sendmessage').select('userId').where('id', '=', failed.id)
    expect([(await whose.executeTakeFirst())?.userId, await outbox()]).toEqual([late.id, 0])
    expect(await unread(candidate)).toHaveLength(1)
    await t.db.updateTable('user').set({ isDeleted: 1 }).where('id', '=', late.id).execute()
  })

  test('is withdrawn like any notice, but neither written nor changed as one', async () => {
    const { id, candidate } = await settled(2)
    await act('sendMessage', id)
    const out = await notice(id)
    const submit = (body: object) => as(t, t.staff).post('/api/blade-desk/notice/submit', body)
    expect(await submit({ id: out?.id, title: 'x' })).toMatchObject({ code: 29005 })
    const forged = { title: 'x', category: 5, noticeType: 2, scope1: 6, content: '<p>x</p>', releaseTime: morning }
    expect(await submit({ ...forged, needSure: 0, isTop: 0 })).toMatchObject({ code: 29005 })
    expect((await as(t, t.staff).post(`/api/blade-desk/notice/recall?id=${out?.id}`)).code).toBe(200)
    expect(await unread(candidate)).toEqual([])
  })

  test('changes to a text message and back only while nobody is on its list', async () => {
    const id = await draft(2, { packageId: (await makePackage(t)).id })
    const change = async (more: object) =>
      as(t, t.staff).post(`${base}/submit`, { id, version: (await sendRow(id)).version, ...more })
    expect((await sendRow(id)).packageId).toBeNull()
    expect((await change({ sendType: 3 })).code).toBe(200)
    await addTo(t, t.staff, id, unknown)
    expect((await change({ sendType: 1 })).code).toBe(200)
    expect(await change({ sendType: 2 })).toMatchObject({ code: 29005 })
  })
})

describe('a message both ways', () => {
  test('is a text message to everybody, paid, and a notice to whoever has an account', async () => {
    const { id, clerk, candidate } = await settled(3)
    expect((await act('sendMessage', id)).data).toEqual({ accepted: 3, noAccount: 1 })
    expect([await sendOut(t), await outbox(), await balanceOf(program(t))]).toEqual([3, 3, 0])
    expect(await sendRow(id)).toMatchObject({ sendStatus: 4, successNum: 3, failNum: 0 })
    for (const who of [clerk, candidate]) expect(await unread(who)).toHaveLength(1)
    expect((await reading(clerk, (await notice(id))?.id)).data.content).toBe(
      '<p>【聚贤】张三您好，笔试请尽快缴费。</p>',
    )
  })

  test('goes out by itself at its time, once, whichever process comes first', async () => {
    const { id, clerk } = await settled(3, { planTime: '2026-12-01 10:00:00' })
    expect(await sendOut(t)).toBe(0)
    expect(await notice(id)).toBeUndefined()
    t.setNow('2026-12-01 10:00:00')
    const second = await testApp({ url: t.url, now: '2026-12-01 10:00:00' })
    await sendOut(t, second)
    await second.close()
    await stayLoggedIn(t)
    expect([await outbox(), (await unread(clerk)).length]).toEqual([3, 1])
  })
})

test('B1 · a message that is sent by two at the same moment goes out once', async () => {
  const { id, clerk } = await settled(2)
  // Both have come to the sending before either may change it.
  const held = await t.pool.connect()
  await held.query('BEGIN')
  await held.query('SELECT 1 FROM send WHERE id = $1 FOR NO KEY UPDATE', [id])
  const both = Promise.all([act('sendMessage', id), act('sendMessage', id)])
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await t.pool.query(waiting)).rowCount).toBe(2)
  await held.query('COMMIT')
  held.release()
  expect((await both).map(one => one.code)).toEqual([200, 200])
  const { rowCount } = await t.pool.query('SELECT 1 FROM notice WHERE "sendId" = $1', [id])
  expect([rowCount, (await unread(clerk)).length]).toEqual([1, 1])
})
