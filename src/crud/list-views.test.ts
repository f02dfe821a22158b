import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Auditlog } from '#schemas/audit/auditlog'
import {
  ExamineStatus,
  ExamStatus,
  InvoiceStatus,
  NoticeScope,
  NoticeStatus,
  OrderStatus,
  PayBizType,
  PayState,
  RefundStatus,
  SignStatus,
} from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examitems } from '#schemas/exams/examitems'
import { Examroom } from '#schemas/exams/examroom'
import { Examuser } from '#schemas/exams/examuser'
import { Notice } from '#schemas/notices/notice'
import { Payorder } from '#schemas/payment/payorder'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrefund } from '#schemas/payment/payrefund'
import { Signup } from '#schemas/sign-up/signup'
import { User } from '#schemas/system/user'
import { type TestApp, testApp } from '../../tests/helper/app.ts'
import { type Caller, signIn } from '../../tests/helper/person.ts'
import { insert, sampleIdCard, samplePhone } from '../../tests/helper/sample.ts'
import { statementsOf } from '../../tests/helper/statements.ts'

let t: TestApp
let admin: Caller
let candidate: Caller
const [card, phone] = [sampleIdCard(4711), samplePhone(4711)]
let examId: string

beforeAll(async () => {
  t = await testApp({ now: '2026-06-15 08:00:00' })
  admin = await signIn(t, { role: 'administrator' })
  candidate = await signIn(t, { role: 'candidate' })
  examId = (
    await insert(t.app, Examination, { examName: '护理招聘', examCode: 'HL1', examStatus: ExamStatus.released })
  ).id
  await insert(t.app, Examination, { examName: '公开招聘', examCode: 'GK1', examStatus: ExamStatus.draft })
  const { id: zhang } = await insert(t.app, User, { account: 'zhang', realName: '张敏', idCard: card, phone })
  const { id: li } = await insert(t.app, User, { account: 'li', realName: '李雷' })
  const signUps = new Map<string, string>()
  for (const userId of [zhang, li])
    signUps.set(userId, (await insert(t.app, Signup, { examId, userId, signStatus: SignStatus.submitted })).id)
  const orders = [
    [zhang, OrderStatus.unpaid],
    [zhang, OrderStatus.paid],
    [li, OrderStatus.paid],
    [li, OrderStatus.exception],
  ] as const
  for (const [at, [userId, orderStatus]] of orders.entries()) {
    // Each of another stage.
    const { id: bizId } = await insert(t.app, Payrecord, {
      examId,
      userId,
      signupId: signUps.get(userId)!,
      itemId: String(at + 1),
    })
    const { id: payOrderId } = await insert(t.app, Payorder, {
      bizType: PayBizType.examFee,
      bizId,
      userId,
      orderStatus,
      orderNo: `JF20260601${at}`,
    })
    const refundStatus = RefundStatus.requested
    const applyUser = at === 0 ? admin.userId : zhang
    if (at < 2) await insert(t.app, Payrefund, { payOrderId, payRecordId: bizId, refundStatus, applyUser })
  }
})
afterAll(() => t.close())

type Answer<T> = Promise<{ code: number; msg: string; data: T }>
const get = <T>(path: string, query: Record<string, string> = {}, who = admin): Answer<T> =>
  t.call<T>({ url: `/api${path}?${new URLSearchParams(query)}`, headers: who.headers })
const counts = async (path: string, query?: Record<string, string>) =>
  (await get<Record<string, number>>(`${path}/views`, query)).data
const total = async (path: string, query: Record<string, string>) =>
  (await get<{ total: number }>(`${path}/page`, query)).data.total
const orders = '/blade-payOrder/payorder'

