import type { FastifyInstance } from 'fastify'
import type { DomainEvent } from '#engine'
import { signupEvents } from '#resources/sign-up/events'
import { ExamineMode, ExamineStage, ExamineStatus, PayState, ReviewStatus } from '#schemas/dictionaries'
import { emit } from '../../../crud/emit.ts'
import type { Caller, ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import { usableTemplates } from '../../../platform/auth/server/sms/template.ts'
import { type LiveTrx, liveFor } from '../../../platform/database/live.ts'
import type { Piece } from '../../../platform/queue/piece.ts'
import { isTimely } from '../../exams/rules/act-windows.ts'
import { textDelayOf } from '../../exams/rules/text-delay.ts'
import { signupWindows } from '../../sign-up/rules/act-windows.ts'
import { lastAct } from './log.ts'

declare module '../../../platform/queue/piece.ts' {
  interface WorkKinds {
    /** Tells a candidate what a review has come to; the digest of the act is the key. */
    'review.tell': { signUpId: string; hash: string }
  }
}

/** Milliseconds after a review in which nobody is told of it: longer than it can be undone at once. */
const silence = 15_000

/** Number of the template; a tenant that has none tells nobody. */
const code = 'review'

/** What the template says for `{result}`; `{exam}` and `{number}` are the exam and the number of the sign-up. */
const results = {
  [ExamineStage.first]: { 1: '审核通过', 2: '审核不通过', 3: '退回修改' },
  [ExamineStage.second]: { 1: '复审通过', 2: '复审不通过', 3: '退回初审' },
} as const

/** Has the candidate told of an act of review, once it cannot be undone any more. */
export async function enterTelling(
  app: FastifyInstance,
  trx: LiveTrx,
  { person, now }: Caller,
  payload: { signUpId: string; hash: string },
  { name }: Pick<DomainEvent, 'name'>,
  exam: Pick<ExamRow, 'textDelay'>,
): Promise<void> {
  const [template] = await usableTemplates(trx, code)
  // Where there is a template for just this, that one tells it.
  if (!template || (await usableTemplates(trx, name)).length > 0) return
  const runAt = new Date(now.getTime() + Math.max(silence, textDelayOf(exam)))
  await app.queue.enter(trx, { kind: 'review.tell', key: payload.hash, tenantId: person.tenantId, payload, runAt })
}

/** Tells by the template `review`, unless the act was undone or followed by another meanwhile. */
async function tell(app: FastifyInstance, piece: Piece<'review.tell'>): Promise<string> {
  const { payload, tenantId } = piece
  const now = app.now()
  const db = liveFor(app, { tenantId, userId: null, now: app.now })
  return db.transaction().execute(async trx => {
    // Locked: an undo on its way comes first, or not at all.
    const row = await trx
      .selectFrom('signup')
      .innerJoin('examination', 'examination.id', 'signup.examId')
      .select(['signup.phone', 'signup.signNo', 'examination.examName'])
      .where('signup.id', '=', payload.signUpId)
      .forNoKeyUpdate('signup')
      .executeTakeFirst()
    const act = await lastAct(trx, payload.signUpId)
    const words = act?.stage === ExamineStage.first || act?.stage === ExamineStage.second ? results[act.stage] : null
    const stands = act?.hash === payload.hash && words && row?.phone
    const params = { exam: row?.examName ?? '', number: row?.signNo ?? '', result: stands ? words[act.result] : '' }
    const phone = stands ? app.vault.open(row.phone as string) : ''
    const notice = { code, title: '审核结果', phone, params }
    const isTold = stands && (await app.extensions.tellByText(app, trx, { person: { tenantId }, now }, notice))
    const said = isTold ? '已告知' : '不需要告知'
    await piece.end(trx, said)
    return said
  })
}

/** Lets every process tell candidates of reviews. */
export const addTelling = (app: FastifyInstance): void =>
  app.queue.add({
    kind: 'review.tell',
    lane: 'job',
    mostTries: 3,
    forgetsDone: true,
    perform: piece => tell(app, piece),
  })

/** Whether a candidate who was refused may still choose another position. */
const againOf = (exam: ExamRow, now: Date) => (isTimely(signupWindows.submit, { exam }, now) ? 'yes' : 'no')

/** Whether somebody who has just passed owes a fee now. */
const owes = async (trx: LiveTrx, signupId: string): Promise<boolean> =>
  (await trx
    .selectFrom('payrecord')
    .select('id')
    .where('signupId', '=', signupId)
    .where('payState', '=', PayState.due)
    .executeTakeFirst()) !== undefined

/**
 * Keeps what a review has come to, for the candidate to be told once it cannot be undone any more. To be called after the fees have
 * followed the review.
 * @param row the sign-up as it stands now
 * @returns the event that tells it
 */
export async function tellDecision(trx: LiveTrx, exam: ExamRow, row: SignupRow, now: Date): Promise<DomainEvent> {
  if (row.examine === ExamineStatus.returned) {
    await emit(trx, signupEvents.returned, [row], { until: exam.modifyEndTime })
    return signupEvents.returned
  }
  if (row.examine === ExamineStatus.rejected || row.reviewStatus === ReviewStatus.rejected) {
    await emit(trx, signupEvents.refused, [row], { again: againOf(exam, now) })
    return signupEvents.refused
  }
  if (exam.examineMode === ExamineMode.firstAndSecond && row.reviewStatus !== ReviewStatus.approved) {
    await emit(trx, signupEvents.firstPassed, [row])
    return signupEvents.firstPassed
  }
  await emit(trx, signupEvents.passed, [row], { next: (await owes(trx, row.id)) ? 'pay' : 'wait' })
  return signupEvents.passed
}
