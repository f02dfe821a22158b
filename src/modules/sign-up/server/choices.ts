import { type ExpressionBuilder, sql } from 'kysely'
import { ExamStatus, PostStatus, ReduceState } from '#schemas/dictionaries'
import type { Db, ExamRow, PositionRow } from '../../../platform/access/server/caller.ts'
import { type LiveDatabase, withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** A place somebody wants. */
export interface WantedPlace {
  exam: Pick<ExamRow, 'id' | 'maxSignup'>
  position: Pick<PositionRow, 'id' | 'maxSignup' | 'code'>
  /** The position left for it, when there is one. */
  leaving?: string | null
  /** The sign-up that wants it: it never counts against itself. */
  signupId?: string | null
  /** False when the position was chosen before and may have been switched off since. */
  choosing: boolean
}

/** The code at which a sign-up counts: the second choice from the moment it was chosen after a cut. */
export const countedCode = sql<string>`(CASE WHEN "reduceState" IN (${sql.lit(ReduceState.pending)}, ${sql.lit(ReduceState.approved)}) THEN code2 ELSE code END)`

/** Sign-ups that take a place. The conditions are those of the index `signup_places`. */
function taken(eb: ExpressionBuilder<LiveDatabase, 'signup'>) {
  return eb.and([eb('signStatus', '=', eb.lit(1)), eb('examine', 'in', [eb.lit(0), eb.lit(1), eb.lit(3)])])
}

/** How many sign-ups take a place in an exam, or of one of its positions. */
async function count(db: Db, examId: string, code: string | null, but: string | null | undefined): Promise<number> {
  const { n } = await db
    .selectFrom('signup')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('examId', '=', examId)
    .where(taken)
    .$if(code !== null, query => query.where(countedCode, '=', code))
    .$if(Boolean(but), query => query.where('id', '<>', but!))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Locks the exam, then the positions in the order of their ids, so that two requests never wait for each other. */
async function lockRows(trx: Db, { exam, position, leaving }: WantedPlace): Promise<void> {
  const one = trx.selectFrom('examination').select('id').where('id', '=', exam.id)
  await (exam.maxSignup ? one.forNoKeyUpdate() : one.forShare()).execute()
  const rows = trx
    .selectFrom('examitems')
    .select('id')
    .where('examId', '=', exam.id)
    .where('code', 'in', [position.code, leaving ?? position.code])
    .orderBy('id')
  await (position.maxSignup ? rows.forNoKeyUpdate() : rows.forShare()).execute()
}

/**
 * Takes a place: locks the rows that limit it until the transaction ends, looks again at what was read before and
 * counts.
 * @throws exams.notReleased exam closed meanwhile, exams.positionDisabled position switched off or cancelled,
 * signup.positionFull full, and input.tooOften (from the database) after three seconds of waiting
 */
export async function takePlace(trx: Db, wanted: WantedPlace): Promise<void> {
  const { exam, position, signupId, choosing } = wanted
  await lockRows(trx, wanted)
  const now = await trx
    .selectFrom(withRemoved('examitems as p'))
    .innerJoin('examination as e', 'e.id', 'p.examId')
    .select(['e.examStatus', 'e.maxSignup as examMax', 'p.maxSignup', 'p.enable', 'p.postStatus', 'p.isDeleted'])
    .where('p.id', '=', position.id)
    .executeTakeFirst()
  if (now?.examStatus !== ExamStatus.released) throw refuse('exams.notReleased')
  if (now.isDeleted !== 0 || now.postStatus === PostStatus.cancelled || (choosing && now.enable !== 1))
    throw refuse('exams.positionDisabled')
  if (now.maxSignup && (await count(trx, exam.id, position.code, signupId)) >= now.maxSignup)
    throw refuse('signup.positionFull')
  if (now.examMax && (await count(trx, exam.id, null, signupId)) >= now.examMax) throw refuse('signup.positionFull')
}