describe('named filters', () => {
  test('have as many rows as their lists, and those of one state each add up to all', async () => {
    const all = await counts(orders)
    expect(all).toEqual({ 异常: 1, 待支付: 1, 成功: 2, 退款: 0, 已关闭: 0, 全部: 4 })
    for (const [chip, number] of Object.entries(all))
      expect([chip, await total(orders, { chip })]).toEqual([chip, number])
    const { 全部: whole, ...each } = all
    expect(Object.values(each).reduce((sum, one) => sum + one, 0)).toBe(whole)
  })

  test('count among what is searched for, and follow every change', async () => {
    expect(await counts(orders, { keyword: '张敏' })).toMatchObject({ 成功: 1, 全部: 2 })
    expect(await counts('/blade-exam/examination', { examName: '护理' })).toMatchObject({ 进行中: 1, 草稿: 0 })
    await t.pool.query(`UPDATE examination SET "examStatus" = 2 WHERE "examCode" = 'HL1'`)
    expect(await counts('/blade-exam/examination')).toMatchObject({ 进行中: 0, 草稿: 1, 已结束: 1 })
  })

  test('know who asks and what day it is', async () => {
    expect(await counts('/blade-payOrder/payrefund')).toMatchObject({ 等我批: 1, 全部: 2 })
    const event = 'reveal' as const
    for (const [seq, time] of ['2026-06-14T23:59:59+08:00', '2026-06-15T00:00:00+08:00'].entries())
      await insert(t.app, Auditlog, { seq: seq + 1, event, time: new Date(time) })
    expect(await counts('/blade-log/audit', { event })).toMatchObject({ 今天: 1, 近30天看过号码: 2 })
    expect(await total('/blade-log/audit', { event, chip: '今天' })).toBe(1)
  })

  test('tell what is to come from what has come, in one statement', async () => {
    const notices = '/blade-desk/notice'
    for (const time of ['2026-06-14 09:00', '2026-06-15 07:59', '2026-06-15 08:01'])
      await insert(t.app, Notice, {
        examId: null,
        scope1: NoticeScope.everyone,
        noticeStatus: NoticeStatus.released,
        releaseTime: new Date(`${time}+08:00`),
      })
    const texts = await statementsOf(t, async () =>
      expect(await counts(notices)).toMatchObject({ 已发布: 2, 定时发布: 1 }),
    )
    expect(texts.filter(text => text.includes('count(*)') && text.includes('notice'))).toHaveLength(1)
    expect(await total(notices, { chip: '定时发布' })).toBe(1)
  })

  test('are one statement', async () => {
    const texts = await statementsOf(t, () => counts(orders))
    expect(texts.filter(text => text.includes('pay_order') || text.includes('"payorder"'))).toHaveLength(1)
  })

  test('are refused where there is none of the name, in choices, and to owners of rows', async () => {
    expect((await get(`${orders}/page`, { chip: '没有' })).code).toBe(29005)
    expect((await get('/blade-system/user/select', { chip: '考生' })).msg).toContain('chip')
    expect((await get(`${orders}/page`, { chip: '成功' }, candidate)).msg).toContain('chip')
    expect((await get(`${orders}/views`, {}, candidate)).code).not.toBe(200)
  })
})

