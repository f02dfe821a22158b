import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '#resources'
import { workspaces } from '#resources/workspaces'
import { AppealStatus, ExamineStatus, JobServerType, RefundStatus, SignStatus } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examitems } from '#schemas/exams/examitems'
import { Examuser } from '#schemas/exams/examuser'
import { Payorder } from '#schemas/payment/payorder'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrefund } from '#schemas/payment/payrefund'
import { Resultappeal } from '#schemas/results/resultappeal'
import { Signup } from '#schemas/sign-up/signup'
import { shanghai, type TestApp, testApp } from '../../tests/helper/app.ts'
import { windows } from '../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../tests/helper/person.ts'
import { insert, sampleIdCard } from '../../tests/helper/sample.ts'

interface Page {
  records: { id: string }[]
}

interface Answer {
  row: Record<string, unknown>
  label: string
  line: { phase: string }[]
  today: { title: string; count: number; oldest: string }[]
  trend: { count: number; days: { day: string; count: number }[]; today: string } | ''
}

let t: TestApp
let exam: string
let other: string
const callers: Record<string, Caller> = {}

const lists = ['examination', 'signup', 'postreductionname', 'payrefund', 'payorder', 'payrecord', 'resultappeal']

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  const [one, two] = [
    await insert(t.app, Examination, {
      examCode: 'W1',
      signStartTime: shanghai('2026-05-30 09:00:00'),
      signEndTime: shanghai('2026-06-05 17:00:00'),
    }),
    await insert(t.app, Examination, { examCode: 'W2' }),
  ]
  exam = one.id
  other = two.id
  for (const [i, [examId, unit, examine]] of (
    [
      [exam, 'U1', ExamineStatus.pending],
      [exam, 'U1', ExamineStatus.pending],
      [exam, 'U2', ExamineStatus.pending],
      [exam, 'U2', ExamineStatus.approved],
      [other, 'U1', ExamineStatus.pending],
    ] as const
  ).entries())
    await insert(t.app, Signup, {
      examId,
      unit,
      finalUnit: null,
      code: `c${i}`,
      finalCode: null,
      userId: String(i),
      idCard: sampleIdCard(i),
      signStatus: SignStatus.submitted,
      examine,
      submitTime: shanghai(i < 3 ? '2026-05-30 23:30:00' : '2026-06-01 00:30:00'),
    })
  for (const examId of [exam, other]) {
    const record = await insert(t.app, Payrecord, { examId, signupId: examId })
    const order = await insert(t.app, Payorder, { bizId: record.id })
    await insert(t.app, Payrefund, {
      payOrderId: order.id,
      payRecordId: record.id,
      refundStatus: RefundStatus.requested,
    })
    await insert(t.app, Resultappeal, {
      examId,
      signupId: examId,
      resultId: examId,
      appealStatus: AppealStatus.pending,
    })
  }
  const permissions = lists
  const appoint = (caller: Caller, examRole: number, more = {}) =>
    insert(t.app, Examuser, {
      userId: caller.userId,
      examId: exam,
      examRole: examRole as never,
      units: null,
      codes: null,
      ...more,
    })
  callers.administrator = await signIn(t, { role: 'administrator' })
  callers.manager = await signIn(t, { permissions })
  callers.reviewer = await signIn(t, { permissions })
  callers.finance = await signIn(t, { permissions })
  callers.observer = await signIn(t, { permissions })
  callers.signups = await signIn(t, { permissions: ['signup'] })
  await appoint(callers.manager, 1)
  await appoint(callers.reviewer, 2, { units: 'U1' })
  await appoint(callers.finance, 4)
  await appoint(callers.observer, 6)
  await appoint(callers.signups, 2, { units: 'U2' })
})
afterAll(() => t.close())

const ask = (caller: Caller, id: string) =>
  t.call<Answer>({ url: `/api/blade-exam/examination/workspace?id=${id}`, headers: caller.headers })

