import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerOf } from '#engine'
import { Exampay } from '#schemas/payment/exampay'
import { Payorder } from '#schemas/payment/payorder'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrefund } from '#schemas/payment/payrefund'
import { Result } from '#schemas/results/result'
import { Resultappeal } from '#schemas/results/resultappeal'
import { Ticketremark } from '#schemas/tickets/ticketremark'
import { Exporttask } from '#schemas/workbook/exporttask'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller, makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { encrypt, password } from '../../../../tests/helper/login.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { ticketOf } from '../../../../tests/helper/result-bench.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { passed } from '../../../../tests/helper/seat-bench.ts'
import { hashPassword } from '../../../platform/vault/password.ts'
import type { checkRelease } from '../contract.ts'

const now = '2027-03-01 09:00:00'
const base = '/blade-exam/examination'

let t: TestApp
let admin: Caller
beforeAll(async () => {
  t = await testApp({ now })
  admin = await signIn(t, { role: 'admin' })
})
afterAll(() => t.close())

const rowOf = (id: string) => t.db.selectFrom('examination').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const archive = (id: string, who = admin) => asCaller(t, who).post<Line[]>(`${base}/archive?id=${id}`)

type Line = AnswerOf<typeof checkRelease>[number]

const signupExports = ['signup', 'signupForms', 'signupFiles'] as const

/** A whole export of an exam that came to its end. */
const exportOf = (examId: string, bizType: string, more: object = {}) =>
  insert(t.app, Exporttask, {
    bizType,
    taskStatus: 2,
    createTime: shanghai('2027-02-20 10:00:00'),
    params:
      bizType === 'result' ? { examId } : { ids: [], columns: [], fileCodes: [], items: false, filters: { examId } },
    ...more,
  })

/** A closed exam whose publicity is over and that was exported: nothing stands against its archive. */
async function finished() {
  const made = await makeDraft(t, {
    exam: {
      examStatus: 2,
      closeTime: shanghai('2027-02-10 09:00:00'),
      publicityStart: shanghai('2027-02-01 09:00:00'),
      publicityEnd: shanghai('2027-02-15 09:00:00'),
    },
  })
  await passed(t, made.exam.id)
  for (const one of signupExports) await exportOf(made.exam.id, one)
  return { ...made, examId: made.exam.id, itemId: made.stage.id }
}

type Made = Awaited<ReturnType<typeof finished>>
const set = ({ examId }: Made, values: object) =>
  t.db.updateTable('examination').set(values).where('id', '=', examId).execute()
const record = ({ examId, itemId }: Made) => insert(t.app, Payrecord, { examId, itemId, payState: 1 })

