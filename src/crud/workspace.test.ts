import { afterAll, beforeAll, expect, test } from 'vitest'
import { factsOfRow, figureQuery, listBehind } from '#engine'
import { resources, views } from '#resources'
import { workspaces } from '#resources/workspaces'
import {
  AppealStatus,
  EnableStatus,
  ExamineStatus,
  ExamStatus,
  InvoiceStatus,
  ItemRange,
  JobServerType,
  ObjectionStatus,
  PayState,
  PostStatus,
  PublicityStatus,
  ReduceState,
  RefundStatus,
  SeatStatus,
  SignStatus,
  UnreadyReason,
} from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examitems } from '#schemas/exams/examitems'
import { Examuser } from '#schemas/exams/examuser'
import { Payorder } from '#schemas/payment/payorder'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrefund } from '#schemas/payment/payrefund'
import { Objection } from '#schemas/publicity/objection'
import { Publicity } from '#schemas/publicity/publicity'
import { Postreductionname } from '#schemas/reduction/postreductionname'
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
  today: { title: string; count: number; oldest: string; parts: { title: string; count: number }[] }[]
  trend:
    | {
        count: number
        days: { day: string; count: number }[]
        today: string
        numbers: { title: string; count: number }[]
      }
    | ''
}

let t: TestApp
let exam: string
let other: string
const callers: Record<string, Caller> = {}

