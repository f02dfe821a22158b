import { PostStatus } from '#schemas/dictionaries'
import type { Db, ExamRow, PositionRow } from '../../../../platform/access/server/caller.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'

/** A position of an exam by its code; a unit or type sent along must be its own. @throws exams.positionNotFound */
export async function findPosition(
  db: Db,
  examId: string,
  asked: { code: string; unit?: string; type?: string },
): Promise<PositionRow> {
  const position = await db
    .selectFrom('examitems')
    .selectAll()
    .where('examId', '=', examId)
    .where('code', '=', asked.code)
    .executeTakeFirst()
  const differs = (sent: string | undefined, own: string) => Boolean(sent) && sent !== own
  if (!position || differs(asked.unit, position.unit) || differs(asked.type, position.type))
    throw refuse('exams.positionNotFound')
  return position
}

/** @throws exams.positionDisabled when a position cannot be chosen any more */
export function checkSelectable(position: Pick<PositionRow, 'enable' | 'postStatus'>): void {
  if (position.enable !== 1 || position.postStatus === PostStatus.cancelled) throw refuse('exams.positionDisabled')
}

/**
 * The second choice: only where the exam allows it and the candidate accepts being moved.
 * @throws exams.positionNotFound, exams.positionDisabled, input.invalid
 */
export async function findSecond(
  db: Db,
  exam: ExamRow,
  asked: { code2?: string; unit2?: string; type2?: string; adjustAccept?: number },
  firstCode: string,
): Promise<Pick<PositionRow, 'unit' | 'type' | 'code'> | null> {
  if (!asked.code2 || exam.allowAdjust !== 1 || asked.adjustAccept !== 1) return null
  if (asked.code2 === firstCode) throw refuse('input.invalid', { 说明: '第二志愿不能与第一志愿相同' })
  const second = await findPosition(db, exam.id, {
    code: asked.code2,
    ...(asked.unit2 ? { unit: asked.unit2 } : {}),
    ...(asked.type2 ? { type: asked.type2 } : {}),
  })
  checkSelectable(second)
  return second
}
