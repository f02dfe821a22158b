import type { BodyOf, ReplyOf } from '#engine'
import { ExamineStatus, SignStatus } from '#schemas/dictionaries'
import type { RuleResult } from '#schemas/sign-up/signup-json'
import type { Dicts } from '../../../engine/form-field.ts'
import type { Caller, ExamRow, PositionRow, SignupRow } from '../../../platform/access/server/caller.ts'
import { compileForm } from '../../../platform/http/server/form-validator.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { formCheck, type SignProblem } from '../../exams/rules/sign-check.ts'
import { missingFiles } from '../../exams/rules/sign-files.ts'
import type { Content } from '../../exams/rules/sign-item.ts'
import { hardFailures, precheck } from '../../exams/rules/sign-rules.ts'
import { type ExamForm, findExam, hardRulesOf, loadForm, readContent } from '../../exams/server/candidate/exam-form.ts'
import { checkSelectable, findPosition, findSecond } from '../../exams/server/candidate/positions.ts'
import type { submitSignup } from '../contract.ts'
import { storedAnswers } from '../rules/answers.ts'
import { type Applicant, findApplicant } from './applicant.ts'
import { changesOf, type Sheet } from './changes.ts'
import { checkScope } from './edit-scope.ts'
import { checkEditable } from './editable.ts'
import { checkInputLimits } from './input-limits.ts'
import type { Prepared } from './prepared.ts'
import { returnedScope, sheetBefore } from './returned.ts'
import { photoOf, resolveFiles } from './sheet-files.ts'
import { store } from './store.ts'

/** A sign-up as it is sent. */
export type SubmitBody = BodyOf<typeof submitSignup>

/** What the candidate gets back. Problems are those a draft may still have. */
type Submitted = ReplyOf<typeof submitSignup>

/**
 * The row a save is about: the one named, else one given up, else none.
 * @throws signup.notFound, signup.alreadySignedUp
 */
async function findBefore({ db, person }: Caller, body: SubmitBody): Promise<SignupRow | null> {
  const rows = await db
    .selectFrom('signup')
    .selectAll()
    .where('examId', '=', body.examId)
    .where('userId', '=', person.userId)
    .orderBy('signStatus')
    .execute()
  if (body.id) {
    const named = rows.find(row => row.id === body.id)
    if (!named) throw refuse('signup.notFound')
    return named
  }
  return rows.find(row => row.signStatus !== SignStatus.withdrawn) ?? rows[0] ?? null
}

async function choosePosition({ db }: Caller, body: SubmitBody, before: SignupRow | null): Promise<PositionRow | null> {
  if (!body.code) {
    if (body.draft === 1) return null
    throw refuse('signup.invalid', {}, [{ field: 'code', label: '岗位', msg: '请选择岗位' }])
  }
  const asked = { code: body.code, unit: body.unit ?? '', type: body.type ?? '' }
  const position = await findPosition(db, body.examId, asked)
  const isKept = before?.signStatus === SignStatus.submitted && before.code === position.code
  if (!isKept) checkSelectable(position)
  return position
}

/** Where the candidate comes from: as sent, else from the household in the form. */
function regionOf(body: SubmitBody, content: Content): Prepared['region'] {
  const path = Array.isArray(content.householdRegion) ? content.householdRegion.map(String) : []
  return [body.province || path[0] || '', body.city || path[1] || '', body.area || path[2] || null]
}

interface Draft {
  exam: ExamRow
  form: ExamForm
  position: PositionRow | null
  body: SubmitBody
  dicts: Dicts
  content: Content
}

function problemsOf({ form, position, body, dicts, content }: Draft): SignProblem[] {
  const check = formCheck(form.items, { type: position?.type ?? null, dicts }, compileForm)
  return check(content, body.draft !== 1)
}

/**
 * Everything that must be complete before a sign-up counts.
 * @throws signup.filesMissing, signup.consentRequired, signup.requirementsNotMet
 */
function checkFinished({ exam, form, body, content, position }: Draft, sheet: Sheet, results: RuleResult[]): void {
  const choice = { unit: sheet.unit, type: sheet.type, code: sheet.code }
  const lacking = missingFiles(sheet.files, form.files, content, position ? choice : {})
  if (lacking.length) throw refuse('signup.filesMissing', { 清单: lacking.map(one => one.msg).join('；') }, lacking)
  if (!body.consentVersion || body.consentVersion !== exam.consentVersion) throw refuse('signup.consentRequired')
  const failed = hardFailures(results, hardRulesOf(exam))
  if (failed.length) throw refuse('signup.requirementsNotMet', { 清单: failed.map(one => one.msg).join('；') }, failed)
}

