import { mask } from '#engine'
import { ExamineStatus, ExamStatus, SignStatus } from '#schemas/dictionaries'
import type { Advisement, SignFiles } from '#schemas/sign-up/signup-json'
import type { Caller, ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import { signedUrl } from '../../../platform/attachments/server/links.ts'
import { type Refusal, refuse } from '../../../platform/http/server/refusal.ts'
import { type ExamStanding, nextDeadline, phasesOf } from '../../exams/rules/exam-phase.ts'
import { groupsOf } from '../../exams/rules/sign-form.ts'
import type { Content } from '../../exams/rules/sign-item.ts'
import { optionText } from '../../exams/rules/sign-text.ts'
import { type ExamForm, findExam, formDicts, loadForm } from '../../exams/server/candidate/exam-form.ts'
import { withLists } from '../../exams/server/public-lists.ts'
import { isComplete, readApplicant } from './applicant.ts'
import { latestAdvisement } from './edit-scope.ts'
import { editRefusal, signOpen } from './editable.ts'
import { listPositions } from './positions-view.ts'
import { returnedScope } from './returned.ts'
import { type Ticketed, ticketStateOf } from './ticket-state.ts'

/** An exam with the periods of its public lists. */
export type ListedExam = ExamRow & Pick<ExamStanding, 'lists'>

/** An exam's own words and times, as every candidate may see them. */
export const examView = (exam: ListedExam, now: Date) => ({
  id: exam.id,
  examId: exam.id,
  examName: exam.examName,
  examCode: exam.examCode,
  examType: exam.examType,
  examYear: exam.examYear,
  organizer: exam.organizer,
  contactPhone: exam.contactPhone,
  cover: exam.cover,
  phases: phasesOf(exam, now),
  deadline: nextDeadline(exam, now),
  showNum: exam.showNum,
  signStartTime: exam.signStartTime,
  signEndTime: exam.signEndTime,
  modifyEndTime: exam.modifyEndTime,
  examineEndTime: exam.examineEndTime,
  payStartTime: exam.payStartTime,
  payEndTime: exam.payEndTime,
  examStartTime: exam.examStartTime,
  examEndTime: exam.examEndTime,
  ageBaseDate: exam.ageBaseDate,
  reduceStartTime: exam.reduceStartTime,
  reduceEndTime: exam.reduceEndTime,
  resultTime: exam.resultTime,
  ticketStartTime: exam.ticketStartTime,
  ticketEndTime: exam.ticketEndTime,
  graceSeconds: exam.graceSeconds,
  allowAdjust: exam.allowAdjust,
  needPay: exam.needPay,
  consentVersion: exam.consentVersion,
})

/** Files with links that open for five minutes. */
export const linkedFiles = (caller: Pick<Caller, 'vault' | 'now'>, files: readonly SignFiles[]) =>
  files.map(slot => ({
    ...slot,
    list: slot.list.map(file => ({ ...file, url: signedUrl(caller, file.attachId) })),
  }))

/** A candidate's own sign-up as its page shows it. */
export function mySignupView(caller: Caller, row: SignupRow & Ticketed, advisementList: readonly Advisement[]) {
  return {
    id: row.id,
    signNo: row.signNo,
    signStatus: row.signStatus,
    examine: row.examine,
    version: row.version,
    examineRemark: row.examineRemark,
    examineTime: row.examineTime,
    reviewStatus: row.reviewStatus,
    reviewRemark: row.reviewRemark,
    reduceState: row.reduceState,
    unit: row.unit,
    type: row.type,
    code: row.code,
    unit2: row.unit2,
    type2: row.type2,
    code2: row.code2,
    adjustAccept: row.adjustAccept,
    province: row.province,
    city: row.city,
    area: row.area,
    content: row.content as Content,
    photo: row.photo,
    files: linkedFiles(caller, row.files),
    precheck: row.precheck,
    advisementList,
    submitTime: row.submitTime,
    submitCount: row.submitCount,
    payState: row.payState,
    ticketState: row.ticketState,
  }
}

/** The caller's sign-up for an exam: the live one, else one given up. */
async function findMine({ db, person }: Caller, examId: string): Promise<(SignupRow & Ticketed) | undefined> {
  return db
    .selectFrom('signup')
    .selectAll()
    .select(ticketStateOf(db, 'signup.id').as('ticketState'))
    .where('examId', '=', examId)
    .where('userId', '=', person.userId)
    .orderBy(eb => eb.case().when('signStatus', '=', SignStatus.withdrawn).then(1).else(0).end())
    .executeTakeFirst()
}

/** Until when the candidate may still change what is open now. */
function editDeadline(exam: ExamRow, row: SignupRow | undefined, now: Date): Date | null {
  if (row?.signStatus === SignStatus.submitted && row.examine === ExamineStatus.returned) return exam.modifyEndTime
  return signOpen(exam, now) ? exam.signEndTime : null
}

async function applicantView(caller: Caller) {
  const { idCard, phone, ...rest } = await readApplicant(caller)
  const complete = isComplete({ ...rest, idCard, phone })
  return { ...rest, idCard: idCard && mask.idCard(idCard), phone: phone && mask.phone(phone), complete }
}

/** What a form is drawn from. */
async function formView(caller: Caller, exam: ListedExam, form: ExamForm) {
  const dicts = await formDicts(caller.db, form.items, false)
  const positions = await listPositions(caller.db, exam, dicts)
  const units = [...new Set(positions.map(one => one.unit))]
  return {
    exam: {
      ...examView(exam, caller.now),
      examDesc: exam.examDesc,
      examTypeName: optionText(dicts.exam_type, exam.examType),
    },
    items: form.items,
    groups: groupsOf(form.items, dicts.item_group),
    files: form.files,
    positions,
    dicts,
    units: units.map(unit => ({ unit, unitName: optionText(dicts.recruit_unit, unit) })),
    notice: exam.signNotice,
    promise: exam.promise,
    consentVersion: exam.consentVersion,
    numTime: caller.now,
  }
}

/**
 * All that the sign-up page of an exam needs, in one answer: the exam, its form, its positions and what the caller has
 * done so far. A draft exam does not exist for a candidate.
 * @param inWords the language of the page
 * @throws exams.notFound
 */
export async function examPage(
  caller: Caller,
  examId: string,
  inWords: (refusal: Refusal) => string = one => one.message,
) {
  const { db, now } = caller
  const [exam] = await withLists(db, [await findExam(db, examId)])
  if (!exam || exam.examStatus === ExamStatus.draft) throw refuse('exams.notFound')
  const [row, form] = await Promise.all([findMine(caller, examId), loadForm(db, examId)])
  const advisement = row ? await latestAdvisement(db, row.id) : []
  const refusal = editRefusal(exam, row ?? null, now)
  const isReturned = row?.signStatus === SignStatus.submitted && row.examine === ExamineStatus.returned
  return {
    ...(await formView(caller, exam, form)),
    applicant: await applicantView(caller),
    mySignup: row ? mySignupView(caller, row, advisement) : null,
    canEdit: refusal === null,
    editReason: refusal ? inWords(refusal) : '',
    editScope: isReturned ? await returnedScope(caller, row, form) : [],
    deadline: editDeadline(exam, row, now),
    serverTime: now,
  }
}
