import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExamineStatus, ExamStatus, NoticeFilter, NoticeScope, NoticeStatus, PayState } from '#schemas/dictionaries'
import { Payrecord } from '#schemas/payment/payrecord'
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
  const { exam, stage } = await makeDraft(t, { exam: { examStatus: ExamStatus.released, ...more } })
  await candidateOf(t, exam.id, { examine: ExamineStatus.pending })
  await candidateOf(t, exam.id)
  const { signup: owing, caller } = await candidateOf(t, exam.id)
  await insert(t.app, Payrecord, {
    examId: exam.id,
    itemId: stage.id,
    signupId: owing.id,
    payState: PayState.due,
  })
  return { ...exam, owing: caller.userId }
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
