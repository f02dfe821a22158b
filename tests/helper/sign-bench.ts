import { randomUUID } from 'node:crypto'
import type { AnswerOf } from '#engine'
import { AttachVisible, ExamineMode, ExamStatus, FormInputType, ScanState } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examitems } from '#schemas/exams/examitems'
import { Examsignfiles } from '#schemas/exams/examsignfiles'
import { Examsignitems } from '#schemas/exams/examsignitems'
import { Examuser } from '#schemas/exams/examuser'
import { Attach } from '#schemas/resource/attach'
import type { Signup } from '#schemas/sign-up/signup'
import type { submitSignup } from '../../src/modules/sign-up/contract.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { shanghai, type TestApp, testApp } from './app.ts'
import { stayLoggedIn } from './login.ts'
import { type Caller, signIn } from './person.ts'
import { insert, type Overrides } from './sample.ts'

/** The windows of the sample exam. */
export const times = {
  start: '2026-12-01 09:00:00',
  inside: '2026-12-02 10:00:00',
  end: '2026-12-05 17:00:00',
  afterEnd: '2026-12-06 10:00:00',
  modifyEnd: '2026-12-08 17:00:00',
  examineEnd: '2026-12-10 17:00:00',
} as const

const base = '/api/blade-signup/signup'
const jobs: Partial<Config> & { jobs: boolean } = { jobs: false }

/** A server whose clock stands inside the sign-up window. */
export const signApp = (config: Partial<Config> = {}): Promise<TestApp> =>
  testApp({ now: times.inside, config: { ...jobs, ...config } })

/** Moves the clock and keeps everybody signed in. */
export async function at(t: TestApp, time: string | Date): Promise<void> {
  t.setNow(time)
  await stayLoggedIn(t)
}

/** A released exam that asks for education, major and a note, a photo and a degree scan, with positions A01 and A02. */
export async function makeExam(
  t: TestApp,
  more: { exam?: Overrides<typeof Examination>; post?: Overrides<typeof Examitems> } = {},
) {
  const exam = await insert(t.app, Examination, {
    examStatus: ExamStatus.released,
    examineMode: ExamineMode.single,
    graceSeconds: 0,
    consentVersion: '1.0',
    hardRules: ['sex'],
    showNum: 1,
    signStartTime: shanghai(times.start),
    signEndTime: shanghai(times.end),
    allowAdjust: 1,
    maxSignup: null,
    modifyEndTime: shanghai(times.modifyEnd),
    examineEndTime: shanghai(times.examineEnd),
    contactPhone: '0591-1',
    ...more.exam,
  })
  const item = (itemCode: string, itemName: string, rest: Overrides<typeof Examsignitems> = {}) =>
    insert(t.app, Examsignitems, {
      examId: exam.id,
      itemCode,
      itemName,
      inputType: FormInputType.text,
      required: 1,
      sort: 1,
      ...rest,
    })
  await item('education', '学历', { inputType: FormInputType.select, dictCode: 'education', sort: 1 })
  await item('major', '专业', { sort: 2 })
  await item('note', '说明', { required: 0, sort: 3 })
  const slot = (fileCode: string, fileName: string, rest: Overrides<typeof Examsignfiles>) =>
    insert(t.app, Examsignfiles, { examId: exam.id, fileCode, fileName, exts: 'jpg,jpeg,png,pdf', sort: 1, ...rest })
  await slot('photo', '证件照', { required: 1, isPhoto: 1, maxNum: 1, maxSize: 500 })
  await slot('degree', '学位证书', { required: 0, isPhoto: 0, maxNum: 2, maxSize: 500 })
  const post = {
    examId: exam.id,
    unit: 'u1',
    type: '01',
    planNum: 1,
    curPlanNum: 1,
    enable: 1,
    maxSignup: null,
  } as const
  const first = await insert(t.app, Examitems, { ...post, code: 'A01', postName: '内科医师', ...more.post })
  const second = await insert(t.app, Examitems, { ...post, code: 'A02', postName: '外科医师' })
  return { exam, first, second }
}

/** A file that was uploaded for a sign-up. */
export async function upload(t: TestApp, who: Caller, ownerType: 'signup' | 'photo' = 'signup'): Promise<string> {
  const file = { originalName: '扫描件.jpg', extension: 'jpg', attachSize: 1000, contentType: 'image/jpeg' }
  const row = await insert(t.app, Attach, {
    ...file,
    ownerType,
    ownerId: null,
    createUser: who.userId,
    visible: AttachVisible.ownerAndStaff,
    scanState: ScanState.clean,
    tenantId: who.tenantId,
    name: `${ownerType}/${randomUUID()}`.replaceAll('-', ''),
    createTime: t.app.now(),
  })
  return row.id
}

/** A candidate with a photo, ready to sign up. */
export interface Applicant extends Caller {
  photo: string
}

/** Makes a candidate with a photo. */
export async function applicant(t: TestApp, tenantId?: string): Promise<Applicant> {
  const who = await signIn(t, { role: 'candidate', ...(tenantId ? { tenantId } : {}) })
  return { ...who, photo: await upload(t, who, 'photo') }
}

/** Makes a reviewer appointed to an exam: 1 administrator, 2 first, 3 second review. */
export async function reviewer(
  t: TestApp,
  examId: string,
  examRole: 1 | 2 | 3,
  more: Overrides<typeof Examuser> = {},
): Promise<Caller> {
  const strikes = ['signup_strike', 'signup_restore']
  const permissions = ['examine_list', 'examine_act', 'examine_review', 'examine_recheck', 'examine_revoke', ...strikes]
  const who = await signIn(t, { role: 'sign_bench', permissions })
  await insert(t.app, Examuser, { examId, userId: who.userId, examRole, enable: 1, ...more })
  return who
}

/** A complete form for an exam. */
export const formOf = (who: Applicant, examId: string, more: Record<string, unknown> = {}) => ({
  examId,
  code: 'A01',
  content: { education: '30', major: '临床医学' },
  consentVersion: '1.0',
  files: [{ fileCode: 'photo', list: [{ attachId: who.photo }] }],
  ...more,
})

/** What {@link submit} answers. */
export type Saved = AnswerOf<typeof submitSignup>

/** Calls a route below the sign-up service by POST. */
export const post = <T = Record<string, unknown>>(
  t: TestApp,
  who: Caller,
  path: string,
  payload: object,
  key?: string,
) =>
  t.call<T>({
    method: 'POST',
    url: path.startsWith('/') ? path : `${base}/${path}`,
    payload,
    headers: { ...who.headers, ...(key ? { 'idempotency-key': key } : {}) },
  })

/** Calls a route by GET. */
export const get = <T = Record<string, unknown>>(t: TestApp, who: Caller, path: string) =>
  t.call<T>({ method: 'GET', url: path.startsWith('/') ? path : `${base}/${path}`, headers: who.headers })

/** Hands in a form. */
export const submit = (t: TestApp, who: Applicant, examId: string, more: Record<string, unknown> = {}, key?: string) =>
  post<Saved>(t, who, 'submit', formOf(who, examId, more), key)

/** The rows of a person in an exam. */
export const rowsOf = (t: TestApp, examId: string) =>
  t.db.selectFrom('signup').selectAll().where('examId', '=', examId).where('isDeleted', '=', 0).execute()

/** Puts a sign-up into a state directly. */
export async function put(t: TestApp, id: string, state: Partial<Record<keyof typeof Signup.properties, number>>) {
  await t.db
    .updateTable('signup')
    .set(state as never)
    .where('id', '=', id)
    .execute()
}
