import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerOf } from '#engine'
import { MsgStatus } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller, windows } from '../../../../tests/helper/exam-bench.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { candidateOf, drawing, makeStage, seatStaff, ticketsOf } from '../../../../tests/helper/seat-bench.ts'
import { give, makeTemplate } from '../../../../tests/helper/send-bench.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'
import { tellDue } from '../../notifications/server/tell.ts'
import type { downloadList } from '../contract.ts'

let t: TestApp
let staff: Awaited<ReturnType<typeof seatStaff>>
const base = '/blade-ticketNotice/ticketnotice'

beforeAll(async () => {
  t = await testApp({ now: drawing })
  staff = await seatStaff(t)
})
afterAll(() => t.close())

async function at(time: Date) {
  t.setNow(time)
  await stayLoggedIn(t)
}

/** A stage whose tickets are out, with so many candidates. */
async function released(count: number, more: Parameters<typeof makeStage>[2] = {}) {
  await at(new Date('2026-12-20T09:00:00+08:00'))
  const made = await makeStage(t, 1, more)
  const people: Caller[] = []
  for (let i = 0; i < count; i++) people.push((await candidateOf(t, made.examId)).caller)
  for (const name of ['allotSeat', 'lockAllot', 'releaseTicket']) await staff.act(name, made.itemId)
  await at(windows.ticketStartTime)
  const down = (who: Caller) => asCaller(t, who).post(`${base}/saveTicketDownInfo`, { itemId: made.itemId, type: 1 })
  return { ...made, people, down }
}

type List = AnswerOf<typeof downloadList>

const listOf = async (itemId: string, query = '', get = staff.get) =>
  (await get<List>(`${base}/ticketDownList?itemId=${itemId}${query}`)).data

describe('the register of downloads', () => {
  test('lists everybody with a ticket; its counts add up', async () => {
    const { itemId, people, down } = await released(3)
    expect((await down(people[0]!)).code).toBe(200)
    const all = await listOf(itemId)
    expect([all.total, all.records.length]).toEqual([3, 3])
    expect(all.counts).toEqual({ total: 3, downloaded: 1, missing: 2, waiting: 0, refused: 0 })
    const [done, open] = [await listOf(itemId, '&downloaded=1'), await listOf(itemId, '&downloaded=0')]
    expect([done.total, open.total, open.counts.total]).toEqual([1, 2, 3])
    expect(done.records[0]).toMatchObject({ downloaded: 1, downNum: 1, picState: 0 })
    expect((await listOf(itemId, '&size=1&current=3')).records).toHaveLength(1)
    expect((await listOf(itemId, `&ticketNo=${done.records[0]?.ticketNo}`)).total).toBe(1)
    const [first] = await ticketsOf(t, itemId)
    await staff.post('/blade-exam/examination/voidTicket', { ticketIds: first?.id, reason: 'x' })
    expect((await listOf(itemId)).counts.total).toBe(2)
  })

  test('is a workbook with the same people', async () => {
    const { itemId, people, down } = await released(2)
    await down(people[0]!)
    await t.pool.query(
      `INSERT INTO dict_biz ("tenantId", code, "dictKey", "dictValue", sort) VALUES ('000000', 'recruit_unit', 'u1', '市第一医院', 1)`,
    )
    const url = `/api${base}/exportTicketDownExcel?itemId=${itemId}`
    const answer = await t.app.inject({ url, headers: staff.who.headers })
    const rows: string[][] = []
    for await (const row of readRows(answer.rawPayload)) rows.push(row.cells.map(cell => cell.text))
    expect(rows[0]?.slice(2, 4)).toEqual(['姓名', '准考证号'])
    expect(rows.slice(1).map(row => row[8])).toEqual(expect.arrayContaining(['已下载', '未下载']))
    expect(rows).toHaveLength(3)
    expect(rows.slice(1).map(row => [row[4], row[12]])).toEqual(Array(2).fill(['市第一医院', '无需']))
  })

  test('shows staff the exams they are appointed to', async () => {
    const { examId, itemId } = await released(1)
    const permissions = ['ticketnotice', 'ticketnotice_export', 'ticketnotice_check', 'ticketnotice_remind']
    const who = await signIn(t, { permissions })
    const { get, post } = asCaller(t, who)
    expect((await listOf(itemId, '', get)).total).toBe(0)
    expect((await post(`${base}/remind`, { examId, itemId })).code).toBe(29001)
    await appoint(t, examId, who)
    expect((await listOf(itemId, '', get)).total).toBe(1)
    expect((await get(`${base}/ticketDownList?colour=red`)).code).toBe(29005)
  })
})

