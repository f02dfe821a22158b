import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerOf } from '#engine'
import { Examination } from '#schemas/exams/examination'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examroom } from '#schemas/exams/examroom'
import { Examuser } from '#schemas/exams/examuser'
import { Items } from '#schemas/exams/items'
import { Signup } from '#schemas/sign-up/signup'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller, drafting, makeDraft, windows } from '../../../../tests/helper/exam-bench.ts'
import { makeUser, stayLoggedIn } from '../../../../tests/helper/login.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { makeTemplate } from '../../../../tests/helper/send-bench.ts'
import type { checkRelease } from '../contract.ts'

let t: TestApp
let admin: Caller
let officer: Caller
let serial = 1000
const base = '/blade-exam/examination'

beforeAll(async () => {
  t = await testApp({ now: drafting })
  admin = await signIn(t, { role: 'administrator' })
  officer = await signIn(t, { role: 'exam_admin' })
})
afterAll(() => t.close())

const rowOf = (id: string) => t.db.selectFrom('examination').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const set = (table: 'examination' | 'examinationitem' | 'examitems', id: string, values: object) =>
  t.db.updateTable(table).set(values).where('id', '=', id).execute()
const release = (id: string, more = '') => asCaller(t, admin).post(`${base}/releaseExam?id=${id}${more}`)
const signUp = (examId: string, code = 'A01', more: object = {}) =>
  insert(t.app, Signup, {
    examId,
    code,
    finalCode: null,
    unit: 'u1',
    signStatus: 1,
    userId: String(++serial),
    ...more,
  })

type Line = AnswerOf<typeof checkRelease>[number]
const checks = (id: string) => asCaller(t, admin).get<Line[]>(`${base}/checkRelease?id=${id}`)

type Made = Awaited<ReturnType<typeof makeDraft>>
const off = (table: string, id: string) => t.pool.query(`UPDATE ${table} SET enable = 0 WHERE id = $1`, [id])

test('a released exam whose only reviewer is switched off says so in its list', async () => {
  const { exam, reviewer } = await makeDraft(t)
  expect((await release(exam.id)).code).toBe(200)
  const reviews = async () => (await checks(exam.id)).data.find(one => one.key === 'reviewer')?.ok
  expect(await reviews()).toBe(true)
  await off('examuser', reviewer.id)
  expect(await reviews()).toBe(false)
})

