import { HoldStatus } from '#schemas/dictionaries'
import type { Live } from '../../../../platform/database/live.ts'
import { settledLines } from '../../../exams/server/archive.ts'

/** What stands against erasing data of an exam now, in words: money on its way back, appeals and objections without an answer, a dispute. */
export async function purgeBlocks(db: Live, examId: string, now: Date): Promise<readonly string[]> {
  const open = (await settledLines(db, examId, now)).filter(one => !one.ok).map(one => one.msg)
  const held = await db
    .selectFrom('datahold')
    .select('reason')
    .where('examId', '=', examId)
    .where('holdStatus', '=', HoldStatus.held)
    .executeTakeFirst()
  return held ? [...open, `资料已冻结：${held.reason}`] : open
}