/** What waits for somebody in the inbox. */
const todos = async (who: Caller) =>
  (await asCaller(t, who).get<{ records: { title: string }[] }>('/blade-desk/inbox/page?tab=todo')).data.records.map(
    one => one.title,
  )

/** Hands in a picture for the ticket of a stage. */
async function handIn(who: Caller, itemId: string, slot: string, given?: Uint8Array<ArrayBuffer>) {
  const blank = { create: { width: 300, height: 400, channels: 3 as const, background: '#88a' } }
  const bytes = given ?? (new Uint8Array(await sharp(blank).jpeg().toBuffer()) as Uint8Array<ArrayBuffer>)
  const form = new FormData()
  form.set(slot, new Blob([bytes]), '健康码.jpg')
  form.set('itemId', itemId)
  form.set('consent', '1')
  const url = `/api${base}/savePicAndDownInfo`
  return t.call({ method: 'POST', url, headers: who.headers, payload: form as never })
}

describe('what asks for something', () => {
  test('is done for whoever has downloaded, and for nobody else', async () => {
    const { people, down } = await released(2)
    const [one, two] = people as [Caller, Caller]
    await tellDue(t.app)
    expect(await todos(one)).toEqual([expect.stringContaining('准考证已发布')])
    expect((await down(one)).code).toBe(200)
    expect([await todos(one), (await todos(two)).length]).toEqual([[], 1])
  })

  test('is done, and its text called off, once refused papers are handed in again', async () => {
    const { itemId, people } = await released(1, { exam: { ticketNeedPic: 'jkm' } })
    const who = people[0]!
    await handIn(who, itemId, 'jkm')
    const { id, sureTime } = (await listOf(itemId)).records[0] as unknown as { id: string; sureTime: string }
    expect(sureTime).not.toBe('')
    expect((await staff.post(`${base}/picFail?ids=${id}`, { picRemark: '不清晰' })).code).toBe(200)
    await makeTemplate(t, { smsCode: 'ticketnotice.refused', templateContent: '{exam}材料不合格' })
    await give(t, 5)
    await tellDue(t.app)
    const texts = async () => (await t.pool.query('SELECT "msgStatus" FROM sendmessage')).rows
    expect(await todos(who)).toContainEqual(expect.stringContaining('材料不合格'))
    expect(await texts()).toEqual([{ msgStatus: MsgStatus.queued }])
    expect((await handIn(who, itemId, 'jkm')).code).toBe(200)
    expect(await todos(who)).not.toContainEqual(expect.stringContaining('材料不合格'))
    expect(await texts()).toEqual([{ msgStatus: MsgStatus.cancelled }])
  })
})