describe('release', () => {
  const missing: [string, (made: Made) => Promise<unknown>][] = [
    ['position', ({ post }) => off('examitems', post.id)],
    ['stage', ({ stage }) => t.pool.query('UPDATE examinationitem SET "itemStatus" = 0 WHERE id = $1', [stage.id])],
    ['items', ({ item }) => off('examsignitems', item.id)],
    ['photo', ({ photo }) => off('examsignfiles', photo.id)],
    ['texts', ({ exam }) => set('examination', exam.id, { signNotice: '<p>&nbsp; </p>' })],
    ['texts', ({ exam }) => set('examination', exam.id, { promise: '' })],
    ['texts', ({ exam }) => set('examination', exam.id, { contactPhone: '' })],
    ['reviewer', ({ reviewer }) => off('examuser', reviewer.id)],
    ['reviewer', ({ reviewer }) => t.pool.query(`UPDATE examuser SET units = 'u2' WHERE id = $1`, [reviewer.id])],
    ['reviewer', ({ reviewer }) => t.pool.query(`UPDATE examuser SET codes = 'A02' WHERE id = $1`, [reviewer.id])],
    [
      'reviewer',
      ({ reviewer }) =>
        t.pool.query('UPDATE examuser SET "endTime" = $2 WHERE id = $1', [reviewer.id, shanghai(drafting)]),
    ],
    ['rechecker', ({ exam }) => set('examination', exam.id, { examineMode: 2 })],
    [
      'rechecker',
      async ({ exam, reviewer: { userId } }) => {
        await set('examination', exam.id, { examineMode: 2 })
        await insert(t.app, Examuser, { examId: exam.id, examRole: 3, userId, enable: 1 })
      },
    ],
    [
      'charged',
      ({ exam }) =>
        set('examination', exam.id, {
          needPay: 1,
          payStartTime: shanghai('2026-12-11 09:00:00'),
          payEndTime: shanghai('2026-12-15 09:00:00'),
        }),
    ],
    ['pay', ({ stage }) => set('examinationitem', stage.id, { needPay: 1, fee: 8000 })],
    ['photo', ({ photo }) => t.pool.query(`UPDATE examsignfiles SET exts = 'pdf,png' WHERE id = $1`, [photo.id])],
    [
      'fee',
      async ({ exam, stage }) => {
        const pay = { payStartTime: shanghai('2026-12-11 09:00:00'), payEndTime: shanghai('2026-12-15 09:00:00') }
        await set('examination', exam.id, { needPay: 1, ...pay })
        await set('examinationitem', stage.id, { needPay: 1, fee: 8000 })
        await insert(t.app, Examinationitem, {
          examId: exam.id,
          itemStatus: 1,
          needPay: 1,
          fee: null,
          needSeat: 0,
          needTicket: 0,
          startTime: stage.startTime,
          endTime: stage.endTime,
        })
      },
    ],
    ['examTime', ({ exam }) => set('examination', exam.id, { examStartTime: null })],
    ['stageTime', ({ stage }) => set('examinationitem', stage.id, { endTime: stage.startTime })],
    ['stageTime', ({ stage }) => set('examinationitem', stage.id, { startTime: shanghai('2027-01-09 08:59:59') })],
    ['stageTime', ({ stage }) => set('examinationitem', stage.id, { endTime: shanghai('2027-01-09 11:00:01') })],
    ['ticketTime', ({ exam }) => set('examination', exam.id, { ticketStartTime: null })],
    [
      'stageTicket',
      ({ stage }) => set('examinationitem', stage.id, { ticketEndTime: shanghai('2027-01-04 08:00:00') }),
    ],
    [
      'stageTicket',
      ({ exam, stage }) =>
        insert(t.app, Examinationitem, {
          examId: exam.id,
          itemStatus: 1,
          needPay: 0,
          needSeat: 0,
          needTicket: 1,
          startTime: shanghai('2027-01-20 09:00:00'),
          endTime: shanghai('2027-01-20 11:00:00'),
          ticketStartTime: null,
          ticketEndTime: null,
          itemType: stage.itemType,
        }),
    ],
    ['windows', ({ exam }) => set('examination', exam.id, { modifyEndTime: shanghai('2026-12-04 09:00:00') })],
    ['windows', ({ exam }) => set('examination', exam.id, { ticketEndTime: shanghai('2027-01-09 08:59:59') })],
    [
      'future',
      ({ exam }) =>
        set('examination', exam.id, {
          signStartTime: shanghai('2026-10-01 09:00:00'),
          signEndTime: shanghai(drafting),
        }),
    ],
  ]
  test.each(missing)('is refused without %s (%#), which alone is named', async (key, take) => {
    const made = await makeDraft(t)
    await take(made)
    const answer = await release(made.exam.id)
    expect([answer.status, answer.code]).toEqual([409, 21003])
    const lines = answer.data as unknown as { key: string; ok: boolean; msg: string }[]
    expect(lines.map(line => line.key)).toEqual([key])
    expect(lines[0]?.msg).not.toBe('')
    expect(answer.msg).toContain(lines[0]?.msg)
    expect((await rowOf(made.exam.id)).examStatus).toBe(0)
    const list = await checks(made.exam.id)
    expect(list.data.filter(line => !line.ok && !line.advice).map(line => line.key)).toEqual([key])
    expect(list.data.length).toBeGreaterThan(7)
  })

  test('a stage that is charged for without an amount is named, with the row that is to be mended', async () => {
    const { exam, stage } = await makeDraft(t, { stage: { needPay: 1, fee: null } })
    const line = { key: 'fee', label: '笔试收费', msg: '收费，但没有金额', row: stage.id }
    expect((await checks(exam.id)).data).toContainEqual({ ...line, ok: false })
    expect(await release(exam.id)).toMatchObject({ status: 409, code: 21003 })
    await set('examinationitem', stage.id, { fee: 8000 })
    expect((await checks(exam.id)).data).toContainEqual({
      key: 'pay',
      label: '笔试收费',
      ok: false,
      msg: '收费，但考试没有设为收费',
      field: 'needPay',
    })
    await set('examination', exam.id, {
      needPay: 1,
      payStartTime: shanghai('2026-12-11 09:00:00'),
      payEndTime: shanghai('2026-12-15 09:00:00'),
    })
    expect((await checks(exam.id)).data).toContainEqual({ key: 'pay', label: '笔试收费', ok: true, msg: '' })
    expect((await release(exam.id)).code).toBe(200)
  })

  test('advice is given and hinders nothing', async () => {
    const { exam, stage, item } = await makeDraft(t)
    const advice = async () =>
      (await checks(exam.id)).data.flatMap(({ advice: isAdvice, ok, key }) => (isAdvice && !ok ? key : []))
    const library = await insert(t.app, Items, { itemCode: 'nation2', dictCode: 'nation' })
    await t.pool.query('UPDATE examsignitems SET "itemsId" = $2, "dictCode" = NULL WHERE id = $1', [
      item.id,
      library.id,
    ])
    expect(await advice()).toEqual(['rooms', 'restDay', 'dictionary'])
    await insert(t.app, Examroom, { examId: exam.id, itemId: stage.id, capacity: 30, reserve: null, enable: 1 })
    await set('examination', exam.id, {
      signEndTime: shanghai('2026-12-04 17:00:00'),
      modifyEndTime: shanghai('2026-12-08 17:00:00'),
    })
    await t.pool.query(`UPDATE examsignitems SET "dictCode" = 'nation' WHERE id = $1`, [item.id])
    expect(await advice()).toEqual([])
    await set('examination', exam.id, { signEndTime: shanghai('2026-12-05 17:00:00') })
    expect(await advice()).toEqual(['restDay'])
    // Where there are text messages, a long name has a short one.
    const template = await makeTemplate(t)
    await set('examination', exam.id, { examName: '2026年区属卫生事业单位公开招聘' })
    expect(await advice()).toEqual(['restDay', 'shortName'])
    const [short] = (await checks(exam.id)).data.filter(({ key }) => key === 'shortName')
    expect(short).toMatchObject({ field: 'shortName', advice: true })
    await set('examination', exam.id, { shortName: '冬季招聘' })
    expect(await advice()).toEqual(['restDay'])
    await t.pool.query('DELETE FROM sms WHERE id = $1', [template.id])
    await set('examination', exam.id, { appealEndTime: shanghai('2027-01-01 17:00:00') })
    const [rest] = (await checks(exam.id)).data.filter(({ key }) => key === 'restDay')
    expect(rest).toMatchObject({
      msg: '报名截止（2026-12-05）在周末；复核申请截止（2027-01-01）在节假日',
      field: 'signEndTime',
    })
    expect((await release(exam.id)).code).toBe(200)
  })

  test('names units in words', async () => {
    const { exam, reviewer } = await makeDraft(t)
    await off('examuser', reviewer.id)
    await t.pool.query(
      `INSERT INTO dict_biz ("tenantId", code, "dictKey", "dictValue", "parentId", sort) SELECT "tenantId", code, 'u1', '区人民医院', id, 1
       FROM dict_biz WHERE code = 'recruit_unit' AND "parentId" IS NULL AND "tenantId" = '000000'`,
    )
    expect((await release(exam.id)).msg).toContain('缺少初审员的单位：区人民医院')
  })

  test('two people in two stages pass; a charged exam with a charged stage passes', async () => {
    const { exam, stage } = await makeDraft(t, { exam: { examineMode: 2, needPay: 1 } })
    await set('examination', exam.id, {
      payStartTime: shanghai('2026-12-11 09:00:00'),
      payEndTime: shanghai('2026-12-15 09:00:00'),
    })
    await t.pool.query('UPDATE examinationitem SET "needPay" = 1, fee = 8000 WHERE id = $1', [stage.id])
    const userId = await makeUser(t, { role: 'rechecker' })
    await insert(t.app, Examuser, { examId: exam.id, examRole: 3, userId, enable: 1 })
    expect(await release(exam.id)).toMatchObject({ code: 200 })
  })

  test.each(['GET', 'POST'] as const)(
    'of a complete exam by %s moves it once, and asked again changes nothing',
    async method => {
      const { exam } = await makeDraft(t)
      const call = () => t.call({ method, url: `/api${base}/releaseExam?id=${exam.id}`, headers: admin.headers })
      expect(await call()).toMatchObject({ status: 200, code: 200, success: true })
      const released = await rowOf(exam.id)
      expect(released).toMatchObject({ examStatus: 1, releaseUser: admin.userId, releaseTime: shanghai(drafting) })
      expect(await call()).toMatchObject({ code: 200 })
      expect(await rowOf(exam.id)).toEqual(released)
    },
  )

  test('by several at once moves it once', async () => {
    const { exam } = await makeDraft(t)
    const answers = await Promise.all(Array.from({ length: 6 }, () => release(exam.id)))
    expect(answers.map(one => one.code)).toEqual([200, 200, 200, 200, 200, 200])
    expect((await rowOf(exam.id)).version).toBe(1)
  })

  test('and closing from a page of another host or of none are refused, from our own not', async () => {
    const { exam } = await makeDraft(t)
    const call = (path: string, origin: string) =>
      t.call({ url: `/api${base}/${path}`, headers: { ...admin.headers, origin, host: 'exam.test' } })
    for (const origin of ['http://evil.test', 'null', 'http://exam.test.evil.test', 'http://exam.test:81'])
      expect(await call(`releaseExam?id=${exam.id}`, origin)).toMatchObject({ status: 400, code: 29005 })
    expect((await rowOf(exam.id)).examStatus).toBe(0)
    expect((await call(`releaseExam?id=${exam.id}`, 'https://exam.test')).code).toBe(200)
    expect((await call(`closeExam?id=${exam.id}&reason=a`, 'http://evil.test')).code).toBe(29005)
    expect((await rowOf(exam.id)).examStatus).toBe(1)
  })

  test('asks for the exam to be in scope, for the permission and for an id', async () => {
    const { exam } = await makeDraft(t)
    const own = asCaller(t, officer)
    for (const call of ['releaseExam', 'closeExam', 'checkRelease', 'copyExam'].map(name => `${base}/${name}?id=`)) {
      const ask = call.includes('copy') ? own.post : own.get
      expect((await ask(`${call}${exam.id}`)).code).toBe(21001)
      expect((await ask(`${call}999`)).code).toBe(21001)
      expect((await ask(`${call}x'`)).code).toBe(29005)
    }
    await appoint(t, exam.id, officer)
    expect((await own.get(`${base}/checkRelease?id=${exam.id}`)).code).toBe(200)
    const stranger = await signIn(t, { role: 'finance' })
    expect(await asCaller(t, stranger).post(`${base}/releaseExam?id=${exam.id}`)).toMatchObject({ status: 403 })
    const candidate = await signIn(t, { role: 'candidate' })
    expect(await asCaller(t, candidate).post(`${base}/releaseExam?id=${exam.id}`)).toMatchObject({ status: 403 })
  })
})