describe('numbers that the database works out', () => {
  const rooms = '/blade-exam/examroom'
  const positions = '/blade-examitem/examitems'

  test('are compared with others of the row, and found with what follows from other tables', async () => {
    const exam = { examId, itemId: '1', schoolId: '1' }
    const { id: full } = await insert(t.app, Examroom, { ...exam, roomNo: '1', capacity: 30, usedNum: 30 })
    await insert(t.app, Examroom, { ...exam, roomNo: '2', capacity: 30, usedNum: 3, isSpecial: 1 })
    await insert(t.app, Examroom, { ...exam, roomNo: '3', capacity: 30, usedNum: null, enable: 0 })
    expect(await counts(rooms)).toEqual({ 全部: 3, 特殊考场: 1, 未满: 1, 无监考: 2, 今日无监考: 0 })
    const door = `INSERT INTO room_proctor ("roomId", "userId", "createUser", "createTime") VALUES ($1, $2, $2, now())`
    await t.pool.query(door, [full, admin.userId])
    // The rooms themselves have not changed.
    expect(await counts(rooms)).toMatchObject({ 无监考: 1 })
    const { data } = await get<{ records: object[] }>(`${rooms}/page`, { descs: 'proctorNum' })
    expect(data.records).toMatchObject([{ roomNo: '1', proctorNum: 1 }, {}, {}])
    expect((await get(`${rooms}/totals`)).data).toEqual({ usedNum: 33, capacity: 90, reserve: 0 })
  })

  test('tell positions that lack people or are full, as their rows say', async () => {
    const place = { examId, unit: '1', type: '1', itemIds: '', openRatio: '3' }
    const taken = [
      { code: 'full', planNum: 1, curPlanNum: 1, maxSignup: 3 },
      { code: 'short', planNum: 2, curPlanNum: 2, maxSignup: null },
      { code: 'open', planNum: 1, curPlanNum: 1, maxSignup: 9, noRatio: 1 },
    ] as const
    for (const one of taken) await insert(t.app, Examitems, { ...place, ...one })
    for (const [at, code] of ['full', 'full', 'full', 'short', 'short', 'short', 'short'].entries())
      await insert(t.app, Signup, {
        examId,
        userId: String(100 + at),
        idCard: sampleIdCard(5000 + at),
        code,
        finalCode: code,
        signStatus: SignStatus.submitted,
        examine: ExamineStatus.approved,
        payState: PayState.paid,
      })
    expect(await counts(positions)).toMatchObject({ 全部: 3, 不足比例: 1, 已满: 1 })
    type Position = { code: string; isShort: number; outlook: { decision: number } }
    const page = async (query: Record<string, string>) =>
      (await get<{ records: Position[] }>(`${positions}/page`, query)).data.records
    for (const { isShort, outlook } of await page({})) expect(isShort).toBe(outlook.decision === 1 ? 0 : 1)
    expect(await page({ chip: '不足比例' })).toMatchObject([{ code: 'short' }])
    expect((await page({ descs: 'signNum' })).map(one => one.code)).toEqual(['short', 'full', 'open'])
    expect((await page({ ascs: 'ratio' })).map(one => one.code)).toEqual(['open', 'short', 'full'])
    expect((await get(`${positions}/page`, { ascs: 'paidNum' })).code).toBe(29005)
  })

  test('tell what waits for a reviewer of some units, and whose time is over', async () => {
    const people = '/blade-examUser/examuser'
    const who = { examId, userId: admin.userId, enable: 1 } as const
    const endTime = new Date('2026-06-15T07:59:59+08:00')
    await insert(t.app, Examuser, { ...who, examRole: 2, units: '2', endTime })
    await insert(t.app, Examuser, { ...who, examRole: 2, units: null, codes: null })
    await insert(t.app, Examuser, { ...who, examRole: 5 })
    const { data } = await get<{ records: object[] }>(`${people}/page`, { ascs: 'id' })
    expect(data.records).toMatchObject([{ waitNum: 0 }, { waitNum: 2, doneNum: 0 }, { waitNum: '' }])
    expect(await counts(people)).toMatchObject({ 全部: 3, 初审: 2, 监考: 1, 已到期: 1 })
  })

  test('stand at exams: how many are wanted, have come and wait', async () => {
    const { data } = await get<{ records: object[] }>('/blade-exam/examination/page', { descs: 'waitNum' })
    expect(data.records).toMatchObject([
      { examCode: 'HL1', planNum: 4, signNum: 9, waitNum: 2 },
      { planNum: 0, signNum: 0, waitNum: 0 },
    ])
  })
})

describe('a view', () => {
  test('has named filters and a box of its own, among its own rows', async () => {
    const records = '/blade-payrecord/payrecord'
    const view = 'invoice'
    await t.pool.query(`UPDATE payrecord SET "invoiceStatus" = $1, "invoiceTitle" = '市二院' WHERE "itemId" = 1`, [
      InvoiceStatus.asked,
    ])
    expect(await counts(records, { view })).toEqual({ 待开票: 1, 已开票: 0, 已红冲: 0 })
    expect(await total(records, { view, chip: '待开票', keyword: '二院' })).toBe(1)
    expect((await get(`${records}/page`, { view, chip: '免缴' })).code).toBe(29005)
    expect(await total(records, { keyword: '二院' })).toBe(0)
  })
})

describe('the box of a list', () => {
  const found = async (keyword: string) => (await total(orders, { keyword })) as number

  test('finds an order by a part of its payer’s name or of its number', async () => {
    expect([await found('张'), await found(' 李雷 '), await found('20260601'), await found('JF202606013')]).toEqual([
      2, 2, 4, 1,
    ])
  })

  test('finds whoever has an ID number or a phone by the whole of it alone', async () => {
    expect([await found(card), await found(card.toLowerCase()), await found(card.slice(0, 17))]).toEqual([2, 2, 0])
    const people = '/blade-system/user'
    expect([await total(people, { keyword: phone }), await total(people, { keyword: phone.slice(0, 10) })]).toEqual([
      1, 0,
    ])
  })

  test('does not read signs of its own into what is typed', async () => {
    expect([await found('%'), await found('_'), await found("'")]).toEqual([0, 0, 0])
    expect((await get(`${orders}/page`, { keyword: '\0' })).code).toBe(29005)
    expect((await get('/blade-system/param/page', { keyword: 'x' })).code).toBe(29005)
  })

  test('finds nothing of what a candidate does not read', async () => {
    expect((await get<{ total: number }>(`${orders}/page`, { keyword: '张' }, candidate)).data?.total ?? 0).toBe(0)
  })
})
