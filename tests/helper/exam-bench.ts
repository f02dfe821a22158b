import { EnableStatus, ExamineMode, ExamRole, ExamStatus, ItemRange, PostStatus } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examitems } from '#schemas/exams/examitems'
import { Examsignfiles } from '#schemas/exams/examsignfiles'
import { Examsignitems } from '#schemas/exams/examsignitems'
import { Examuser } from '#schemas/exams/examuser'
import { topDept } from '../../src/platform/tenants/server/seed/tenant.ts'
import { shanghai, type TestApp } from './app.ts'
import { makeUser } from './login.ts'
import type { Caller } from './person.ts'
import { insert, type Overrides } from './sample.ts'

/** When the tests of setting up an exam begin. */
export const drafting = '2026-11-01 09:00:00'

/** Windows of the sample exam, in order. */
export const windows = {
  signStartTime: shanghai('2026-12-01 09:00:00'),
  signEndTime: shanghai('2026-12-05 17:00:00'),
  modifyEndTime: shanghai('2026-12-08 17:00:00'),
  examineEndTime: shanghai('2026-12-10 17:00:00'),
  ticketStartTime: shanghai('2027-01-04 09:00:00'),
  ticketEndTime: shanghai('2027-01-09 09:00:00'),
  examStartTime: shanghai('2027-01-09 09:00:00'),
  examEndTime: shanghai('2027-01-09 11:00:00'),
} as const

/** A draft exam that lacks nothing: one position, one stage, a form, a photo and a reviewer. */
export async function makeDraft(
  t: TestApp,
  more: { exam?: Overrides<typeof Examination>; stage?: Overrides<typeof Examinationitem> } = {},
) {
  const exam = await insert(t.app, Examination, {
    ...windows,
    examStatus: ExamStatus.draft,
    examineMode: ExamineMode.single,
    needPay: 0,
    allowAdjust: 0,
    graceSeconds: 0,
    examYear: 2026,
    consentVersion: '1.0',
    contactPhone: '0591-1',
    openRatio: '3.00',
    hardRules: ['age'],
    deptId: topDept,
    ...more.exam,
  })
  const examId = exam.id
  const stage = await insert(t.app, Examinationitem, {
    examId,
    itemName: '笔试',
    itemStatus: EnableStatus.enabled,
    candidateRule: ItemRange.allValid,
    needPay: 0,
    needSeat: 1,
    needTicket: 1,
    startTime: windows.examStartTime,
    endTime: windows.examEndTime,
    ...more.stage,
  })
  const post = await insert(t.app, Examitems, {
    examId,
    unit: 'u1',
    type: '01',
    code: 'A01',
    postName: '内科医师',
    planNum: 3,
    curPlanNum: 3,
    enable: 1,
    postStatus: PostStatus.active,
    itemIds: stage.id,
  })
  const item = await insert(t.app, Examsignitems, { examId, itemCode: 'major', itemName: '专业', enable: 1 })
  const photo = await insert(t.app, Examsignfiles, {
    examId,
    fileCode: 'photo',
    exts: 'jpg,png',
    isPhoto: 1,
    enable: 1,
  })
  const userId = await makeUser(t, { role: 'reviewer' })
  const reviewer = await insert(t.app, Examuser, { examId, examRole: ExamRole.firstReviewer, userId, enable: 1 })
  return { exam, stage, post, item, photo, reviewer }
}

/** Adds the unit of the draft's position to the dictionary of units, which is empty at first. */
export const addUnit = (t: TestApp, name: string) =>
  t.pool.query(
    `INSERT INTO dict_biz ("tenantId", code, "dictKey", "dictValue", "parentId", sort)
     SELECT "tenantId", code, 'u1', $1, id, 1
     FROM dict_biz WHERE code = 'recruit_unit' AND "parentId" IS NULL AND "tenantId" = '000000'`,
    [name],
  )

/** Appoints somebody to an exam: 1 administrator, 2 first review, 4 finance; keys of dictionary `exam_role`. */
export const appoint = (t: TestApp, examId: string, who: Caller, examRole: 1 | 2 | 3 | 4 | 5 | 6 = ExamRole.manager) =>
  insert(t.app, Examuser, { examId, userId: who.userId, examRole, enable: 1 })

/** Calls the server as somebody. */
export function asCaller(t: TestApp, { headers }: Caller) {
  return {
    get: <T = Record<string, unknown>>(path: string) => t.call<T>({ method: 'GET', url: `/api${path}`, headers }),
    post: <T = Record<string, unknown>>(path: string, payload: object = {}) =>
      t.call<T>({ method: 'POST', url: `/api${path}`, headers, payload }),
    /** Sends a workbook. */
    send: <T = Record<string, unknown>>(path: string, book: Buffer, fields: Record<string, string> = {}) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('file', new Blob([new Uint8Array(book)]), 'a.xlsx')
      return t.call<T>({ method: 'POST', url: `/api${path}`, headers, payload: form as never })
    },
  }
}
