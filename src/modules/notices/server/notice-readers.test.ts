import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Notice } from '#schemas/notices/notice'
import { Sms } from '#schemas/resource/sms'
import { shanghai, type TestApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert, type Overrides } from '../../../../tests/helper/sample.ts'
import { applicant, makeExam, signApp, submit, times } from '../../../../tests/helper/sign-bench.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'

let t: TestApp
let staff: Caller
beforeAll(async () => {
  t = await signApp()
  staff = await signIn(t, { role: 'admin' })
})
afterAll(() => t.close())

const base = '/blade-noticeRead/noticeread'
const exams = '/blade-exam/examination'
const out = (more: Overrides<typeof Notice>) =>
  insert(t.app, Notice, {
    noticeStatus: 1,
    noticeType: 2,
    needSure: 1,
    isTop: 0,
    examId: null,
    readNum: null,
    sureNum: null,
    releaseTime: shanghai(times.start),
    endTime: null,
    ...more,
  })

/** A notice for the three candidates of an exam, of whom one confirms and one only reads. */
async function followed(more: Overrides<typeof Notice> = {}) {
  const { exam } = await makeExam(t, { exam: { examName: '护士招聘' } })
  const people = [await applicant(t), await applicant(t), await applicant(t)] as const
  for (const who of people) await submit(t, who, exam.id)
  const notice = await out({ title: '考前须知', scope1: 2, examId: exam.id, ...more })
  const [sure, read, unread] = people
  await asCaller(t, sure).post(`${exams}/sureNotify`, { id: notice.id })
  await asCaller(t, read).post(`${exams}/readNotify`, { notifyId: notice.id })
  return { exam, notice, sure, read, unread }
}

interface List {
  records: { userId: string; sureState: number; readTime: string }[]
  total: number
  counts: Record<string, number>
}

const readers = async (noticeId: string, query = '', who = staff) =>
  asCaller(t, who).get<List>(`${base}/readerList?noticeId=${noticeId}${query}`)
const idsOf = async (noticeId: string, state: string) =>
  (await readers(noticeId, `&state=${state}`)).data.records.map(one => one.userId)

describe('who has read a notice', () => {
  it('is told of everybody it is for, and the numbers agree', async () => {
    const { notice, sure, read, unread } = await followed()
    const { data } = await readers(notice.id)
    expect(data.counts).toEqual({ total: 3, read: 2, unread: 1, sure: 1, unsure: 2 })
    expect(await idsOf(notice.id, 'unread')).toEqual([unread.userId])
    expect(await idsOf(notice.id, 'sure')).toEqual([sure.userId])
    expect((await idsOf(notice.id, 'unsure')).toSorted()).toEqual([read.userId, unread.userId].toSorted())
    const row = await t.db.selectFrom('notice').select(['readNum', 'sureNum']).where('id', '=', notice.id).execute()
    expect(row).toEqual([{ readNum: 2, sureNum: 1 }])
  })

  it('is set beside how many it is for, whoever those are', async () => {
    const { notice, sure } = await followed()
    const only = async (id: string) => {
      const { data } = await asCaller(t, staff).get<{ meantNum: number | null }>(`/blade-desk/notice/detail?id=${id}`)
      return data.meantNum
    }
    expect(await only(notice.id)).toBe((await readers(notice.id)).data.counts.total)
    for (const scope1 of [1, 4] as const) {
      const { id } = await out({ scope1, noticeStatus: 1 })
      expect([scope1, await only(id)]).toEqual([scope1, (await readers(id)).data.counts.total])
    }
    await t.pool.query('UPDATE "user" SET "accountStatus" = 2 WHERE id = $1', [sure.userId])
    expect(await only(notice.id)).toBe(2)
    await t.pool.query('UPDATE "user" SET "accountStatus" = 1 WHERE id = $1', [sure.userId])
    expect(await only((await out({ scope1: 1, noticeStatus: 0 })).id)).toBe('')
  })

  it('is counted once however often and however fast somebody reads', async () => {
    const { notice, unread } = await followed()
    const { post } = asCaller(t, unread)
    const calls = ['readNotice', 'readNotify', 'sureNotify', 'sureNotify', 'readNotice', 'sureNotify']
    await Promise.all(calls.map(name => post(`${exams}/${name}`, { id: notice.id })))
    const row = await t.db.selectFrom('notice').select(['readNum', 'sureNum']).where('id', '=', notice.id).execute()
    expect(row).toEqual([{ readNum: 3, sureNum: 2 }])
  })

  it('is noted with the address for an announcement, which nobody confirms', async () => {
    const { notice, read, sure } = await followed({ noticeType: 1, needSure: 0 })
    expect(await idsOf(notice.id, 'read')).toEqual([read.userId])
    const { post } = asCaller(t, sure)
    expect((await post(`${exams}/sureNotify`, { id: notice.id })).code).toBe(29009)
    for (const _ of [1, 2]) expect((await post(`${exams}/readNotice`, { noticeId: notice.id })).code).toBe(200)
    const rows = await t.db.selectFrom('noticeread').selectAll().where('noticeId', '=', notice.id).execute()
    expect(rows).toHaveLength(2)
    expect(rows.find(row => row.userId === sure.userId)).toMatchObject({ readIp: '127.0.0.1' })
    const info = await asCaller(t, sure).get<{ read: number }>(`${exams}/getNoticeInfo?id=${notice.id}`)
    expect(info.data.read).toBe(1)
  })

  it('goes out as a workbook with those who have not', async () => {
    const { notice } = await followed()
    const sheet = async (payload: object) => {
      const url = `/api${base}/export`
      const answer = await t.app.inject({ method: 'POST', url, headers: staff.headers, payload })
      const rows: string[] = []
      for await (const row of readRows(answer.rawPayload)) rows.push(row.cells[2]?.text ?? '')
      return rows.slice(1)
    }
    expect((await sheet({ noticeId: notice.id })).toSorted()).toEqual(['已读', '已确认', '未读'].toSorted())
    expect(await sheet({ noticeId: notice.id, state: 'unread' })).toEqual(['未读'])
    expect((await asCaller(t, staff).post(`${base}/export`)).code).toBe(29005)
  })

  it('is chosen by audience, exam and notice; staff of other exams see none of it', async () => {
    const { exam, notice } = await followed({ title: 'chosen' })
    const draft = await out({ title: 'draft', scope1: 2, examId: exam.id, noticeStatus: 0 })
    const codes = ['noticeread', 'noticeread_view', 'noticeread_export']
    const who = await signIn(t, { permissions: codes })
    const { get } = asCaller(t, who)
    const examIds = async (scope1: number) =>
      (await get<{ id: string }[]>(`${base}/examList?scope1=${scope1}`)).data.map(one => one.id)
    const noticeIds = async () =>
      (await get<{ id: string }[]>(`${base}/noticeList?scope1=2&examId=${exam.id}`)).data.map(one => one.id)
    expect([await examIds(2), await noticeIds()]).toEqual([[], []])
    await appoint(t, exam.id, who)
    expect([await examIds(2), await examIds(3), await noticeIds()]).toEqual([[exam.id], [], [notice.id]])
    expect(await noticeIds()).not.toContain(draft.id)
    const mine = await makeExam(t)
    const foreign = await out({ scope1: 2, examId: mine.exam.id, scope2: null })
    expect((await readers(foreign.id, '', who)).code).toBe(29001)
  })

  it('is written by reading alone', async () => {
    const { post } = asCaller(t, staff)
    for (const path of [base, '/blade-notifyRead/notifyread'])
      for (const [name, code] of Object.entries({ submit: 29008, remove: 29003 }))
        expect((await post(`${path}/${name}?ids=1`, {})).code).toBe(code)
  })
})

