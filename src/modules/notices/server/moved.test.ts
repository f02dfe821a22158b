import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ExamineStatus,
  ExampayStatus,
  ExamStatus,
  NoticeFilter,
  NoticeScope,
  NoticeStatus,
  PayState,
} from '#schemas/dictionaries'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Exampay } from '#schemas/payment/exampay'
import { Payrecord } from '#schemas/payment/payrecord'
import { Result } from '#schemas/results/result'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { asCaller, makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { candidateOf } from '../../../../tests/helper/seat-bench.ts'
import { tellDue } from '../../notifications/server/tell.ts'

const base = '/blade-exam/examination'

let t: TestApp
let admin: Caller
beforeAll(async () => {
  t = await testApp({ now: '2026-11-20 09:00:00' })
  admin = await signIn(t, { role: 'admin' })
})
afterAll(() => t.close())

/** A released exam with three who have signed up: one waits, two are approved, one of them owes. */
async function released(more: object = {}) {
  const { exam, stage } = await makeDraft(t, {
    exam: { examStatus: ExamStatus.released, ...more },
    stage: { needPay: 1, confirmEndTime: null, ticketStartTime: null, ticketEndTime: null },
  })
  await candidateOf(t, exam.id, { examine: ExamineStatus.pending })
  await candidateOf(t, exam.id)
  const { signup: owing, caller } = await candidateOf(t, exam.id)
  await insert(t.app, Payrecord, {
    examId: exam.id,
    itemId: stage.id,
    signupId: owing.id,
    payState: PayState.due,
  })
  return { ...exam, stage, owing: caller.userId }
}

const drafts = (examId: string) =>
  t.db
    .selectFrom('notice')
    .select(['title', 'content', 'scope1', 'scopeState', 'noticeStatus', 'createUser'])
    .where('examId', '=', examId)
    .execute()

const save = async (id: string, values: object) => {
  const { version } = await t.db
    .selectFrom('examination')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return asCaller(t, admin).post(`${base}/submit`, { id, version, ...values })
}

test('how many are told is counted by the times that change', async () => {
  const { id } = await released()
  const count = async (fields: string) =>
    (await asCaller(t, admin).get<{ people: number | '' }>(`${base}/countMoved?id=${id}&fields=${fields}`)).data.people
  expect(await count('signEndTime')).toBe(3)
  expect(await count('ticketEndTime')).toBe(2)
  expect(await count('payEndTime')).toBe(1)
  expect(await count('payEndTime,ticketEndTime')).toBe(2)
  expect(await count('payEndTime,signEndTime')).toBe(3)
  expect(await count('contactPhone')).toBe('')
  expect((await asCaller(t, admin).get(`${base}/countMoved?id=1&fields=signEndTime`)).code).toBe(21001)
})

test('the number that is said before is that of the people who are told: those of the window, with an account in use', async () => {
  const { id, owing } = await released({
    payStartTime: shanghai('2026-11-01 09:00:00'),
    payEndTime: shanghai('2027-01-10 17:00:00'),
  })
  const count = async (fields: string) =>
    (await asCaller(t, admin).get<{ people: number }>(`${base}/countMoved?id=${id}&fields=${fields}`)).data.people
  const told = async () => {
    await tellDue(t.app)
    const { rows } = await t.pool.query(
      `SELECT m."userId", e.facts ->> 'window' AS "window" FROM message m JOIN event e ON e.id = m."eventId"
       JOIN "user" u ON u.id = m."userId" AND u."userType" = 2 WHERE e."examId" = $1 AND e.code = 'examination.windowMoved' ORDER BY m.id`,
      [id],
    )
    return rows as { userId: string; window: string }[]
  }
  expect(await count('payEndTime')).toBe(1)
  expect((await save(id, { payEndTime: '2027-01-20 17:00:00' })).code).toBe(200)
  expect(await told()).toEqual([{ userId: owing, window: 'payEndTime' }])
  // Whoever has begun a form and not sent it has until then.
  const { rows: begun } = await t.pool.query<{ userId: string }>(
    'UPDATE signup SET "signStatus" = 0 WHERE id = (SELECT id FROM signup WHERE "examId" = $1 AND "userId" <> $2 ORDER BY id LIMIT 1) RETURNING "userId"',
    [id, owing],
  )
  expect(await count('signEndTime')).toBe(3)
  expect(await count('ticketEndTime')).toBeLessThan(3)
  expect((await save(id, { signEndTime: '2026-12-06 17:00:00' })).code).toBe(200)
  const ofSignUp = (await told()).filter(one => one.window === 'signEndTime').map(one => one.userId)
  expect(ofSignUp).toHaveLength(3)
  expect(ofSignUp).toContain(begun[0]?.userId)
  await t.pool.query('UPDATE "user" SET "accountStatus" = 2 WHERE id = $1', [owing])
  expect(await count('payEndTime')).toBe(0)
  expect(await count('signEndTime')).toBe(2)
})

test('a moved time of a released exam drafts a notice in the same transaction; other changes, and those of a draft, do not', async () => {
  const { id, examName } = await released({ examName: '甲<b>乙' })
  expect((await save(id, { contactPhone: '0591-12345678' })).code).toBe(200)
  expect(await drafts(id)).toEqual([])

  expect((await save(id, { ticketEndTime: '2027-03-31 11:30:00' })).code).toBe(200)
  const [notice, ...others] = await drafts(id)
  expect(others).toEqual([])
  expect(notice).toMatchObject({
    title: `${examName}时间调整`,
    scope1: NoticeScope.examCandidates,
    scopeState: NoticeFilter.approved,
    noticeStatus: NoticeStatus.draft,
    createUser: admin.userId,
  })
  expect(notice?.content).toContain('准考证下载结束：2027-03-31 11:30（原为 ')
  expect(notice?.content).toContain('甲&#60;b&#62;乙')

  // What is refused drafts nothing.
  expect((await save(id, { signEndTime: '2026-11-01 17:00:00' })).code).not.toBe(200)
  expect(await drafts(id)).toHaveLength(1)

  const { exam: draft } = await makeDraft(t)
  expect((await save(draft.id, { ticketEndTime: '2027-03-31 11:30:00' })).code).toBe(200)
  expect(await drafts(draft.id)).toEqual([])
})

describe('an end that a fee or a stage has of its own', () => {
  const told = async (examId: string) => {
    await tellDue(t.app)
    const { rows } = await t.pool.query<{ userId: string; window: string; until: string; code: string }>(
      `SELECT m."userId", e.code, e.facts ->> 'window' AS "window", e.facts ->> 'until' AS until
       FROM message m JOIN event e ON e.id = m."eventId" JOIN "user" u ON u.id = m."userId" AND u."userType" = 2
       WHERE e."examId" = $1 AND e.code LIKE '%.windowMoved' ORDER BY m.id`,
      [examId],
    )
    return rows
  }
  const staff = () => asCaller(t, admin)
  const count = async (path: string, id: string, fields: string) =>
    (await staff().get<{ people: number | '' }>(`${path}/countMoved?id=${id}&fields=${fields}`)).data.people
  const fee = '/blade-examPay/exampay'
  const item = '/blade-item/examinationitem'
  const paying = {
    needPay: 1,
    payStartTime: shanghai('2026-11-01 09:00:00'),
    payEndTime: shanghai('2027-01-10 17:00:00'),
  } as const

  async function withFee() {
    const made = await released(paying)
    const { id: feeId } = await insert(t.app, Exampay, {
      examId: made.id,
      itemId: made.stage.id,
      payStatus: ExampayStatus.released,
      startTime: shanghai('2026-11-01 09:00:00'),
      endTime: shanghai('2026-12-20 17:00:00'),
    })
    return { ...made, feeId }
  }

  test('of a fee is told to whoever owes it, and that of the exam to nobody then', async () => {
    const { id, feeId, owing } = await withFee()
    expect(await count(base, id, 'payEndTime')).toBe('')
    expect((await save(id, { payEndTime: '2027-01-20 17:00:00' })).code).toBe(200)
    expect(await told(id)).toEqual([])
    expect(await drafts(id)).toEqual([])
    expect(await count(fee, feeId, 'endTime')).toBe(1)
    expect(await count(fee, feeId, 'basis')).toBe('')
    expect((await staff().post(`${fee}/submit`, { id: feeId, basis: '收费标准' })).code).toBe(200)
    expect(await told(id)).toEqual([])
    const moved = { id: feeId, endTime: '2026-12-25 17:00:00' }
    expect((await staff().post(`${fee}/submit`, moved)).code).toBe(200)
    expect((await staff().post(`${fee}/submit`, moved)).code).toBe(200)
    const until = shanghai('2026-12-25 17:00:00').toISOString()
    expect(await told(id)).toEqual([
      { userId: owing, code: 'examinationitem.windowMoved', window: 'payEndTime', until },
    ])
    expect((await staff().get(`${fee}/countMoved?id=1&fields=endTime`)).code).toBe(29001)
  })

  test('of a draft fee, or in a draft exam, is told to nobody', async () => {
    const { id, feeId, stage } = await withFee()
    await t.pool.query('UPDATE exampay SET "payStatus" = 0 WHERE id = $1', [feeId])
    expect((await staff().post(`${fee}/submit`, { id: feeId, endTime: '2026-12-25 17:00:00' })).code).toBe(200)
    await t.pool.query('UPDATE examination SET "examStatus" = 0 WHERE id = $1', [id])
    expect((await staff().post(`${item}/submit`, { id: stage.id, ticketEndTime: '2027-01-09 08:00:00' })).code).toBe(
      200,
    )
    expect(await count(item, stage.id, 'ticketEndTime')).toBe('')
    expect(await told(id)).toEqual([])
  })

  test('of tickets is told to whoever sits the stage, and that of the exam only where a stage has none', async () => {
    const { id, stage, owing } = await released()
    expect(await count(base, id, 'ticketEndTime')).toBe(2)
    expect(await count(item, stage.id, 'ticketEndTime')).toBe(2)
    expect((await staff().post(`${item}/submit`, { id: stage.id, ticketEndTime: '2027-01-09 08:00:00' })).code).toBe(
      200,
    )
    expect(await told(id)).toMatchObject([{ window: 'ticketEndTime' }, { window: 'ticketEndTime' }])
    expect(await count(base, id, 'ticketEndTime')).toBe('')
    expect((await save(id, { ticketEndTime: '2027-03-31 11:30:00' })).code).toBe(200)
    expect(await told(id)).toHaveLength(2)
    // Of a stage for those of a shortlist it concerns those who are on it.
    await insert(t.app, Examinationitem, {
      examId: id,
      itemName: '面试',
      itemStatus: 1,
      needTicket: 1,
      needPay: 0,
      candidateRule: 2,
      ticketStartTime: null,
      ticketEndTime: null,
      startTime: shanghai('2027-02-09 09:00:00'),
    })
    await t.db.updateTable('examitems').set({ itemIds: '' }).where('examId', '=', id).execute()
    expect(await count(base, id, 'ticketEndTime')).toBe(0)
    const { rows } = await t.pool.query<{ id: string }>('SELECT id FROM signup WHERE "examId" = $1 AND "userId" = $2', [
      id,
      owing,
    ])
    await insert(t.app, Result, {
      examId: id,
      itemId: stage.id,
      signupId: rows[0]?.id ?? '',
      isNext: 1,
      resultStatus: 1,
      confirmStatus: 0,
      promotionId: null,
    })
    expect(await count(base, id, 'ticketEndTime')).toBe(1)
    expect(await count(item, stage.id, 'confirmEndTime')).toBe(1)
    expect((await staff().post(`${item}/submit`, { id: stage.id, confirmEndTime: '2027-02-01 17:00:00' })).code).toBe(
      200,
    )
    expect((await told(id)).slice(2)).toMatchObject([{ userId: owing, window: 'confirmEndTime' }])
  })
})

test('an end is not moved on a row that has changed meanwhile, into the past, or past what comes after it', async () => {
  const { id, signEndTime } = await released({ signEndTime: shanghai('2026-12-05 17:00:00') })
  const post = (values: object) =>
    asCaller(t, admin).post<{ field: string }[]>(`${base}/submit`, { id, version: 0, ...values })
  const stored = () =>
    t.db.selectFrom('examination').select(['signEndTime', 'version']).where('id', '=', id).executeTakeFirstOrThrow()
  const stale = await post({ version: 7, signEndTime: '2026-12-06 17:00:00' })
  expect([stale.status, stale.code]).toEqual([409, 29002])
  const past = await post({ signEndTime: '2026-11-19 17:00:00' })
  expect([past.code, past.data.map(({ field }) => field)]).toEqual([21004, ['signEndTime']])
  const late = await post({ signEndTime: '2026-12-09 17:00:00' })
  expect([late.code, late.data.map(({ field }) => field)]).toEqual([21006, ['modifyEndTime']])
  expect(late.msg).toContain('补正截止时间不能早于报名结束时间')
  expect(await stored()).toEqual({ signEndTime, version: 0 })
  expect((await post({ signEndTime: '2026-12-06 17:00:00' })).code).toBe(200)
})