describe('closing and reopening', () => {
  test('need a reason, which is kept, and move from the right state only', async () => {
    const { exam } = await makeDraft(t)
    const close = (more = '') => asCaller(t, admin).post(`${base}/closeExam?id=${exam.id}${more}`)
    expect((await close('&reason=x')).code).toBe(29009)
    await release(exam.id)
    expect((await close()).code).toBe(29005)
    expect((await close('&reason=%20')).code).toBe(29005)
    expect((await close(`&reason=${'x'.repeat(256)}`)).code).toBe(29005)
    expect((await rowOf(exam.id)).examStatus).toBe(1)
    expect((await close(`&reason=${encodeURIComponent('公告有误')}`)).code).toBe(200)
    expect(await rowOf(exam.id)).toMatchObject({
      examStatus: 2,
      closeReason: '公告有误',
      closeUser: admin.userId,
      closeTime: shanghai(drafting),
    })
    expect((await close('&reason=x')).code).toBe(29009)
    expect((await release(exam.id)).code).toBe(29005)
    expect((await rowOf(exam.id)).examStatus).toBe(2)
    expect((await release(exam.id, `&reason=${encodeURIComponent('公告已更正')}`)).code).toBe(200)
    expect(await rowOf(exam.id)).toMatchObject({ examStatus: 1, reopenReason: '公告已更正' })
  })

  test('a closed exam is not reopened past its windows, an archived one never', async () => {
    const { exam } = await makeDraft(t, { exam: { examStatus: 2, signEndTime: shanghai('2026-12-01 08:00:00') } })
    expect((await release(exam.id, '&reason=x')).code).toBe(21003)
    const old = await makeDraft(t, { exam: { examStatus: 3 } })
    expect((await release(old.exam.id, '&reason=x')).code).toBe(21011)
  })

  test('closing stops the sign-up at once', async () => {
    const { exam } = await makeDraft(t, { exam: { examStatus: 2 } })
    t.setNow('2026-12-02 09:00:00')
    await stayLoggedIn(t)
    const candidate = await signIn(t, { role: 'candidate' })
    const body = { examId: exam.id, code: 'A01', content: {}, files: [] }
    expect((await asCaller(t, candidate).post('/blade-signup/signup/submit', body)).code).toBe(21002)
    t.setNow(drafting)
    await stayLoggedIn(t)
  })
})

