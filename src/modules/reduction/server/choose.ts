import type { BodyOf } from '#engine'
import { signupEvents } from '#resources/sign-up/events'
import { ExamineStatus, ExamStatus, ReduceState, SignAction, SignStatus, TicketStatus } from '#schemas/dictionaries'
import type { RuleResult } from '#schemas/sign-up/signup-json'
import { emit } from '../../../crud/emit.ts'
import type { Caller, Db, ExamRow, PositionRow, SignupRow } from '../../../platform/access/server/caller.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import { findPosition } from '../../exams/server/candidate/positions.ts'
import { adjustRefusal } from '../../sign-up/rules/adjust.ts'
import { takePlace } from '../../sign-up/server/choices.ts'
import type { chooseAnew, ReduceKey } from '../contract.ts'
import { reductionWindows } from '../rules/act-windows.ts'
import { endChoosing } from './outcome.ts'
import { leavingOf, obstacleOf, precheckFor } from './targets.ts'

/** What somebody chooses: another position, or none. */
type Choice = BodyOf<typeof chooseAnew>

/** Whose choice it is: 1 the candidate's own, 2 taken down by staff. */
type By = 1 | 2

/** True when one person has chosen just this before. */
async function isRepeated(db: Db, person: { userId: string }, row: SignupRow, { agree, code2 }: Choice) {
  const isDone =
    agree === 1
      ? row.reduceState === ReduceState.pending && row.code2 === code2
      : row.reduceState === ReduceState.givenUp
  if (!isDone) return false
  const query = db.selectFrom('postreductionname').select('updateUser').where('signupId', '=', row.id)
  const line = await query.executeTakeFirst()
  return line !== undefined && isOwnRepeat(line, isDone, person)
}

/**
 * @throws reduction.notListed not on the list, reduction.choiceClosed outside the window, reduction.alreadyChosen
 * chosen already, reduction.alreadySeated seated already
 */
async function checkMay(db: Db, exam: ExamRow, row: SignupRow, now: Date): Promise<void> {
  if (row.reduceState === ReduceState.none) throw refuse('reduction.notListed')
  if (exam.allowAdjust !== 1 || exam.examStatus !== ExamStatus.released) throw refuse('reduction.choiceClosed')
  checkTimely(reductionWindows.choose, { exam }, now)
  if (
    row.signStatus !== SignStatus.submitted ||
    (row.reduceState !== ReduceState.choosing && row.reduceState !== ReduceState.rejected)
  )
    throw refuse('reduction.alreadyChosen')
  const ticket = await db
    .selectFrom('examinationticket')
    .select('id')
    .where('signupId', '=', row.id)
    .where('ticketStatus', '<>', TicketStatus.voided)
    .executeTakeFirst()
  if (ticket) throw refuse('reduction.alreadySeated')
}

interface Move {
  exam: ExamRow
  row: SignupRow
  target: PositionRow
  precheck: RuleResult[]
  by: By
  remark: string | null
}

