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
const nothing: StepFacts = { payUntil: null, hasTicket: false, mustSure: false, mustUpload: false, hasScore: false }
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
