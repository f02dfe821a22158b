import {
  ExamineMode,
  ExamineStatus,
  ExamRole,
  ExamStatus,
  PostStatus,
  ReduceBase,
  ReduceDecision,
  Sex,
  SignStatus,
} from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examitems } from '#schemas/exams/examitems'
import { Examuser } from '#schemas/exams/examuser'
import { Signup } from '#schemas/sign-up/signup'
import { shanghai, type TestApp } from './app.ts'
import { type Caller, signIn } from './person.ts'
import { insert, type Overrides } from './sample.ts'
import { get, post } from './sign-bench.ts'

/** When the sample exam's people choose anew. */
export const reduceTimes = {
  computing: '2026-12-11 09:00:00',
  start: '2026-12-12 09:00:00',
  inside: '2026-12-12 10:00:00',
  end: '2026-12-14 17:00:00',
} as const

/** A released exam whose sign-up is over: A01 asks 3 people for each of its 2 places, B01 and B02 one for each of theirs. */
export async function makeCutExam(t: TestApp, more: Overrides<typeof Examination> = {}) {
  const exam = await insert(t.app, Examination, {
    examStatus: ExamStatus.released,
    examineMode: ExamineMode.single,
    graceSeconds: 0,
    hardRules: ['sex'],
    showNum: 1,
    allowAdjust: 1,
    reduceBase: ReduceBase.approved,
    signStartTime: shanghai('2026-12-01 09:00:00'),
    signEndTime: shanghai('2026-12-05 17:00:00'),
    modifyEndTime: shanghai('2026-12-08 17:00:00'),
    examineEndTime: shanghai('2026-12-10 17:00:00'),
    reduceStartTime: shanghai(reduceTimes.start),
    reduceEndTime: shanghai(reduceTimes.end),
    maxSignup: null,
    ...more,
  })
  const position = (code: string, unit: string, rest: Overrides<typeof Examitems> = {}) =>
    insert(t.app, Examitems, {
      examId: exam.id,
      code,
      unit,
      type: '01',
      postName: `岗位${code}`,
      planNum: 2,
      curPlanNum: 2,
      enable: 1,
      openRatio: '1.00',
      noRatio: 0,
      postStatus: PostStatus.active,
      maxSignup: null,
      ...rest,
    })
  const posts = {
    A01: await position('A01', 'u1', { openRatio: '3.00' }),
    B01: await position('B01', 'u2'),
    B02: await position('B02', 'u2', { maxSignup: 3 }),
  }
  const staff = await signIn(t, { role: 'exam_admin' })
  await insert(t.app, Examuser, { examId: exam.id, userId: staff.userId, examRole: ExamRole.manager, enable: 1 })
  return { exam, posts, staff, admin: await signIn(t, { role: 'admin' }) }
}

/** A candidate whose sign-up has passed. */
export async function makePassed(t: TestApp, examId: string, code: string, more: Overrides<typeof Signup> = {}) {
  const who = await signIn(t, { role: 'candidate' })
  const unit = code.startsWith('A') ? 'u1' : 'u2'
  const row = await insert(t.app, Signup, {
    examId,
    userId: who.userId,
    code,
    unit,
    type: '01',
    finalCode: code,
    finalUnit: unit,
    finalType: '01',
    signStatus: SignStatus.submitted,
    examine: ExamineStatus.approved,
    content: { education: '30' },
    files: [],
    sex: Sex.male,
    birthday: '1995-05-05',
    ...more,
  })
  return { who, id: row.id }
}

/** What the plan's three steps answer. */
export interface PlanAnswer {
  positions: { code: string; effectNum: number; afterNum: number; decision: number }[]
  affected: number
}

/** Computes, decides or confirms. */
export const plan = (t: TestApp, who: Caller, examId: string, action: string, more: object = {}) =>
  post<PlanAnswer>(t, who, 'savePostReductionInfoByExamId', { examId, action, ...more })

/** Computes, decides as the rule proposes, and confirms by a second person. */
export async function cutAll(t: TestApp, examId: string, staff: Caller, admin: Caller) {
  const computed = await plan(t, staff, examId, 'compute')
  const list = computed.data.positions.map(({ code, afterNum }) => {
    const full = afterNum === 2
    return {
      code,
      decision: full ? ReduceDecision.keep : afterNum > 0 ? ReduceDecision.reduce : ReduceDecision.cancel,
      afterNum,
      basis: '报名人数未达开考比例',
    }
  })
  await plan(t, staff, examId, 'save', { list })
  return plan(t, admin, examId, 'confirm')
}

/** What somebody who chooses anew is told. */
export interface ChoiceInfo {
  state: number
  canChoose: boolean
  decision: number
  old: { code: string }
  targets: { code: string }[]
  paid: boolean
  refund: string
}

/** What somebody is told about choosing anew. */
export const choiceOf = (t: TestApp, who: Caller, signupId: string) =>
  get<ChoiceInfo>(t, who, `getPostReductionInfo?signupId=${signupId}`)

/** Chooses a position, or none without a code. */
export const choose = (t: TestApp, who: Caller, signupId: string, code2?: string, more: object = {}) =>
  post<{ state: number }>(t, who, 'savePostReductionInfo', {
    signupId,
    ...(code2 ? { agree: 1, code2 } : { agree: 0 }),
    ...more,
  })
