import type { FastifyInstance } from 'fastify'
import { ageOn, mask } from '#engine'
import {
  ExamineMode,
  ExamineStatus,
  ExamRole,
  ExamStatus,
  ReduceState,
  ReviewStatus,
  SignAction,
  SignStatus,
} from '#schemas/dictionaries'
import type { Change, RuleResult } from '#schemas/sign-up/signup-json'
import type { Dicts } from '../../../engine/form-field.ts'
import type { Caller, Db, SignupRow } from '../../../platform/access/server/caller.ts'
import { signedUrl } from '../../../platform/attachments/server/links.ts'
import { wireDay } from '../../../platform/http/server/wire.ts'
import { isTimely } from '../../exams/rules/act-windows.ts'
import { askedFiles } from '../../exams/rules/sign-files.ts'
import type { Content } from '../../exams/rules/sign-item.ts'
import { optionText } from '../../exams/rules/sign-text.ts'
import { type ExamForm, loadForm, wordingDicts } from '../../exams/server/candidate/exam-form.ts'
import { reviewedPlace, reviews } from '../../exams/server/staff/reviewer.ts'
import { changesOf, type Sheet, wordChanges } from '../../sign-up/server/changes.ts'
import { filledGroups } from '../../sign-up/server/detail.ts'
import { latestAdvisement } from '../../sign-up/server/edit-scope.ts'
import { linkedFiles } from '../../sign-up/server/exam-page.ts'
import { historyOf } from '../../sign-up/server/history.ts'
import { postNames } from '../../sign-up/server/my-list.ts'
import { positionView } from '../../sign-up/server/positions-view.ts'
import { readTicketState } from '../../sign-up/server/ticket-state.ts'
import type { ReviewFilter } from '../contract.ts'
import { reviewWindows } from '../rules/act-windows.ts'
import { claimOf } from './claim.ts'
import { disqualificationOf } from './disqualify.ts'
import { nextWaiting, placeOf } from './filter.ts'
import { findReviewed, nameOf, type Reviewed } from './find.ts'
import { lastAct } from './log.ts'
import { paperLines } from './papers.ts'
import { isRevocable } from './revoke.ts'

/** What differs from what the last reviewer saw; else from the candidate's own submit before. */
async function newChanges(db: Db, row: SignupRow): Promise<Change[]> {
  const act = await lastAct(db, row.id)
  if (act) return changesOf(act.snapshot as Sheet, row as unknown as Sheet)
  if ((row.submitCount ?? 0) < 2) return []
  const log = await db
    .selectFrom('signuplog')
    .select('diff')
    .where('signupId', '=', row.id)
    .where('action', '=', SignAction.submit)
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return log?.diff ?? []
}

async function headOf(caller: Caller, { row, exam }: Reviewed, dicts: Dicts) {
  const { db, vault } = caller
  const [names, examineUserName, reviewUserName, ticketState] = await Promise.all([
    postNames(db, [row]),
    nameOf(db, row.examineUser),
    nameOf(db, row.reviewUser),
    readTicketState(db, row.id),
  ])
  const base = exam.ageBaseDate ?? wireDay(exam.signEndTime)
  const { unit, type, code } = reviewedPlace(row)
  return {
    id: row.id,
    signNo: row.signNo,
    examId: row.examId,
    examName: exam.examName,
    examineMode: exam.examineMode,
    name: row.name,
    sex: row.sex,
    birthday: row.birthday,
    age: row.birthday ? ageOn(row.birthday, base) : null,
    idCard: mask.idCard(vault.open(row.idCard)),
    phone: row.phone ? mask.phone(vault.open(row.phone)) : '',
    signStatus: row.signStatus,
    examine: row.examine,
    examineRemark: row.examineRemark,
    examineTime: row.examineTime,
    examineUser: row.examineUser,
    examineUserName,
    reviewStatus: row.reviewStatus,
    reviewRemark: row.reviewRemark,
    reviewTime: row.reviewTime,
    reviewUserName,
    unit,
    unitName: optionText(dicts.recruit_unit, unit),
    code,
    postName: names(row.examId, code),
    type,
    typeName: optionText(dicts.post_type, type),
    oldCode: row.code,
    oldUnitName: optionText(dicts.recruit_unit, row.unit),
    oldPostName: names(row.examId, row.code),
    unit2: row.unit2,
    unit2Name: optionText(dicts.recruit_unit, row.unit2),
    code2: row.code2,
    post2Name: names(row.examId, row.code2 ?? ''),
    adjustAccept: row.adjustAccept,
    reduceState: row.reduceState,
    submitTime: row.submitTime,
    submitCount: row.submitCount,
    cancelReason: row.cancelReason,
    payState: row.payState,
    ticketState,
    photo: row.photo,
    photoUrl: row.photo ? signedUrl(caller, row.photo) : '',
  }
}

/** The form by group, each item with what stood there before when it changed. */
function groupsView(form: ExamForm, row: SignupRow, dicts: Dicts, changes: readonly Change[]) {
  const worded = wordChanges(changes, form, dicts)
  return filledGroups(form, row, dicts).map(group => ({
    ...group,
    items: group.items.map(item => {
      const change = worded.find(one => one.target === 'item' && one.code === item.code)
      return { ...item, changed: change !== undefined, before: change?.from ?? '' }
    }),
  }))
}

