import { ExamStatus, PostStatus } from '#schemas/dictionaries'
import type { Db, ExamRow, PositionRow } from '../../../platform/access/server/caller.ts'
import { withRemoved } from '../../../platform/database/live.ts'
import { type Refusal, refuse } from '../../../platform/http/server/refusal.ts'

/** A place somebody wants. */
export interface WantedPlace {
  exam: Pick<ExamRow, 'id'>
  position: Pick<PositionRow, 'id' | 'code'>
  /** True when the sign-up has a place in the exam already and changes to another position. */
  changes: boolean
  /** False when the position was chosen before and may have been switched off since. */
  choosing: boolean
}

/**
 * Looks whether there is a place, without waiting for anybody: who comes when all are taken is refused before anything is
 * written. What decides is {@link takePlace}.
 * @throws exams.notReleased exam closed meanwhile, exams.positionDisabled position switched off or cancelled,
 * signup.positionFull
 */
export async function lookForPlace(db: Db, { exam, position, changes, choosing }: WantedPlace): Promise<void> {
  const now = await db
    .selectFrom(withRemoved('examitems as p'))
    .innerJoin('examination as e', 'e.id', 'p.examId')
    .leftJoin('place_count as post', join =>
      join.onRef('post.examId', '=', 'p.examId').onRef('post.code', '=', 'p.code'),
    )
    .leftJoin('place_count as whole', join => join.onRef('whole.examId', '=', 'p.examId').on('whole.code', '=', ''))
    .select(['e.examStatus', 'e.maxSignup as examMax', 'p.maxSignup', 'p.enable', 'p.postStatus', 'p.isDeleted'])
    .select(['post.taken', 'whole.taken as examTaken'])
    .where('p.id', '=', position.id)
    .where('e.id', '=', exam.id)
    .executeTakeFirst()
  if (now?.examStatus !== ExamStatus.released) throw refuse('exams.notReleased')
  if (now.isDeleted !== 0 || now.postStatus === PostStatus.cancelled || (choosing && now.enable !== 1))
    throw refuse('exams.positionDisabled')
  if (now.maxSignup && (now.taken ?? 0) >= now.maxSignup) throw refuse('signup.positionFull')
  if (!changes && now.examMax && (now.examTaken ?? 0) >= now.examMax) throw refuse('signup.positionFull')
}

/** Has the commit look again whether exam and position take sign-ups; whether a place is left it looks at in any case. */
export async function lookAtCommit(trx: Db, { exam, position, choosing }: WantedPlace): Promise<void> {
  await trx
    .insertInto('place_move')
    .values({ examId: exam.id, code: position.code, look: choosing ? 2 : 1 })
    .execute()
}

/**
 * Takes a place in a transaction that makes a sign-up count at a position, or at another one. The database follows each change
 * of a sign-up by itself, and decides when the transaction is committed: whether the exam and the position still take sign-ups
 * and whether a place is left. Until then nobody waits for anybody. The commit fails with what {@link placeRefusal} reads.
 * @throws as {@link lookForPlace}
 */
export async function takePlace(trx: Db, wanted: WantedPlace): Promise<void> {
  await lookForPlace(trx, wanted)
  await lookAtCommit(trx, wanted)
}

const refusals = {
  place_exam: 'exams.notReleased',
  place_position: 'exams.positionDisabled',
  place_full: 'signup.positionFull',
} as const

/** The refusal of a commit that would have taken a place which is not there; undefined for any other error. */
export function placeRefusal(error: unknown): Refusal | undefined {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: keyof typeof refusals }
  return code === 'JX001' && constraint ? refuse(refusals[constraint]) : undefined
}
