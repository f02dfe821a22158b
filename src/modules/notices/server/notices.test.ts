import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { daysOffOf, type Resource, suggestedValues } from '#engine'
import { notice } from '#resources/notices/notice'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Notice } from '#schemas/notices/notice'
import { Message } from '#schemas/notifications/message'
import { shanghai, type TestApp } from '../../../../tests/helper/app.ts'
import { appoint } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert, type Overrides } from '../../../../tests/helper/sample.ts'
import { applicant, get, makeExam, post, signApp, submit, times } from '../../../../tests/helper/sign-bench.ts'
import { tellDue } from '../../notifications/server/tell.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t.close())

const base = '/api/blade-exam/examination'
const out = (more: Overrides<typeof Notice>) =>
  insert(t.app, Notice, {
    noticeStatus: 1,
    scope1: 1,
    needSure: 0,
    isTop: 0,
    examId: null,
    releaseTime: shanghai(times.start),
    endTime: null,
    ...more,
  })
const titles = async (who: Caller) =>
  (await get<{ records: { title: string }[] }>(t, who, `${base}/getNoticeList?size=100`)).data.records.map(
    one => one.title,
  )

describe('notices', () => {
  it('have an end suggested by the day they come out', () => {
    const suggested = (values: object) => suggestedValues(notice as Resource, { ...values }, daysOffOf(''))
    expect(suggested({ releaseTime: '2027-02-01 09:00:00' })).toEqual({ endTime: '2027-03-03 17:00:00' })
    // The thirtieth day is a Saturday.
    expect(suggested({ releaseTime: '2027-02-04 09:00:00' })).toEqual({ endTime: '2027-03-08 17:00:00' })
    expect(suggested({})).toEqual({})
  })

  it('reach those they are meant for, while they are out', async () => {
    const { exam } = await makeExam(t)
    const one = await applicant(t)
    const stranger = await applicant(t)
    await submit(t, one, exam.id)
    const staff = await signIn(t, { role: 'exam_admin' })
    await out({ title: 'all' })
    await out({ title: 'pinned', isTop: 1 })
    await out({ title: 'exam', scope1: 2, scope2: exam.id })
    await out({ title: 'staff', scope1: 4 })
    await out({ title: 'public', scope1: 5 })
    await out({ title: 'draft', noticeStatus: 0 })
    await out({ title: 'recalled', noticeStatus: 2 })
    await out({ title: 'tomorrow', releaseTime: shanghai('2026-12-03 00:00:00') })
    await out({ title: 'ended', endTime: shanghai(times.inside) })
    expect(await titles(one)).toEqual(['pinned', 'public', 'exam', 'all'])
    expect(await titles(stranger)).toEqual(['pinned', 'public', 'all'])
    expect(await titles(staff)).toEqual(['pinned', 'public', 'staff', 'all'])
    await appoint(t, exam.id, staff)
    expect(await titles(staff)).toEqual(['pinned', 'public', 'staff', 'exam', 'all'])
    const open = await t.call<{ records: { title: string }[] }>('/api/public/notices')
    expect(open.data.records.map(row => row.title)).toEqual(['public'])
    expect((await t.call('/api/public/notice?id=4242')).code).toBe(29001)
  })

  it('say by names whom they are for', async () => {
    const { exam } = await makeExam(t)
    const stage = await insert(t.app, Examinationitem, { examId: exam.id, itemName: '面试' })
    const drafts = await Promise.all([
      out({ scope1: 2, scope2: exam.id, examId: exam.id, noticeStatus: 0 }),
      out({ scope1: 3, scope2: `${stage.id},9`, examId: exam.id, noticeStatus: 0 }),
      out({ scope1: 1 }),
    ])
    const admin = await signIn(t, { role: 'administrator' })
    const { records } = (
      await get<{ records: { id: string; scopeNames: string }[] }>(t, admin, '/api/blade-desk/notice/page?size=100')
    ).data
    const names = drafts.map(({ id }) => records.find(one => one.id === id)?.scopeNames)
    expect(names).toEqual([exam.examName, `${exam.examName} 面试、9`, ''])
  })

  it('are read and confirmed once; the first time stays', async () => {
    const who = await applicant(t)
    const { id } = await out({ title: 'must', needSure: 1 })
    const plain = await out({ title: 'plain' })
    const index = () => get<{ mustSure: { id: string }[]; unreadNum: number }>(t, who, `${base}/getIndexNotice`)
    const before = await index()
    expect(before.data.mustSure.map(one => one.id)).toContain(id)
    for (const path of ['readNotice', 'sureNotify', 'sureNotify', 'readNotify'])
      expect((await post(t, who, `${base}/${path}?id=${id}`, {})).code).toBe(200)
    expect((await post(t, who, `${base}/sureNotify?id=${plain.id}`, {})).code).toBe(29009)
    const rows = await t.db.selectFrom('notifyread').selectAll().where('noticeId', '=', id).execute()
    expect(rows).toMatchObject([{ userId: who.userId, sureState: 2 }])
    const notice = await t.db
      .selectFrom('notice')
      .select(['readNum', 'sureNum'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(notice).toEqual({ readNum: 1, sureNum: 1 })
    const after = await index()
    expect(after.data.mustSure.map(one => one.id)).not.toContain(id)
    expect(after.data.unreadNum).toBe(before.data.unreadNum - 1)
    const unread = async () => (await get(t, who, '/api/blade-desk/inbox/unread')).data
    expect(await unread()).toMatchObject({ notices: after.data.unreadNum, messages: 0 })
    const told = { userId: who.userId, readTime: null, doneTime: null, until: null }
    await insert(t.app, Message, told as never)
    expect((await index()).data.unreadNum).toBe(after.data.unreadNum + 1)
    const again = await out({ title: 'must again', needSure: 1 })
    const { mustSure, ...counts } = (await unread()) as Record<string, number>
    expect(counts).toMatchObject({ messages: 1, notices: after.data.unreadNum + 1 })
    await post(t, who, `${base}/sureNotify?id=${again.id}`, {})
    expect(await unread()).toMatchObject({ mustSure: (mustSure ?? 0) - 1 })
    expect((await get(t, who, `${base}/getNoticeInfo?id=${id}`)).data).toMatchObject({ read: 1, sure: 1 })
    await t.db.updateTable('notice').set({ noticeStatus: 2 }).where('id', '=', id).execute()
    expect((await get(t, who, `${base}/getNoticeInfo?id=${id}`)).code).toBe(29001)
  })

  it('that nobody opened come newest first, and all are read at once but those to confirm', async () => {
    const who = await applicant(t)
    const unread = async () =>
      (await get<{ total: number; records: { title: string }[] }>(t, who, `${base}/getNoticeList?unread=1&size=50`))
        .data
    await post(t, who, `${base}/readAllNotices`, {})
    const left = (await unread()).total
    const old = await out({ title: 'old', isTop: 1, noticeType: 1, releaseTime: shanghai(times.start) })
    const told = await out({ title: 'told', noticeType: 2, releaseTime: shanghai(times.inside) })
    await out({ title: 'confirm me', noticeType: 2, needSure: 1, releaseTime: shanghai(times.start) })
    const before = await unread()
    expect(before.total).toBe(left + 3)
    expect(before.records.map(one => one.title)[0]).toBe('told')
    await post(t, who, `${base}/readNotice?id=${told.id}`, {})
    expect((await unread()).total).toBe(left + 2)
    const all = () => post<{ num: number }>(t, who, `${base}/readAllNotices`, {})
    expect([(await all()).data.num, (await all()).data.num]).toEqual([1, 0])
    const after = await unread()
    expect(after.records.map(one => one.title)).not.toContain('old')
    expect(after.total).toBe(left + 1)
    const row = await t.db.selectFrom('notice').select('readNum').where('id', '=', old.id).executeTakeFirst()
    expect(row).toEqual({ readNum: 1 })
    const read = await t.db.selectFrom('noticeread').selectAll().where('noticeId', '=', old.id).execute()
    expect(read).toMatchObject([{ userId: who.userId, readIp: '127.0.0.1' }])
  })

  it('tell candidates once they are out that they have to be confirmed, until they are or are taken back', async () => {
    const staff = await signIn(t, { role: 'admin' })
    const { exam } = await makeExam(t)
    const [one, two, stranger] = [await applicant(t), await applicant(t), await applicant(t)]
    await submit(t, one, exam.id)
    await submit(t, two, exam.id)
    const time = shanghai('2026-12-02 12:00:00')
    const drafted = (needSure: 0 | 1, releaseTime = shanghai(times.start)) =>
      out({
        title: '须知',
        noticeStatus: 0,
        noticeType: 2,
        scope1: 2,
        scope2: exam.id,
        examId: exam.id,
        needSure,
        releaseTime,
      })
    const act = async (name: string, id: string) =>
      expect((await post(t, staff, `/api/blade-desk/notice/${name}?id=${id}`, {})).code).toBe(200)
    const told = async (id: string) => {
      const rows = await t.db
        .selectFrom('message')
        .select(['code', 'userId', 'doneTime'])
        .where('subjectId', '=', id)
        .orderBy('id')
        .execute()
      return rows.map(row => [row.code, row.userId, row.doneTime !== null])
    }
    const pass = async (now: Date) => {
      t.setNow(now)
      await tellDue(t.app)
    }
    const [plain, must, later] = [await drafted(0), await drafted(1), await drafted(1, time)]
    for (const { id } of [plain, must, later]) await act('release', id)
    await pass(new Date(t.app.now().getTime() + 2000))
    const both = [one.userId, two.userId].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
    expect(await told(plain.id)).toEqual([])
    expect(await told(must.id)).toEqual(both.map(id => ['notice.mustSure', id, false]))
    expect(await told(must.id)).not.toContainEqual(['notice.mustSure', stranger.userId, false])
    await post(t, one, `${base}/sureNotify?id=${must.id}`, {})
    expect((await told(must.id)).filter(row => row[2]).map(row => row[1])).toEqual([one.userId])
    await act('recall', must.id)
    await tellDue(t.app)
    expect((await told(must.id)).slice(2)).toEqual(both.map(id => ['notice.recalled', id, false]))
    expect(await told(later.id)).toEqual([])
    await pass(new Date(time.getTime() + 1000))
    expect(await told(later.id)).toHaveLength(2)
    t.setNow(shanghai(times.inside))
  })

  it('ask for confirming again once their text changes', async () => {
    const who = await applicant(t)
    const staff = await signIn(t, { role: 'admin' })
    const { id } = await out({ title: 'changing', needSure: 1, content: '<p>old</p>' })
    await post(t, who, `${base}/sureNotify?id=${id}`, {})
    const sure = async () => (await get<{ sure: number }>(t, who, `${base}/getNoticeInfo?id=${id}`)).data.sure
    const change = (more: object) => post(t, staff, '/api/blade-desk/notice/submit', { id, ...more })
    expect((await change({ isTop: 1 })).code).toBe(200)
    expect(await sure()).toBe(1)
    expect((await change({ content: '<p>new</p>' })).code).toBe(200)
    expect(await sure()).toBe(0)
  })

  it('leave draft exams and everything personal out of the public pages', async () => {
    const { exam } = await makeExam(t)
    const draft = await makeExam(t, { exam: { examStatus: 0 } })
    const list = await t.call<{ records: { examId: string }[] }>('/api/public/exams?size=200')
    const ids = list.data.records.map(one => one.examId)
    expect(ids).toContain(exam.id)
    expect(ids).not.toContain(draft.exam.id)
    expect((await t.call(`/api/public/exam?id=${exam.id}`)).data).toMatchObject({
      phases: ['报名中', '审核中'],
      positions: [{ code: 'A01' }, { code: 'A02' }],
      serverTime: times.inside,
    })
    expect((await t.call(`/api/public/exam?id=${draft.exam.id}`)).code).toBe(21001)
  })
})