describe('what stands against it is refused with that line alone', () => {
  const guards: [string, string, (made: Made) => Promise<unknown>][] = [
    ['closed', 'a draft', made => set(made, { examStatus: 0 })],
    ['closed', 'a released exam', made => set(made, { examStatus: 1 })],
    [
      'publicity,export',
      'publicity that runs, before whose end nothing is exported for good',
      made => set(made, { publicityEnd: shanghai('2027-03-01 09:00:01') }),
    ],
    [
      'orders',
      'an open order',
      async made => insert(t.app, Payorder, { bizType: 1, bizId: (await record(made)).id, orderStatus: 0 }),
    ],
    [
      'orders',
      'an order in question',
      async made => insert(t.app, Payorder, { bizType: 1, bizId: (await record(made)).id, orderStatus: 5 }),
    ],
    [
      'refunds',
      'a refund that waits',
      async made => insert(t.app, Payrefund, { payRecordId: (await record(made)).id, refundStatus: 0 }),
    ],
    [
      'refunds',
      'a refund that failed at the channel',
      async made => insert(t.app, Payrefund, { payRecordId: (await record(made)).id, refundStatus: 4 }),
    ],
    [
      'appeals',
      'an appeal without an answer',
      ({ examId, itemId }) => insert(t.app, Resultappeal, { examId, itemId, appealStatus: 0 }),
    ],
    [
      'export',
      'a missing export',
      ({ examId }) =>
        t.pool.query(`DELETE FROM exporttask WHERE params->'filters'->>'examId' = $1 AND "bizType" = 'signup'`, [
          examId,
        ]),
    ],
    [
      'export',
      'an export of before the end of publicity',
      ({ examId }) =>
        t.pool.query(`UPDATE exporttask SET "createTime" = $2 WHERE params->'filters'->>'examId' = $1`, [
          examId,
          shanghai('2027-02-14 09:00:00'),
        ]),
    ],
    [
      'export',
      'an export that broke off',
      ({ examId }) =>
        t.pool.query(`UPDATE exporttask SET "taskStatus" = 3 WHERE params->'filters'->>'examId' = $1`, [examId]),
    ],
    [
      'export',
      'an export of a part',
      ({ examId }) =>
        t.pool.query(
          `UPDATE exporttask SET params = jsonb_set(params, '{filters,examine}', '"1"') WHERE params->'filters'->>'examId' = $1`,
          [examId],
        ),
    ],
    ['export', 'results that were not exported', ({ examId, itemId }) => insert(t.app, Result, { examId, itemId })],
  ]
  test.each(guards)('%s: %s', async (keys, _, spoil) => {
    const made = await finished()
    await spoil(made)
    const before = await rowOf(made.examId)
    const answer = await archive(made.examId)
    expect([answer.status, answer.code]).toEqual([409, 29009])
    expect(answer.data.map(one => one.key).join()).toBe(keys)
    expect(answer.data[0]?.msg).not.toBe('')
    expect(await rowOf(made.examId)).toEqual(before)
    const list = await asCaller(t, admin).get<Line[]>(`${base}/checkArchive?id=${made.examId}`)
    expect(list.data.filter(one => !one.ok)).toEqual(answer.data)
  })
})