it('a notice is pinned and unpinned at its row, by whoever may, with its history', async () => {
  const { exam: row } = await makeExam(t)
  const { id } = await out({ title: '公告', scope1: 2, examId: row.id })
  const act = (name: string, who = staff) => asCaller(t, who).post(`/blade-desk/notice/${name}?id=${id}`)
  const isTop = async () =>
    (await t.db.selectFrom('notice').select('isTop').where('id', '=', id).executeTakeFirstOrThrow()).isTop
  expect((await act('top', await signIn(t, { permissions: ['notice', 'notice_view'] }))).code).toBe(403)
  expect([(await act('top')).code, (await act('top')).code, await isTop()]).toEqual([200, 200, 1])
  expect([(await act('untop')).code, await isTop()]).toEqual([200, 0])
  const history = await asCaller(t, staff).get<{ actName: string }[]>(`/blade-desk/notice/history?id=${id}`)
  expect(history.data.map(one => one.actName)).toEqual(['取消置顶', '置顶'])
})

describe('a reminder by text message', () => {
  const template = async (templateContent: string) =>
    insert(t.app, Sms, { category: 9, smsStatus: 1, smsCode: `remind-${templateContent.length}`, templateContent })
  const remind = (who: Caller, body: object) =>
    asCaller(t, who).post<{ id: string; num: number }>(`${base}/remind`, body)
  const receivers = (sendId: string) =>
    t.db
      .selectFrom('sendmessage')
      .select(['userId', 'content'])
      .where('sendId', '=', sendId)
      .orderBy('userId')
      .execute()

  it('is a draft to those who have not read it, or not confirmed it', async () => {
    const { notice, read, unread } = await followed()
    const { id: templateId } = await template('{name}请看《{title}》')
    const unconfirmed = await remind(staff, { noticeId: notice.id, templateId, whom: 2 })
    expect(unconfirmed.data.num).toBe(2)
    const rows = await receivers(unconfirmed.data.id)
    expect(rows.map(row => row.userId).toSorted()).toEqual([read.userId, unread.userId].toSorted())
    expect(rows[0]?.content).toContain('请看《考前须知》')
    const { data } = await remind(staff, { noticeId: notice.id, templateId, whom: 1 })
    expect((await receivers(data.id)).map(row => row.userId)).toEqual([unread.userId])
    const draft = await t.db.selectFrom('send').selectAll().where('id', '=', data.id).executeTakeFirstOrThrow()
    expect(draft).toMatchObject({ sendStatus: 0, num: 1, title: '阅读提醒：考前须知' })
  })

  it('is refused with nobody left, for a text it cannot fill in, and for a notice that is not out', async () => {
    const { notice, read, unread } = await followed()
    const { id: templateId } = await template('{name}，请看通知')
    const { id: strange } = await template('{name}的报名号是{signNo}')
    expect(await remind(staff, { noticeId: notice.id, templateId: strange, whom: 1 })).toMatchObject({ code: 27005 })
    for (const who of [read, unread]) await asCaller(t, who).post(`${exams}/sureNotify`, { id: notice.id })
    expect((await remind(staff, { noticeId: notice.id, templateId, whom: 2 })).code).toBe(27004)
    const draft = await out({ title: '草稿', noticeStatus: 0, scope1: 1 })
    expect((await remind(staff, { noticeId: draft.id, templateId, whom: 1 })).code).toBe(29009)
    expect((await remind(staff, { noticeId: notice.id, templateId: '1', whom: 1 })).code).toBe(29005)
  })
})