describe('changing an exam', () => {
  const form = async (id: string) => {
    const { data } = await asCaller(t, admin).get(`${base}/detail?id=${id}`)
    return Object.fromEntries(
      Object.keys(Examination.properties)
        .filter(name => !(Examination.properties as Record<string, { filled?: true }>)[name]?.filled)
        .map(name => [name, data[name]]),
    )
  }
  const submit = async (id: string, values: object) =>
    asCaller(t, admin).post(`${base}/submit`, { id, version: (await rowOf(id)).version, ...values })

  test('times out of order are refused with the field', async () => {
    const { exam } = await makeDraft(t)
    const answer = await submit(exam.id, { modifyEndTime: '2026-12-05 16:59:59' })
    expect(answer).toMatchObject({ status: 400, code: 21006 })
    expect(answer.data).toMatchObject([{ field: 'modifyEndTime' }])
    expect((await submit(exam.id, { modifyEndTime: '2026-12-05 17:00:00' })).code).toBe(200)
    expect((await submit(exam.id, { needPay: 1 })).data).toMatchObject([
      { field: 'payStartTime' },
      { field: 'payEndTime' },
    ])
  })

  test('a released exam, sent back as its page shows it, may move its deadline later', async () => {
    const { exam } = await makeDraft(t, { exam: { examStatus: 1 } })
    const answer = await submit(exam.id, { ...(await form(exam.id)), signEndTime: '2026-12-06 17:00:00' })
    expect(answer).toMatchObject({ msg: '操作成功', data: {} })
    expect((await rowOf(exam.id)).signEndTime).toEqual(shanghai('2026-12-06 17:00:00'))
  })

  test.each([
    ['signEndTime', '2026-12-05 16:00:00'],
    ['signStartTime', '2026-12-01 08:00:00'],
    ['examName', '另一个考试'],
    ['openRatio', '2'],
    ['examineMode', 2],
    ['promise', '<p>另一份承诺</p>'],
  ])('a released exam keeps its %s', async (field, value) => {
    const { exam } = await makeDraft(t, { exam: { examStatus: 1 } })
    const answer = await submit(exam.id, { [field]: value })
    expect([answer.status, answer.code]).toEqual([409, 21004])
    expect(answer.data).toMatchObject([{ field }])
    expect(await rowOf(exam.id)).toMatchObject({ version: 0 })
  })

  test('a new promise goes with a new version of the consent', async () => {
    const { exam } = await makeDraft(t, { exam: { examStatus: 1 } })
    expect((await submit(exam.id, { promise: '<p>新</p>', consentVersion: '1.1' })).code).toBe(200)
  })

  test('an archived exam and what belongs to it can only be looked at', async () => {
    const { exam, post, stage, item } = await makeDraft(t, { exam: { examStatus: 3 } })
    expect((await submit(exam.id, { contactPhone: '1' })).code).toBe(21011)
    const { post: send } = asCaller(t, admin)
    const version = 0
    expect((await send('/blade-examitem/examitems/submit', { id: post.id, version, remark: 'x' })).code).toBe(21011)
    expect((await send('/blade-item/examinationitem/submit', { id: stage.id, place: 'x' })).code).toBe(21011)
    expect((await send('/blade-signitems/examsignitems/submit', { id: item.id, span: 12 })).code).toBe(21011)
    expect((await send(`/blade-examitem/examitems/remove?ids=${post.id}`)).code).toBe(21011)
    expect((await send(`/blade-signitems/examsignitems/remove?ids=${item.id}`)).code).toBe(21011)
  })

  test('is removed with its parts while it is a draft nobody signed up for', async () => {
    const { post: send } = asCaller(t, admin)
    const used = await makeDraft(t, { exam: { examStatus: 1 } })
    expect((await send(`${base}/remove?ids=${used.exam.id}`)).code).toBe(29009)
    await signUp(used.exam.id)
    expect((await send(`${base}/remove?ids=${used.exam.id}`)).code).toBe(21005)
    const draft = await makeDraft(t)
    expect(await send(`${base}/remove?ids=${draft.exam.id}`)).toMatchObject({ code: 200 })
    for (const table of ['examination', 'examitems', 'examinationitem', 'examsignitems', 'examsignfiles', 'examuser']) {
      const { rows } = await t.pool.query(
        `SELECT count(*)::int AS n FROM ${table} WHERE "isDeleted" = 0 AND ${table === 'examination' ? 'id' : '"examId"'} = $1`,
        [draft.exam.id],
      )
      expect([table, rows[0].n]).toEqual([table, 0])
    }
  })
})

test('windows of the bench are in order', () => {
  const order = Object.values(windows).map(time => time.getTime())
  expect(order).toEqual(order.toSorted((a, b) => a - b))
})