describe('archiving', () => {
  test('takes what the exports of the product leave in the register', async () => {
    const made = await finished()
    const { examId } = made
    await t.pool.query(`DELETE FROM exporttask WHERE params->'filters'->>'examId' = $1`, [examId])
    await t.pool.query(`UPDATE signup SET files = '[]' WHERE "examId" = $1`, [examId])
    await insert(t.app, Result, { examId, itemId: made.itemId })
    await t.db
      .updateTable('user')
      .set({ password: await hashPassword(password) })
      .where('id', '=', admin.userId)
      .execute()
    for (const path of ['exportSignUp', 'exportSignUpEach', 'exportFilesForUser']) {
      expect((await archive(examId)).data.map(one => one.key)).toEqual(['export'])
      const payload = { examId, reason: '归档', password: encrypt(t, password) }
      const url = `/api/blade-signup/signup/${path}`
      const sent = await t.app.inject({ method: 'POST', url, headers: admin.headers, payload })
      expect([path, sent.statusCode]).toEqual([path, 200])
    }
    expect((await archive(examId)).data[0]?.msg).toBe('关闭并公示结束后尚未导出：成绩')
    await t.app.inject({ url: `/api/blade-result/result/export?examId=${examId}`, headers: admin.headers })
    expect((await archive(examId)).code).toBe(200)
  })

  test('takes the parts of a large exam when nobody is missing among them', async () => {
    const { examId } = await finished()
    await t.pool.query(`DELETE FROM exporttask WHERE params->'filters'->>'examId' = $1`, [examId])
    await passed(t, examId, { unit: 'u2' })
    const part = (unit: string) =>
      Promise.all(signupExports.map(one => exportOf(examId, one, { params: { filters: { examId, unit } } })))
    await part('u2')
    expect((await archive(examId)).data.map(one => one.key)).toEqual(['export'])
    await part('u1')
    expect((await archive(examId)).code).toBe(200)
  })

  test('moves the exam once, with who and when; money that is settled and results that are exported do not stop it', async () => {
    const made = await finished()
    const { id } = await record(made)
    await insert(t.app, Payorder, { bizType: 1, bizId: id, orderStatus: 1 })
    await insert(t.app, Payrefund, { payRecordId: id, refundStatus: 2 })
    await insert(t.app, Resultappeal, { examId: made.examId, itemId: made.itemId, resultId: '7', appealStatus: 1 })
    await insert(t.app, Result, { examId: made.examId, itemId: made.itemId })
    await exportOf(made.examId, 'result')
    expect(await archive(made.examId)).toMatchObject({ status: 200, code: 200 })
    const moved = await rowOf(made.examId)
    expect(moved).toMatchObject({ examStatus: 3, archiveUser: admin.userId, archiveTime: shanghai(now), version: 1 })
    expect((await archive(made.examId)).code).toBe(200)
    expect(await rowOf(made.examId)).toEqual(moved)
    expect((await archive(made.examId, await signIn(t, { role: 'admin' }))).code).toBe(29009)
  })

  test('an exam that never had a publicity needs none', async () => {
    const made = await finished()
    await set(made, { publicityStart: null, publicityEnd: null })
    expect((await archive(made.examId)).code).toBe(200)
  })

  test('by several people at once succeeds for one of them', async () => {
    const made = await finished()
    const people = await Promise.all(Array.from({ length: 4 }, () => signIn(t, { role: 'admin' })))
    const codes = (await Promise.all(people.map(who => archive(made.examId, who)))).map(one => one.code)
    expect(codes.toSorted()).toEqual([200, 29009, 29009, 29009])
    const winner = people[codes.indexOf(200)]
    expect(await rowOf(made.examId)).toMatchObject({ archiveUser: winner?.userId, version: 1 })
  })

  test('is for the administrator of the authority, within the scope, and is audited', async () => {
    const made = await finished()
    const officer = await signIn(t, { role: 'exam_admin' })
    await appoint(t, made.examId, officer)
    expect(await archive(made.examId, officer)).toMatchObject({ status: 403 })
    const stranger = await signIn(t, { permissions: ['examination_archive'] })
    expect((await archive(made.examId, stranger)).code).toBe(21001)
    expect((await asCaller(t, admin).get(`${base}/checkArchive?id=1`)).code).toBe(21001)
    expect((await archive(made.examId)).code).toBe(200)
    const kept = () =>
      t.db
        .selectFrom('auditlog')
        .select('event')
        .where('userId', '=', admin.userId)
        .where('detail', 'is not', null)
        .execute()
    await expect.poll(async () => (await kept()).map(one => one.event)).toContain('release')
  })
})