const [examWorkspace] = workspaces.filter(one => one.name === 'examination')

test.each(['administrator', 'manager', 'reviewer', 'finance', 'observer', 'signups'])(
  'what waits for %s is what the lists have that the lines lead to',
  async who => {
    const caller = callers[who]!
    const { code, data } = await ask(caller, exam)
    expect(code).toBe(200)
    const told = new Map(data.today.map(line => [line.title, line.count]))
    for (const { title, of, where, page: name } of examWorkspace!.today) {
      const page = examWorkspace!.pages.find(one => one.name === name)!
      const { path } = resources.find(one => one.name === of)!
      const query = new URLSearchParams({ ['by' in page ? page.by : '']: exam })
      for (const [field, value] of Object.entries(where)) query.set(field, String(value))
      const list = await t.call<{ total: number }>({ url: `/api${path}/page?${query}`, headers: caller.headers })
      expect([title, told.get(title) ?? 0]).toEqual([title, list.code === 200 ? list.data.total : 0])
    }
  },
)

test('a reviewer has the numbers of the own units, and nobody lines of lists that are not theirs', async () => {
  const titles = async (who: string) =>
    (await ask(callers[who]!, exam)).data.today.map(({ title, count }) => [title, count])
  expect(await titles('administrator')).toEqual([
    ['待审核', 3],
    ['待批准的退款', 1],
    ['待处理的成绩复核', 1],
  ])
  expect(await titles('reviewer')).toEqual([['待审核', 2]])
  expect(await titles('signups')).toEqual([['待审核', 1]])
})

test('rows that come day after day are counted by the days of Shanghai, those of the own units alone, for whoever may list them', async () => {
  const trend = async (who: string) => (await ask(callers[who]!, exam)).data.trend
  expect(await trend('administrator')).toEqual({
    count: 4,
    days: [
      { day: '2026-05-30', count: 3 },
      { day: '2026-06-01', count: 1 },
    ],
    today: '2026-06-01',
  })
  expect(await trend('reviewer')).toMatchObject({ count: 2 })
  const viewer = await signIn(t, { permissions: ['examination'] })
  await insert(t.app, Examuser, { userId: viewer.userId, examId: exam, examRole: 1, units: null, codes: null })
  expect((await ask(viewer, exam)).data.trend).toBe('')
})

interface Told {
  records: {
    actName: string
    title: string
    label: string
    userName: string
    changes: { field: string; to: string }[]
  }[]
  total: number
}

test('what was changed around a row is told to whoever may list it, also of what has been removed', async () => {
  const { administrator } = callers as { administrator: Caller }
  const { id: told } = await insert(t.app, Examination, { ...windows, examCode: 'W3' })
  const post = await insert(t.app, Examitems, { examId: told, code: 'H1', postName: '内科医师' })
  const elsewhere = await insert(t.app, Examitems, { examId: other, code: 'H2', postName: '外科医师' })
  const change = (url: string, payload: object) =>
    t.call({ method: 'POST', url: `/api${url}`, headers: administrator.headers, payload })
  const row = await t.db.selectFrom('examination').select('version').where('id', '=', told).executeTakeFirstOrThrow()
  const edited = { id: told, version: row.version, contactPhone: '0591-12345678' }
  expect((await change('/blade-exam/examination/submit', edited)).code).toBe(200)
  for (const one of [post, elsewhere])
    expect((await change(`/blade-examitem/examitems/remove?ids=${one.id}`, {})).code).toBe(200)
  const changes = async (caller: Caller, id = told, more = '') =>
    t.call<Told>({ url: `/api/blade-exam/examination/changes?id=${id}${more}`, headers: caller.headers })
  const { data } = await changes(administrator)
  expect(data.records.map(one => [one.actName, one.title, one.label])).toEqual([
    ['删除', '招聘岗位', '内科医师'],
    ['修改', '考试', expect.any(String)],
  ])
  expect(data.records[1]?.changes).toEqual([expect.objectContaining({ field: 'contactPhone', to: '0591-12345678' })])
  expect(data.total).toBe(2)
  expect((await changes(administrator, told, '&size=1&current=2')).data.records[0]?.title).toBe('考试')

  const viewer = await signIn(t, { permissions: ['examination', 'examination_view'] })
  await insert(t.app, Examuser, { userId: viewer.userId, examId: told, examRole: 1, units: null, codes: null })
  expect((await changes(viewer)).data.records.map(one => one.title)).toEqual(['考试'])
  expect((await changes(viewer, other)).status).toBe(404)
  expect((await changes(callers.signups!)).status).toBe(403)
})

