import { ReleaseStatus } from '#schemas/dictionaries'
import type { Live } from '../../../platform/database/live.ts'
import type { Mark } from '../rules/result-score.ts'

/** 1 added, 2 changed by hand, 3 imported, 4 removed. */
type ChangeType = 1 | 2 | 3 | 4

/** One score before and after; null where there was or is none. */
export interface Change {
  signupId: string
  ticketNo: string
  before: Mark | null
  after: Mark | null
}

const same = (a: string | null | undefined, b: string | null | undefined) =>
  (a ? Number(a) : null) === (b ? Number(b) : null)

const differs = ({ before, after }: Change): boolean =>
  !same(before?.score, after?.score) ||
  !same(before?.addScore, after?.addScore) ||
  before?.resultFlag !== after?.resultFlag

/**
 * Notes what became of scores. What is written for the first time is no change, unless the stage was released before.
 * @param place the stage: its exam and whether it was released before (`resultRelease` 2)
 */
export async function logChanges(
  db: Live,
  place: { id: string; examId: string; resultRelease: number },
  changeType: ChangeType,
  changes: readonly Change[],
): Promise<void> {
  const told = changes.filter(one => (one.before || place.resultRelease === ReleaseStatus.recalled) && differs(one))
  const rows = told.map(({ signupId, ticketNo, before, after }) => ({
    examId: place.examId,
    itemId: place.id,
    signupId,
    ticketNo,
    changeType,
    oldScore: before?.score ?? null,
    oldAddScore: before?.addScore ?? null,
    oldFlag: (before?.resultFlag ?? null) as 1 | null,
    resultFlag: (after?.resultFlag ?? null) as 1 | null,
    score: after?.score ?? null,
    addScore: after?.addScore ?? null,
  }))
  for (let at = 0; at < rows.length; at += 2000)
    await db
      .insertInto('resultlog')
      .values(rows.slice(at, at + 2000))
      .execute()
}
