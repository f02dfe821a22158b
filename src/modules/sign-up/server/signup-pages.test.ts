import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shanghai, type TestApp } from '../../../../tests/helper/app.ts'
import {
  applicant,
  at,
  get,
  makeExam,
  post,
  put,
  reviewer,
  signApp,
  submit,
  times,
} from '../../../../tests/helper/sign-bench.ts'
import type { ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import type { ListedExam } from './exam-page.ts'
import { lineOf, type StageRow } from './line.ts'
import { nextStep, type StepFacts } from './next-step.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t.close())

const exam = {
  examStatus: 1,
  examineMode: 1,
  graceSeconds: 0,
  signStartTime: shanghai(times.start),
  signEndTime: shanghai(times.end),
  modifyEndTime: shanghai(times.modifyEnd),
  examineEndTime: shanghai(times.examineEnd),
  reduceStartTime: shanghai('2026-12-11 09:00:00'),
  reduceEndTime: shanghai('2026-12-12 09:00:00'),
  ticketEndTime: shanghai('2026-12-19 09:00:00'),
  appealEndTime: shanghai('2027-01-05 09:00:00'),
  resultEndTime: shanghai('2027-02-01 09:00:00'),
} as ExamRow
const handedIn = { signStatus: 1, examine: 0, reviewStatus: 0, reduceState: 0 }
const nothing: StepFacts = {
  payUntil: null,
  payAmount: 0,
  isExemptAsked: false,
  hasTicket: false,
  mustSure: false,
  mustUpload: false,
  hasScore: false,
  confirmUntil: null,
  leftShortlist: '',
}
const payUntil = shanghai('2026-12-14 09:00:00')

describe('the next step', () => {
  it.each<[string, object, Partial<StepFacts>, string, string]>([
    ['FILL', { signStatus: 0 }, {}, times.inside, times.end],
    ['DONE', { signStatus: 0 }, {}, times.end, ''],
    ['WAIT', {}, {}, times.inside, times.examineEnd],
    ['FIX', { examine: 3 }, {}, times.afterEnd, times.modifyEnd],
    ['DONE', { examine: 3 }, {}, times.modifyEnd, ''],
    ['FIX', { examine: 2 }, {}, times.inside, times.end],
    ['DONE', { examine: 2 }, {}, times.end, ''],
    ['DONE', { signStatus: 2 }, {}, times.inside, ''],
    ['DONE', { signStatus: 9, examine: 1 }, {}, times.inside, ''],
    ['WAIT', { examine: 1 }, {}, times.inside, ''],
    ['CHOOSE_POST', { examine: 1, reduceState: 1 }, { payUntil }, '2026-12-11 10:00:00', '2026-12-12 09:00:00'],
    ['WAIT', { examine: 1, reduceState: 2 }, {}, '2026-12-11 10:00:00', ''],
    ['DONE', { examine: 1, reduceState: 6 }, { payUntil }, '2026-12-13 10:00:00', ''],
    ['PAY', { examine: 1 }, { payUntil, hasTicket: true }, '2026-12-13 10:00:00', '2026-12-14 09:00:00'],
    [
      'SURE',
      { examine: 1 },
      { hasTicket: true, mustSure: true, mustUpload: true },
      '2026-12-15 10:00:00',
      '2026-12-19 09:00:00',
    ],
    ['UPLOAD', { examine: 1 }, { hasTicket: true, mustUpload: true }, '2026-12-15 10:00:00', '2026-12-19 09:00:00'],
    ['TICKET', { examine: 1 }, { hasTicket: true }, '2026-12-15 10:00:00', '2026-12-19 09:00:00'],
    ['SCORE', { examine: 1 }, { hasScore: true }, '2027-01-02 10:00:00', '2027-01-05 09:00:00'],
    [
      'CONFIRM',
      { examine: 1 },
      { hasScore: true, payUntil, confirmUntil: shanghai('2027-01-04 09:00:00') },
      '2027-01-02 10:00:00',
      '2027-01-04 09:00:00',
    ],
    ['DONE', { examine: 1 }, {}, '2027-02-01 09:00:00', ''],
  ])('%s for %j with %j at %s', (step, state, facts, now, deadline) => {
    const found = nextStep(exam, { ...handedIn, ...state } as SignupRow, { ...nothing, ...facts }, shanghai(now))
    expect(found).toEqual({ nextStep: step, deadline: deadline ? shanghai(deadline) : null })
  })

  it('waits for the second review where there is one', () => {
    const passed = { ...handedIn, examine: 1 } as SignupRow
    const two = { ...exam, examineMode: 2 } as ExamRow
    expect(nextStep(two, passed, { ...nothing, payUntil }, shanghai(times.inside)).nextStep).toBe('WAIT')
    expect(nextStep(two, { ...passed, reviewStatus: 2 }, nothing, shanghai(times.inside)).nextStep).toBe('DONE')
  })
})

describe('the line', () => {
  const stages = [
    {
      examId: '1',
      itemName: '笔试',
      startTime: shanghai('2026-12-20 09:00:00'),
      endTime: shanghai('2026-12-20 11:30:00'),
      needTicket: 1,
    },
  ] as StageRow[]
  const whole = {
    ...exam,
    needPay: 1,
    payStartTime: shanghai('2026-12-12 09:00:00'),
    payEndTime: payUntil,
    ticketStartTime: shanghai('2026-12-15 09:00:00'),
    resultTime: shanghai('2027-01-01 09:00:00'),
    publicityStart: shanghai('2027-01-20 09:00:00'),
    publicityEnd: shanghai('2027-01-27 09:00:00'),
    lists: [],
  } as unknown as ListedExam
  const marks = { done: '✓', here: '●', ahead: '○', ended: '✕' }
  const drawn = (of: ListedExam, state: object, facts: Partial<StepFacts>, now: string, held = stages) => {
    const signup = { ...handedIn, payState: 0, examineRemark: '', cancelReason: '', ...state } as SignupRow
    const known = { ...nothing, ...facts }
    const step = nextStep(of, signup, known, shanghai(now))
    const line = lineOf({ exam: of, signup, stages: held, step }, known, shanghai(now))
    return { line, text: line.map(one => `${one.name}${marks[one.state]}${one.reason}`).join(' ') }
  }
  const paid = { examine: 1, payState: 1 }

  it.each<[string, object, Partial<StepFacts>, string, string]>([
    ['FILL', { signStatus: 0 }, {}, times.inside, '报名● 审核○ 缴费○ 准考证○ 笔试○ 成绩○ 公示○'],
    ['WAIT', {}, {}, times.inside, '报名✓ 审核● 缴费○ 准考证○ 笔试○ 成绩○ 公示○'],
    ['FIX', { examine: 3 }, {}, times.afterEnd, '报名✓ 审核● 缴费○ 准考证○ 笔试○ 成绩○ 公示○'],
    [
      'CHOOSE_POST',
      { examine: 1, reduceState: 1 },
      {},
      '2026-12-11 10:00:00',
      '报名✓ 审核✓ 改报● 缴费○ 准考证○ 笔试○ 成绩○ 公示○',
    ],
    ['the fee to come', { examine: 1 }, {}, '2026-12-11 10:00:00', '报名✓ 审核✓ 缴费● 准考证○ 笔试○ 成绩○ 公示○'],
    ['PAY', { examine: 1 }, { payUntil }, '2026-12-13 10:00:00', '报名✓ 审核✓ 缴费● 准考证○ 笔试○ 成绩○ 公示○'],
    ['paid', paid, {}, '2026-12-13 10:00:00', '报名✓ 审核✓ 缴费✓ 准考证● 笔试○ 成绩○ 公示○'],
    [
      'SURE',
      paid,
      { hasTicket: true, mustSure: true },
      '2026-12-15 10:00:00',
      '报名✓ 审核✓ 缴费✓ 准考证● 笔试○ 成绩○ 公示○',
    ],
    [
      'UPLOAD',
      paid,
      { hasTicket: true, mustUpload: true },
      '2026-12-15 10:00:00',
      '报名✓ 审核✓ 缴费✓ 准考证● 笔试○ 成绩○ 公示○',
    ],
    ['TICKET', paid, { hasTicket: true }, '2026-12-15 10:00:00', '报名✓ 审核✓ 缴费✓ 准考证● 笔试○ 成绩○ 公示○'],
    ['the day before', paid, {}, '2026-12-19 10:00:00', '报名✓ 审核✓ 缴费✓ 准考证✓ 笔试● 成绩○ 公示○'],
    ['after the exam', paid, {}, '2026-12-21 10:00:00', '报名✓ 审核✓ 缴费✓ 准考证✓ 笔试✓ 成绩● 公示○'],
    ['SCORE', paid, { hasScore: true }, '2027-01-02 10:00:00', '报名✓ 审核✓ 缴费✓ 准考证✓ 笔试✓ 成绩● 公示○'],
    [
      'a shortlist that was left',
      paid,
      { hasScore: true, leftShortlist: '已放弃入围' },
      '2027-01-02 10:00:00',
      '报名✓ 审核✓ 缴费✓ 准考证✓ 笔试✓ 成绩✕已放弃入围 公示○',
    ],
    ['DONE', paid, {}, '2027-02-01 09:00:00', '报名✓ 审核✓ 缴费✓ 准考证✓ 笔试✓ 成绩✓ 公示✓'],
    ['given up', { signStatus: 2 }, {}, times.inside, '报名✕已放弃报名 审核○ 缴费○ 准考证○ 笔试○ 成绩○ 公示○'],
    [
      'not handed in',
      { signStatus: 0 },
      {},
      times.end,
      '报名✕未在报名截止前提交 审核○ 缴费○ 准考证○ 笔试○ 成绩○ 公示○',
    ],
    [
      'rejected',
      { examine: 2, examineRemark: '专业不符' },
      {},
      times.end,
      '报名✓ 审核✕专业不符 缴费○ 准考证○ 笔试○ 成绩○ 公示○',
    ],
    [
      'not mended',
      { examine: 3 },
      {},
      times.modifyEnd,
      '报名✓ 审核✕未在补正截止前修改 缴费○ 准考证○ 笔试○ 成绩○ 公示○',
    ],
    [
      'too late',
      { examine: 1, reduceState: 6 },
      {},
      '2026-12-13 10:00:00',
      '报名✓ 审核✓ 改报✕逾期未改报 缴费○ 准考证○ 笔试○ 成绩○ 公示○',
    ],
    [
      'not paid',
      { examine: 1 },
      {},
      '2026-12-15 10:00:00',
      '报名✓ 审核✓ 缴费✕未在截止前缴费 准考证○ 笔试○ 成绩○ 公示○',
    ],
    [
      'disqualified',
      { ...paid, signStatus: 9, cancelReason: '材料虚假' },
      {},
      '2026-12-16 10:00:00',
      '报名✓ 审核✓ 缴费✓ 准考证✕材料虚假 笔试○ 成绩○ 公示○',
    ],
  ])('%s', (_, state, facts, now, text) => expect(drawn(whole, state, facts, now).text).toBe(text))

  it('has only what the exam has, in the order of its days, and at most eight stations', () => {
    expect(drawn({ ...exam, needPay: 0, lists: [] } as unknown as ListedExam, {}, {}, times.inside, []).text).toBe(
      '报名✓ 审核● 成绩○',
    )
    const talk = {
      ...stages[0],
      itemName: '面试',
      needTicket: 0,
      startTime: shanghai('2027-01-10 09:00:00'),
    } as StageRow
    const late = { ...talk, endTime: shanghai('2027-01-10 18:00:00') }
    const scored = drawn(whole, paid, { hasScore: true }, '2027-01-02 10:00:00', [...stages, late])
    expect(scored.text).toBe('报名✓ 审核✓ 缴费✓ 准考证✓ 笔试✓ 成绩● 面试○ 公示○')
    const moved = drawn(whole, { ...paid, reduceState: 3 }, {}, '2026-12-15 08:00:00', [...stages, late])
    expect(moved.text).toBe('报名✓ 审核✓ 改报✓ 缴费✓ 准考证● 笔试○ 成绩○ 面试○')
    const many = drawn(whole, paid, {}, '2026-12-15 08:00:00', [...stages, late, { ...late, itemName: '体检' }])
    expect(many.text).toBe('报名✓ 审核✓ 缴费✓ 准考证● 考试○ 成绩○ 公示○')
  })

  it('has the public notice of the list that is out in place of the one that is planned', () => {
    const start = shanghai('2027-01-21 09:00:00')
    const planned = { ...whole, resultEndTime: shanghai('2027-01-19 09:00:00') }
    const of = { ...planned, lists: [{ start, end: shanghai('2027-01-29 09:00:00') }] }
    const at = (now: string) => drawn(of, paid, { hasScore: true }, now).line.find(one => one.station === 'PUBLICITY')
    expect(at(times.inside)).toMatchObject({ state: 'ahead', time: start })
    expect(drawn(of, paid, {}, '2027-01-28 09:00:00', []).line.at(-1)?.state).toBe('here')
    expect(drawn(planned, paid, {}, '2027-01-28 09:00:00', []).line.at(-1)?.state).toBe('done')
  })

  it('says until when, from when, and what day', () => {
    const timesOf = (...of: Parameters<typeof drawn>) => drawn(...of).line.map(one => one.time)
    const days = [whole.ticketStartTime, stages[0]?.startTime, whole.resultTime, whole.publicityStart]
    expect(timesOf(whole, {}, {}, times.inside)).toEqual([null, whole.examineEndTime, whole.payStartTime, ...days])
    expect(timesOf(whole, { examine: 1 }, { payUntil }, '2026-12-13 10:00:00')).toEqual([null, null, payUntil, ...days])
    expect(timesOf(whole, { signStatus: 2 }, {}, times.inside)).toEqual(Array(7).fill(null))
  })
})

describe('pages', () => {
  it('list released exams with the own state, and own sign-ups with their history', async () => {
    const { exam } = await makeExam(t, { exam: { showNum: 0 } })
    const draft = await makeExam(t, { exam: { examStatus: 0 } })
    const who = await applicant(t)
    const { id } = (await submit(t, who, exam.id)).data
    const list = await get<{ records: { examId: string }[] }>(t, who, 'examList?size=200')
    const mine = list.data.records.find(one => one.examId === exam.id)
    expect(mine).toMatchObject({
      mySign: { id, signStatus: 1 },
      signNum: '',
      planTotal: 2,
      postNum: 2,
      phases: ['报名中', '审核中'],
    })
    expect(list.data.records.some(one => one.examId === draft.exam.id)).toBe(false)
    expect((await get(t, who, `getExamInfoOrSignUpInfo?examId=${draft.exam.id}`)).code).toBe(21001)
    const own = await get(t, who, 'myExamList')
    expect(own.data).toMatchObject({
      total: 1,
      records: [
        {
          id,
          nextStep: 'WAIT',
          deadline: times.examineEnd,
          postName: '内科医师',
          steps: [{ action: 2, label: '提交' }],
          line: [
            { station: 'SIGN', name: '报名', state: 'done', time: '', reason: '' },
            { station: 'EXAMINE', state: 'here', time: times.examineEnd },
            { state: 'ahead' },
          ],
          isOver: false,
        },
      ],
    })
    expect((await get(t, await applicant(t), 'myExamList')).data).toMatchObject({ total: 0, records: [] })
  })

  it('build the sign-up page in one call, and say why nothing can be changed', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const page = await get<{ positions: object[]; dicts: Record<string, object[]>; applicant: object }>(
      t,
      who,
      `getExamInfoOrSignUpInfo?examId=${exam.id}`,
    )
    expect(page.data).toMatchObject({
      mySignup: '',
      canEdit: true,
      editScope: [],
      serverTime: times.inside,
      deadline: times.end,
      items: [{ itemCode: 'education' }, { itemCode: 'major' }, { itemCode: 'note' }],
      files: [{ fileCode: 'photo', isPhoto: 1 }, { fileCode: 'degree' }],
      applicant: { complete: true, idCard: expect.stringContaining('********') },
    })
    expect(page.data.dicts.education).toContainEqual({ key: '30', value: '大学本科' })
    const { id } = (await submit(t, who, exam.id)).data
    await put(t, id, { examine: 1 })
    const after = await get(t, who, `getExamInfoOrSignUpInfo?examId=${exam.id}`)
    expect(after.data).toMatchObject({
      canEdit: false,
      editReason: '报名已审核通过，不能修改',
      mySignup: { id, content: { major: '临床医学' } },
    })
  })

  it('pre-check without leaving a trace', async () => {
    const { exam, first } = await makeExam(t)
    await t.db.updateTable('examitems').set({ eduReq: '20', majorReq: '临床医学' }).where('id', '=', first.id).execute()
    const who = await applicant(t)
    const answer = await post(t, who, 'precheck', {
      examId: exam.id,
      code: 'A01',
      content: { education: '30', major: '临床医学' },
    })
    expect(answer.data).toMatchObject([
      { rule: 'education', level: 3, hard: false },
      { rule: 'major', level: 1 },
    ])
    expect(await t.db.selectFrom('signup').select('id').where('examId', '=', exam.id).execute()).toEqual([])
  })

  it('show one sign-up whole to its owner, masked to staff, and print it', async () => {
    await at(t, times.inside)
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const { id } = (await submit(t, who, exam.id)).data
    const own = await get<{ idCard: string; groups: object[] }>(t, who, `detail?id=${id}`)
    expect(own.data.idCard).toMatch(/^\d{17}[\dX]$/)
    expect(own.data.groups).toMatchObject([
      { items: [{ code: 'education', text: '大学本科' }, { code: 'major' }, { code: 'note' }] },
    ])
    const staff = await get<{ idCard: string }>(t, await reviewer(t, exam.id, 2), `detail?id=${id}`)
    expect(staff.data.idCard).toContain('********')
    const stranger = await reviewer(t, exam.id, 2, { units: 'u9' })
    expect((await get(t, stranger, `detail?id=${id}`)).code).toBe(22010)
    const pdf = await t.app.inject({
      method: 'POST',
      url: '/api/blade-signup/signup/exportPDFView',
      headers: who.headers,
      payload: { signupId: id },
    })
    expect([pdf.statusCode, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect(pdf.headers['content-disposition']).toContain("filename*=UTF-8''%E6%8A%A5")
  })
})