const lists = [
  'examination',
  'examitems',
  'signup',
  'examine_list',
  'postreductionname',
  'payrefund',
  'payorder',
  'payrecord',
  'resultappeal',
  'publicity',
  'objection',
]

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  const [one, two] = [
    await insert(t.app, Examination, {
      examCode: 'W1',
      signStartTime: shanghai('2026-05-30 09:00:00'),
      signEndTime: shanghai('2026-06-05 17:00:00'),
      examStatus: ExamStatus.released,
      examineMode: 1,
    }),
    await insert(t.app, Examination, { examCode: 'W2' }),
  ]
  exam = one.id
  other = two.id
  for (const examId of [exam, other]) {
    const stage = await insert(t.app, Examinationitem, {
      examId,
      itemStatus: EnableStatus.enabled,
      candidateRule: ItemRange.allValid,
      needSeat: 1,
      needPay: 1,
      fee: 100,
      seatStatus: SeatStatus.none,
      startTime: shanghai('2026-08-01 09:00:00'),
      endTime: shanghai('2026-08-01 11:00:00'),
    })
    for (let i = 0; i < 5; i++)
      await insert(t.app, Examitems, {
        examId,
        code: `c${i}`,
        itemIds: stage.id,
        curPlanNum: 2,
        enable: 1,
        noRatio: 0,
        openRatio: '3.00',
        postStatus: PostStatus.active,
      })
  }
  for (const [i, [examId, unit, examine]] of (
    [
      [exam, 'U1', ExamineStatus.pending],
      [exam, 'U1', ExamineStatus.pending],
      [exam, 'U2', ExamineStatus.pending],
      [exam, 'U2', ExamineStatus.approved],
      [exam, 'U2', ExamineStatus.rejected],
      [other, 'U1', ExamineStatus.pending],
    ] as const
  ).entries())
    await insert(t.app, Signup, {
      examId,
      unit,
      finalUnit: null,
      code: `c${i % 5}`,
      finalCode: null,
      userId: String(i),
      idCard: sampleIdCard(i),
      signStatus: SignStatus.submitted,
      reduceState: ReduceState.none,
      payState: PayState.due,
      examine,
      submitTime: shanghai(i < 3 ? '2026-05-30 23:30:00' : '2026-06-01 00:30:00'),
    })
  for (const examId of [exam, other]) {
    const record = await insert(t.app, Payrecord, {
      examId,
      signupId: examId,
      invoiceStatus: InvoiceStatus.asked,
    })
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
    await insert(t.app, Postreductionname, { examId, signupId: examId, nameState: ReduceState.choosing })
    const shown = await insert(t.app, Publicity, { examId, publicityStatus: PublicityStatus.pending })
    await insert(t.app, Objection, { examId, publicityId: shown.id, objectionStatus: ObjectionStatus.pending })
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

const screens = [...resources, ...views]

/** How many rows the page shows that a line leads to; 0 where the person may not open it. */
async function shown(caller: Caller, line: NonNullable<typeof examWorkspace>['today'][number]): Promise<number> {
  const page = examWorkspace!.pages.find(one => one.name === line.page)!
  if ('page' in page) {
    const url = `/api/blade-signup/examine/getExamineList?stage=1&part=wait&examId=${exam}`
    const { code, data } = await t.call<{ total: number }>({ url, headers: caller.headers })
    return code === 200 ? data.total : 0
  }
  const { list, by } = listBehind(examWorkspace!, line, screens)!
  const query = new URLSearchParams({ [by]: exam, ...figureQuery(line) })
  const { code, data } = await t.call<{ total: number }>({
    url: `/api${list.path}/page?${query}`,
    headers: caller.headers,
  })
  return code === 200 ? data.total : 0
}

test.each(['administrator', 'manager', 'reviewer', 'finance', 'observer', 'signups'])(
  'what waits for %s is what the lists have that the lines lead to',
  async who => {
    const caller = callers[who]!
    const { code, data } = await ask(caller, exam)
    expect(code).toBe(200)
    const told = new Map(data.today.map(line => [line.title, line.count]))
    // A line that has no more than one among it is left out.
    const twin = (title: string) => examWorkspace!.today.find(({ among }) => among === title)?.title ?? ''
    for (const line of examWorkspace!.today)
      expect([line.title, told.get(line.title) ?? told.get(twin(line.title)) ?? 0]).toEqual([
        line.title,
        await shown(caller, line),
      ])
  },
)

test('every line has rows for somebody, so that no number is compared with nothing', async () => {
  const told = await Promise.all(Object.values(callers).map(async caller => (await ask(caller, exam)).data.today))
  expect(new Set(told.flat().map(({ title }) => title))).toEqual(
    new Set(examWorkspace!.today.map(({ title }) => title)),
  )
})

test('who keeps the seats from being drawn is counted as the seating counts, and listed with the reason', async () => {
  const { headers } = callers.administrator!
  const { data: stages } = await t.call<{ open: number; moving: number }[]>({
    url: `/api/blade-exam/examination/getAllotStages?examId=${exam}`,
    headers,
  })
  const { data } = await t.call<{ total: number; records: { unready: number; examine: number }[] }>({
    url: `/api/blade-signup/signup/page?examId=${exam}&chip=${encodeURIComponent('不能编排')}&ascs=examine`,
    headers,
  })
  const [line] = (await ask(callers.administrator!, exam)).data.today.filter(({ title }) => title === '不能编排')
  expect([line?.count, data.total]).toEqual([4, 4])
  expect(line?.parts).toEqual([
    { title: '待审核', count: 3 },
    { title: '待缴费', count: 1 },
  ])
  expect(stages).toMatchObject([{ open: 4, moving: 0 }])
  expect(data.records.map(({ examine, unready }) => [examine, unready])).toEqual([
    [ExamineStatus.pending, UnreadyReason.review],
    [ExamineStatus.pending, UnreadyReason.review],
    [ExamineStatus.pending, UnreadyReason.review],
    [ExamineStatus.approved, UnreadyReason.payment],
  ])
  // Across exams, where the rows are looked at one by one, they are the same.
  const all = await t.call<{ total: number }>({
    url: `/api/blade-signup/signup/page?chip=${encodeURIComponent('不能编排')}`,
    headers,
  })
  expect(all.data.total).toBe(5)
})

test.each([
  ['待我审', 'isMine', 'reviewer', 2],
  ['待我审', 'isMine', 'administrator', 0],
  ['不能编排', 'isUnready', 'administrator', 4],
  ['不能编排', 'isUnready', 'signups', 2],
])('the rows of %s are those of which %s says so, for the %s', async (chip, flag, who, count) => {
  const { headers } = callers[who]!
  const ids = async (query: string) => {
    const url = `/api/blade-signup/signup/page?size=100&ascs=id${query}`
    const { data } = await t.call<{ records: ({ id: string } & Record<string, unknown>)[] }>({ url, headers })
    return data.records
  }
  const said = (await ids(`&examId=${exam}`)).filter(row => row[flag] === 1).map(({ id }) => id)
  expect(said).toHaveLength(count)
  const found = await ids(`&examId=${exam}&chip=${encodeURIComponent(chip)}`)
  expect(found.map(({ id }) => id)).toEqual(said)
  const anywhere = await ids(`&chip=${encodeURIComponent(chip)}`)
  expect(anywhere.map(({ id }) => id)).toEqual((await ids('')).filter(row => row[flag] === 1).map(({ id }) => id))
})

test('a reviewer has the numbers of the own units, and nobody lines of lists that are not theirs', async () => {
  const titles = async (who: string) =>
    (await ask(callers[who]!, exam)).data.today.map(({ title, count }) => [title, count])
  expect(await titles('administrator')).toEqual([
    ['待审核', 3],
    ['不能编排', 4],
    ['待选择改报', 1],
    ['待批准的退款', 1],
    ['待开的票据', 1],
    ['待处理的成绩复核', 1],
    ['待确认的公示', 1],
    ['待受理的异议', 1],
  ])
  expect(await titles('reviewer')).toEqual([
    ['待您审核', 2],
    ['不能编排', 2],
  ])
  expect(await titles('signups')).toEqual([
    ['待审核', 1],
    ['不能编排', 2],
  ])
})

test('rows that come day after day are counted by the days of Shanghai, those of the own units alone, for whoever may list them', async () => {
  const trend = async (who: string) => (await ask(callers[who]!, exam)).data.trend
  expect(await trend('administrator')).toEqual({
    count: 5,
    days: [
      { day: '2026-05-30', count: 3 },
      { day: '2026-06-01', count: 2 },
    ],
    today: '2026-06-01',
    numbers: [
      { title: '通过', count: 1 },
      { title: '缴费', count: 0 },
      { title: '计划', count: 10 },
      { title: '不足比例岗位', count: 5 },
    ],
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
  // Whoever may look at exams and asks for a foreign one is written down once.
  await expect
    .poll(async () => {
      const { rows } = await t.pool.query(
        `SELECT "userId"::text AS who, "targetType", "targetId" FROM auditlog
         WHERE event = 'denied' AND outcome = 3 AND "targetType" = 'examination' AND "userId" = ANY($1)`,
        [[stranger.userId, callers.manager!.userId, elsewhere.userId]],
      )
      return rows.map(({ who, targetType, targetId }) => [who, targetType, targetId]).toSorted()
    })
    .toEqual(
      [
        [stranger.userId, 'examination', exam],
        [callers.manager!.userId, 'examination', other],
        [elsewhere.userId, 'examination', exam],
      ].toSorted(),
    )
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

test('a closed exam says since when and by whom', async () => {
  const { id } = await insert(t.app, Examination, { ...windows, examCode: 'W4', examStatus: ExamStatus.released })
  const { headers, userId } = callers.administrator!
  const reason = encodeURIComponent('公告有误')
  const url = `/api/blade-exam/examination/closeExam?id=${id}&reason=${reason}`
  expect((await t.call({ method: 'POST', url, headers })).code).toBe(200)
  const { data } = await ask(callers.administrator!, id)
  expect(factsOfRow(examWorkspace!, data.row).map(({ field }) => data.row[field])).toEqual(
    expect.arrayContaining(['2026-06-01 08:00:00', userId, '公告有误']),
  )
})