describe('an archived exam', () => {
  /** An archived exam in which everything happened. */
  async function archived() {
    const made = await finished()
    const { examId, itemId } = made
    const signup = await passed(t, examId)
    const struck = await passed(t, examId, { signStatus: 9, examine: 2 })
    const ticket = await ticketOf(t, itemId, signup)
    const fee = await insert(t.app, Exampay, { examId, itemId, payStatus: 1 })
    const due = await insert(t.app, Payrecord, { examId, itemId, signupId: signup.id, payState: 0 })
    const remark = await insert(t.app, Ticketremark, { examId })
    const result = await insert(t.app, Result, { examId, itemId, signupId: signup.id, resultStatus: 0 })
    const officer = await signIn(t, { role: 'strikes', permissions: ['examine_revoke', 'signup_restore'] })
    await appoint(t, examId, officer)
    await set(made, { examStatus: 3 })
    return { ...made, signup, struck, ticket, fee, due, remark, result, officer }
  }

  type Archived = Awaited<ReturnType<typeof archived>>
  const writes: [string, (made: Archived) => readonly [path: string, body: object, who?: Caller]][] = [
    ['the exam', ({ examId }) => [`${base}/submit`, { id: examId, version: 0, contactPhone: '1' }]],
    ['its release', ({ examId }) => [`${base}/releaseExam`, { id: examId, reason: 'x' }]],
    ['a position', ({ post }) => ['/blade-examitem/examitems/submit', { id: post.id, version: 0, remark: 'x' }]],
    ['removing a position', ({ post }) => ['/blade-examitem/examitems/remove', { ids: post.id }]],
    ['switching a position off', ({ post }) => ['/blade-examitem/examitems/disable', { ids: post.id }]],
    ['a stage', ({ itemId }) => ['/blade-item/examinationitem/submit', { id: itemId, place: 'x' }]],
    ['switching a stage off', ({ itemId }) => ['/blade-item/examinationitem/disable', { id: itemId }]],
    ['the form', ({ item }) => ['/blade-signitems/examsignitems/submit', { id: item.id, span: 12 }]],
    ['its order', ({ examId, item }) => ['/blade-signitems/examsignitems/arrange', { examId, ids: item.id }]],
    ['a file of the form', ({ photo }) => ['/blade-signfiles/examsignfiles/remove', { ids: photo.id }]],
    ['an appointment', ({ reviewer }) => ['/blade-examUser/examuser/remove', { ids: reviewer.id }]],
    ['seats', ({ itemId }) => [`${base}/allotSeat`, { itemId }]],
    ['opening the plan', ({ itemId }) => [`${base}/unlockAllot`, { itemId }]],
    ['tickets', ({ itemId }) => [`${base}/releaseTicket`, { itemId }]],
    ['recalling tickets', ({ itemId }) => [`${base}/recallTicket`, { itemId, reason: 'x' }]],
    ['voiding a ticket', ({ ticket }) => [`${base}/voidTicket`, { ids: ticket.id, reason: 'x' }]],
    ['another ticket', ({ ticket }) => [`${base}/reissueTicket`, { ids: ticket.id, reason: 'x' }]],
    ['a remark', ({ remark }) => ['/blade-ticketRemark/ticketremark/submit', { id: remark.id, content: 'x' }]],
    ['results', ({ itemId }) => [`${base}/releaseResult`, { itemId, reason: 'x' }]],
    ['recalling results', ({ itemId }) => [`${base}/recallResult`, { itemId, reason: 'x' }]],
    ['clearing results', ({ itemId }) => [`${base}/deleteResult`, { itemId }]],
    ['who goes on', ({ itemId }) => [`${base}/makeNext`, { itemId }]],
    ['a score', ({ result }) => ['/blade-result/result/submit', { id: result.id, version: 0, score: '60' }]],
    ['the fee', ({ fee }) => ['/blade-examPay/exampay/submit', { id: fee.id, payName: 'x' }]],
    ['recalling the fee', ({ fee }) => ['/blade-examPay/exampay/deletePay', { id: fee.id }]],
    [
      'waiving it',
      ({ due }) => ['/blade-payrecord/payrecord/exempt', { id: due.id, exemptReason: 'x', exemptFile: '1' }],
    ],
    ['booking it', ({ due }) => ['/blade-payrecord/payrecord/offlinePay', { id: due.id, remark: 'x' }]],
    [
      'taking a review back',
      ({ signup, officer }) => ['/blade-signup/examine/revoke', { signUpId: signup.id, reason: 'x' }, officer],
    ],
    [
      'taking somebody back in',
      ({ struck, officer }) => [`/blade-signup/signup/restoreQualification?id=${struck.id}`, { reason: 'x' }, officer],
    ],
  ]

  let made: Archived
  beforeAll(async () => {
    made = await archived()
  })

  test.each(writes)('keeps %s', async (_, write) => {
    const [path, body, who = admin] = write(made)
    const answer = await asCaller(t, who).post(path, body)
    expect([answer.status, answer.code, answer.msg]).toEqual([409, 21011, '考试已归档，只能查看'])
  })
})