/** Every slot that is asked of this candidate, also the empty ones. */
async function filesView(caller: Caller, form: ExamForm, row: SignupRow, changes: readonly Change[]) {
  const kept = row.files
  const ids = kept.flatMap(slot => slot.list.map(file => file.attachId))
  const types = ids.length
    ? await caller.db.selectFrom('attach').select(['id', 'contentType']).where('id', 'in', ids).execute()
    : []
  const choice = { unit: row.unit, type: row.type, code: row.code }
  const asked = askedFiles(form.files, row.content as Content, choice)
  return asked.map(({ fileCode, fileName, required }) => {
    const list = linkedFiles(
      caller,
      kept.filter(slot => slot.fileCode === fileCode),
    ).flatMap(slot => slot.list)
    const typed = list.map(file => ({ ...file, contentType: types.find(one => one.id === file.attachId)?.contentType }))
    const changed = changes.some(one => one.target === 'file' && one.code === fileCode)
    return { fileCode, fileName, required, list: typed, changed }
  })
}

async function rightsOf(caller: Caller, { row, exam }: Reviewed) {
  const { db, person, now } = caller
  const as = async (role: number) =>
    (await db
      .selectFrom('signup')
      .select('id')
      .where('id', '=', row.id)
      .where(reviews(person, [role], now))
      .executeTakeFirst()) !== undefined
  const [admin, first, second] = await Promise.all([as(1), as(2), as(3)])
  const inTime = isTimely(reviewWindows.decide, { exam }, now) && row.signStatus === SignStatus.submitted
  const moving =
    row.reduceState === ReduceState.pending &&
    row.signStatus === SignStatus.submitted &&
    exam.examStatus === ExamStatus.released
  const isOther = row.examineUser !== person.userId
  return {
    examine:
      first && (moving || (inTime && row.examine === ExamineStatus.pending)) && person.permissions.has('examine_act'),
    review:
      second &&
      inTime &&
      isOther &&
      exam.examineMode === ExamineMode.firstAndSecond &&
      row.examine === ExamineStatus.approved &&
      row.reviewStatus === ReviewStatus.pending,
    revoke: isRevocable(row, admin || second, { person, now }),
    move: moving,
  }
}

/** A line of what is said of a sign-up beforehand: by the rules of the position, or about printing it. */
type ReviewLine = Omit<RuleResult, 'rule'> & { rule: RuleResult['rule'] | 'glyph' | 'paper' }

/** Who prints a ticket is told in time which characters of a name no font has. */
async function glyphLine(app: FastifyInstance, name: string): Promise<ReviewLine[]> {
  const missing = await app.drawings.missing(name)
  if (!missing) return []
  const codes = [...missing].map(char => `U+${char.codePointAt(0)!.toString(16).toUpperCase()}`).join(' ')
  const msg = `姓名中的「${missing}」没有可用字体，准考证上将印作 ${codes}；请系统管理员在字体文件夹（FONT_DIR）中放入含该字的字体`
  return [{ rule: 'glyph', level: 2, msg }]
}

/**
 * All a reviewer needs of one sign-up, in one answer.
 * @throws signup.notFound, review.outOfScope
 */
export async function infoOf(app: FastifyInstance, caller: Caller, signUpId: string, filter: ReviewFilter) {
  const { db, person } = caller
  const reviewed = await findReviewed(app, caller, signUpId, {
    roles: [ExamRole.manager, ExamRole.firstReviewer, ExamRole.secondReviewer, ExamRole.observer],
    viewing: true,
  })
  const { row } = reviewed
  app.log.info({ userId: person.userId, signupId: row.id }, 'sign-up viewed for review')
  const form = await loadForm(db, row.examId)
  const [dicts, changes, position, logs, advisementList, claim, strike, nextId, place] = await Promise.all([
    wordingDicts(db, form.items, row.content as Content),
    newChanges(db, row),
    db
      .selectFrom('examitems')
      .selectAll()
      .where('examId', '=', row.examId)
      .where('code', '=', reviewedPlace(row).code)
      .executeTakeFirst(),
    historyOf(db, [row.id], true),
    latestAdvisement(db, row.id),
    claimOf(db, row.id, caller),
    disqualificationOf(caller, row),
    nextWaiting(caller, { ...filter, examId: filter.examId ?? row.examId }, row),
    placeOf(caller, { ...filter, examId: filter.examId ?? row.examId }, row),
  ])
  return {
    signup: await headOf(caller, reviewed, dicts),
    groups: groupsView(form, row, dicts, changes),
    files: await filesView(caller, form, row, changes),
    precheck: [...paperLines(form, row), ...(row.precheck ?? []), ...(await glyphLine(app, row.name))],
    position: position ? positionView(position, dicts) : null,
    logs,
    diff: wordChanges(changes, form, dicts),
    advisementList,
    claim,
    strike,
    version: row.version,
    nextId,
    place,
    can: await rightsOf(caller, reviewed),
  }
}