/** The pre-check of a form against a position. */
export function precheckOf(
  exam: ExamRow,
  position: PositionRow,
  applicant: Pick<Applicant, 'birthday' | 'sex'>,
  content: Content,
  dicts: Dicts,
): RuleResult[] {
  return precheck(position, applicant, content, exam, dicts)
}

async function sheetOf(caller: Caller, draft: Draft, before: SignupRow | null): Promise<Sheet> {
  const { body, position, form, exam, content } = draft
  const second = position ? await findSecond(caller.db, exam, body, position.code) : null
  const around = { userId: caller.person.userId, signupId: before?.id ?? null, slots: form.files }
  return {
    unit: position?.unit ?? '',
    type: position?.type ?? '',
    code: position?.code ?? '',
    unit2: second?.unit ?? null,
    type2: second?.type ?? null,
    code2: second?.code ?? null,
    adjustAccept: exam.allowAdjust === 1 ? (body.adjustAccept ?? 0) : 0,
    content,
    files: await resolveFiles(caller.db, around, body.files ?? []),
  }
}

/** Files that were free a moment ago belong to the sign-up that another request has made meanwhile: then that is the news. */
async function unlessSignedUp(caller: Caller, body: SubmitBody, error: unknown): Promise<never> {
  const made = body.id ? null : await findBefore(caller, body)
  throw made && made.signStatus !== SignStatus.withdrawn ? refuse('signup.alreadySignedUp') : error
}

/**
 * Saves a sign-up as a draft or hands it in. Checks come in the order a person meets them; the database's own indexes
 * decide who was first where two requests meet.
 * @throws exams.notFound, exams.notReleased, exams.positionNotFound, exams.positionDisabled, signup.notStarted,
 * signup.closed, signup.alreadySignedUp, signup.idCardSignedUp, signup.positionFull, signup.invalid,
 * signup.filesMissing, signup.notEditable, signup.notFound, signup.consentRequired, signup.requirementsNotMet,
 * signup.identityIncomplete, signup.correctionClosed, file.notFound, row.changed, input.tooOften
 */
export async function submit(caller: Caller, body: SubmitBody): Promise<Submitted> {
  const { db, now } = caller
  checkInputLimits(body)
  const exam = await findExam(db, body.examId)
  const found = await findBefore(caller, body)
  const isLive = found !== null && found.signStatus !== SignStatus.withdrawn
  const before = body.id || !isLive ? found : null
  checkEditable(exam, before, now, body.draft === 1)
  const applicant = await findApplicant(caller)
  if (!body.id && isLive) throw refuse('signup.alreadySignedUp')
  if (before && body.version !== undefined && body.version !== before.version) throw refuse('row.changed')

  const form = await loadForm(db, exam.id)
  const position = await choosePosition(caller, body, before)
  const { content, dicts } = await readContent(db, form.items, body.content, position?.type)
  const draft: Draft = { exam, form, position, body, dicts, content }
  const problems = problemsOf(draft)
  if (body.draft !== 1 && problems.length) throw refuse('signup.invalid', {}, problems)
  const sheet = await sheetOf(caller, draft, before).catch(error => unlessSignedUp(caller, body, error))
  const results = position ? precheckOf(exam, position, applicant, content, dicts) : []
  if (body.draft !== 1) checkFinished(draft, sheet, results)
  const changes = changesOf(before && sheetBefore(before, form), sheet)
  if (before?.examine === ExamineStatus.returned) {
    checkScope(exam, before, changes, { scope: await returnedScope(caller, before, form), items: form.items, now })
  }
  const photo = photoOf(sheet.files, form.files) ?? applicant.avatar
  const region = regionOf(body, content)
  const answers = storedAnswers(form.items, content)
  const base = { exam, before, draft: body.draft === 1, applicant, position, sheet, answers, region, photo }
  const row = await store(caller, { ...base, precheck: results, changes })
  const { id, signNo, signStatus, examine, version, submitTime } = row
  return { id, signNo, signStatus, examine, version, submitTime, precheck: results, problems }
}