test('the header holds the row with its state, what is derived, and the line', async () => {
  const { data } = await ask(callers.manager!, exam)
  expect(data.label).toBe(data.row.examName)
  expect(data.row).toMatchObject({ id: exam, examCode: 'W1', examStatus: expect.any(Number) })
  expect(data.row).not.toHaveProperty('signNotice')
  expect(data.line).toContainEqual({
    phase: '报名中',
    start: '2026-05-30 09:00:00',
    end: '2026-06-05 17:00:00',
    state: 'open',
    fields: ['signStartTime', 'signEndTime'],
  })
})

test('rows are chosen by their name and by the texts that are offered with it, among those that the person meets', async () => {
  const { id } = await insert(t.app, Examination, {
    examCode: 'HL27',
    examName: '护理人员专项招聘',
    shortName: '护士冬季',
  })
  const found = async (who: string, keyword: string) => {
    const url = `/api/blade-exam/examination/select?keyword=${encodeURIComponent(keyword)}`
    return (await t.call<{ id: string }[]>({ url, headers: callers[who]!.headers })).data.map(row => row.id)
  }
  for (const keyword of ['人员专项', '护士', 'hl27'])
    expect([keyword, await found('administrator', keyword)]).toEqual([keyword, [id]])
  expect(await found('administrator', '%')).toEqual([])
  expect(await found('reviewer', 'hl27')).toEqual([])
  expect(await found('reviewer', 'w1')).toEqual([exam])
})

test('it holds what decides about the buttons', async () => {
  const { data } = await t.call<Page>({
    url: '/api/blade-job/job-server/list',
    headers: callers.administrator!.headers,
  })
  const [server] = data.records
  const url = `/api/blade-job/job-server/workspace?id=${server?.id}`
  const answer = await t.call<Answer>({ url, headers: callers.administrator!.headers })
  expect(answer.data.row).toMatchObject({ id: server?.id, serverType: JobServerType.builtIn })
})

test('somebody who is not appointed, of another tenant or without any of its pages gets no workspace', async () => {
  const stranger = await signIn(t, { permissions: lists })
  const elsewhere = await signIn(t, { tenantId: '000003', role: 'admin', permissions: lists })
  const idle = await signIn(t, { permissions: ['post'] })
  expect((await ask(stranger, exam)).status).toBe(404)
  expect((await ask(callers.manager!, other)).status).toBe(404)
  expect((await ask(elsewhere, exam)).status).toBe(404)
  expect((await ask(idle, exam)).status).toBe(403)
  expect((await ask(callers.manager!, 'x')).status).toBe(404)
})

test('numbers of all lines are one statement', async () => {
  const before = t.app.pool.query
  const texts: string[] = []
  t.app.pool.query = ((...args: [{ text?: string } | string]) => {
    const [first] = args
    texts.push(typeof first === 'string' ? first : (first.text ?? ''))
    return (before as (...all: unknown[]) => unknown).apply(t.app.pool, args)
  }) as never
  try {
    await ask(callers.administrator!, exam)
  } finally {
    t.app.pool.query = before
  }
  expect(texts.filter(text => text.includes('AS at, count(*)'))).toHaveLength(1)
})