async function writeMove(trx: LiveTrx, caller: Caller, { row, target, precheck, by, remark }: Move): Promise<void> {
  const { person, now, ip } = caller
  const place = { unit2: target.unit, type2: target.type, code2: target.code }
  const moved = await trx
    .updateTable('signup')
    .set(eb => ({
      ...place,
      reduceState: ReduceState.pending,
      precheck: JSON.stringify(precheck),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', row.id)
    .where('signStatus', '=', SignStatus.submitted)
    .where('reduceState', '=', row.reduceState)
    .where('version', '=', row.version)
    .returning(['id', 'examId'])
    .executeTakeFirst()
  if (!moved) throw refuse('reduction.alreadyChosen')
  await emit(trx, signupEvents.chosen, [moved], { act: 'choose', next: 'review' })
  await trx
    .updateTable('postreductionname')
    .set({
      newUnit: target.unit,
      newType: target.type,
      newCode: target.code,
      nameState: ReduceState.pending,
      choiceTime: now,
    })
    .set({ choiceBy: by, remark })
    .where('signupId', '=', row.id)
    .execute()
  const diff = Object.entries(place).map(([code, to]) => {
    return { target: 'position', code, from: row[code as 'unit2'] ?? '', to }
  })
  await trx
    .insertInto('signuplog')
    .values({
      signupId: row.id,
      action: SignAction.reassign,
      diff: JSON.stringify(diff),
      userId: person.userId,
      time: now,
      ip,
    })
    .execute()
}

async function moveTo(caller: Caller, exam: ExamRow, row: SignupRow, choice: Choice, by: By) {
  const { db } = caller
  const asked = { code: choice.code2 ?? '', unit: choice.unit2 ?? '', type: choice.type2 ?? '' }
  const target = await findPosition(db, exam.id, asked)
  const of = await leavingOf(db, exam, row)
  const precheck = precheckFor(of, target)
  const obstacle = obstacleOf(of, target, precheck)
  if (obstacle) throw refuse('reduction.targetNotAllowed', { 原因: obstacle })
  const remark = choice.remark?.trim() || null
  await db.transaction().execute(async trx => {
    const changes = row.examine !== ExamineStatus.rejected
    await takePlace(trx, { exam, position: target, changes, choosing: true })
    await writeMove(trx, caller, { exam, row, target, precheck, by, remark })
  })
}

async function decline(caller: Caller, row: SignupRow, by: By, remark: string | null): Promise<void> {
  const { db, person, now } = caller
  await db.transaction().execute(async trx => {
    const done = await endChoosing(programOf(trx, person, now), [row.id], {
      from: [ReduceState.choosing, ReduceState.rejected],
      to: ReduceState.givenUp,
      now,
      isAsked: true,
    })
    if (done.length === 0) throw refuse('reduction.alreadyChosen')
    await trx
      .updateTable('postreductionname')
      .set({ choiceTime: now, choiceBy: by, remark })
      .where('signupId', '=', row.id)
      .execute()
  })
}

/**
 * Somebody whose position is gone takes another one, or none. Saying the same again changes nothing. The caller has
 * made sure that the sign-up is the caller's own, or one the caller may enter a choice for.
 * @returns the state it is in now
 * @throws reduction.notListed, reduction.choiceClosed, reduction.alreadyChosen, reduction.targetNotAllowed,
 * reduction.alreadySeated, exams.positionNotFound, exams.positionDisabled, signup.positionFull
 */
export async function choose(
  caller: Caller,
  exam: ExamRow,
  row: SignupRow,
  choice: Choice,
  by: By,
): Promise<ReduceKey> {
  if (await isRepeated(caller.db, caller.person, row, choice)) return row.reduceState
  await checkMay(caller.db, exam, row, caller.now)
  if (choice.agree === 0) {
    await decline(caller, row, by, choice.remark?.trim() || null)
    return 5
  }
  await moveTo(caller, exam, row, choice, by)
  return 2
}

/** Says whether one accepts being moved, while that still counts. @throws signup.notFound, signup.notEditable */
export async function setAdjustAccept(caller: Caller, exam: ExamRow, row: SignupRow, accept: 0 | 1): Promise<void> {
  const { db, person, now } = caller
  const refusal = adjustRefusal({ exam, signup: row }, now)
  if (refusal) throw refuse('signup.notEditable', { 状态: refusal })
  if (row.adjustAccept === accept) return
  await db.transaction().execute(async trx => {
    const done = await trx
      .updateTable('signup')
      .set(eb => ({ adjustAccept: accept, version: eb('version', '+', 1) }))
      .where('id', '=', row.id)
      .where('version', '=', row.version)
      .returning('id')
      .executeTakeFirst()
    if (!done) throw refuse('row.changed')
    const diff = JSON.stringify([{ target: 'position', code: 'adjustAccept', from: row.adjustAccept, to: accept }])
    await trx
      .insertInto('signuplog')
      .values({
        signupId: row.id,
        action: SignAction.save,
        diff,
        userId: person.userId,
        time: now,
        ip: caller.ip,
      })
      .execute()
  })
}