describe('pictures handed in', () => {
  test('may come as a form of files', async () => {
    const { itemId, people } = await released(1, { exam: { ticketNeedPic: 'jkm' } })
    const who = people[0]!
    const send = (slot: string, bytes?: Uint8Array<ArrayBuffer>) => handIn(who, itemId, slot, bytes)
    expect((await send('other')).code).toBe(29005)
    expect((await send('xcm')).code).toBe(25005)
    expect((await send('jkm', new Uint8Array([1, 2, 3]))).code).toBe(28003)
    expect(await send('jkm')).toMatchObject({ code: 200, data: { picState: 2 } })
    expect((await listOf(itemId)).counts.waiting).toBe(1)
    const { jkm } = (await listOf(itemId)).records[0] as unknown as { jkm: string }
    const { name } = await t.db.selectFrom('attach').select('name').where('id', '=', jkm).executeTakeFirstOrThrow()
    const isKept = () =>
      t.app.storage.get(name).then(
        () => true,
        () => false,
      )
    const over = new Date(windows.examEndTime.getTime() + 7 * 86_400_000)
    await at(over)
    await t.app.jobs.run('ticket-pictures')
    expect(await isKept()).toBe(true)
    await at(new Date(over.getTime() + 1))
    await t.app.jobs.run('ticket-pictures')
    expect([await isKept(), (await listOf(itemId)).records[0]]).toMatchObject([false, { jkm: '', picState: 2 }])
  })

  test('are found good or bad, with a reason', async () => {
    const { itemId, people } = await released(1, { exam: { ticketNeedPic: 'jkm' } })
    const [who] = people
    expect((await listOf(itemId)).records[0]).toMatchObject({ picState: 1, id: '' })
    const put = (state: number) =>
      t.pool.query(`UPDATE ticketnotice SET "picState" = $2 WHERE "itemId" = $1`, [itemId, state])
    const [ticket] = await ticketsOf(t, itemId)
    const { id } = (
      await t.pool.query(
        `INSERT INTO ticketnotice ("examId", "itemId", "signupId", "ticketId", "userId", "picState")
         VALUES ($1, $2, $3, $4, $5, 2) RETURNING id`,
        [ticket?.examId, itemId, ticket?.signupId, ticket?.id, who?.userId],
      )
    ).rows[0]
    expect((await listOf(itemId, '&picState=2')).counts.waiting).toBe(1)
    expect((await staff.post(`${base}/picFail?ids=${id}`)).code).toBe(29005)
    expect((await staff.post(`${base}/picFail?ids=${id}`, { picRemark: '不清晰' })).code).toBe(200)
    const steps = () => asCaller(t, who!).get(`${base}/getTicketNoticeIsUpload?itemId=${itemId}`)
    expect((await steps()).data).toMatchObject({ picState: 4, picRemark: '不清晰', stepCode: 25005 })
    await put(2)
    expect((await staff.post(`${base}/picPass?ids=${id}`)).code).toBe(200)
    expect((await steps()).data).toMatchObject({ picState: 3, picRemark: '', stepCode: 0 })
    expect((await staff.post(`${base}/picPass?ids=${id}`)).code).toBe(200)
    await put(0)
    expect((await staff.post(`${base}/picFail?ids=${id}`, { picRemark: 'x' })).code).toBe(29009)
  })
})

describe('the reminder', () => {
  const titles = async (who: Caller) => {
    const list = await asCaller(t, who).get<{ records: { title: string }[] }>('/blade-exam/examination/getNoticeList')
    return list.data.records.map(one => one.title)
  }

  test('shows to those who have not downloaded, until they have', async () => {
    const { examId, itemId, people, down } = await released(3)
    const [one, two, three] = people
    await down(one!)
    const remind = () => staff.post(`${base}/remind`, { examId, itemId })
    expect((await remind()).data).toEqual({ num: 2 })
    expect([await titles(one!), (await titles(two!)).length]).toEqual([[], 1])
    await down(two!)
    expect([await titles(two!), (await titles(three!)).length]).toEqual([[], 1])
    expect((await remind()).code).toBe(29006)
    await at(new Date(windows.ticketStartTime.getTime() + 11 * 60_000))
    expect((await remind()).data).toEqual({ num: 1 })
    expect(await titles(three!)).toHaveLength(1)
    await down(three!)
    await at(new Date(windows.ticketStartTime.getTime() + 30 * 60_000))
    expect((await remind()).code).toBe(29009)
  })

  test('waits for the tickets and ends with the download', async () => {
    const made = await makeStage(t, 1)
    const remind = () => staff.post(`${base}/remind`, { examId: made.examId, itemId: made.itemId })
    expect((await remind()).code).toBe(25002)
    const { examId, itemId } = await released(1)
    await at(windows.ticketEndTime)
    expect((await staff.post(`${base}/remind`, { examId, itemId })).code).toBe(25001)
  })
})
