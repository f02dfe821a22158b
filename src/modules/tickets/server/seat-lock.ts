import type { Row } from '#engine'
import { ReleaseStatus, SeatStatus } from '#schemas/dictionaries'
import type { Examinationitem } from '#schemas/exams/examinationitem'
import type { Examroom } from '#schemas/exams/examroom'
import type { Hooks } from '../../../crud/rules.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/**
 * The times of a stage are printed on its tickets: fixed while they are released or the seats locked.
 * @throws tickets.released, tickets.seatsLocked
 */
export function checkStageTimes({ ticketRelease, seatStatus }: Row<typeof Examinationitem>): void {
  if (ticketRelease === ReleaseStatus.released) throw refuse('tickets.released')
  if (seatStatus === SeatStatus.locked) throw refuse('tickets.seatsLocked')
}

/** @throws tickets.seatsLocked */
async function checkUnlocked(db: Live, itemId: string): Promise<void> {
  const stage = await db
    .selectFrom('examinationitem')
    .select('seatStatus')
    .where('id', '=', itemId)
    .forShare()
    .executeTakeFirst()
  if (stage?.seatStatus === SeatStatus.locked) throw refuse('tickets.seatsLocked')
}

/** Rooms are added, changed and removed only while the seats of their stage are not locked. */
export const roomHooks: Hooks<typeof Examroom> = {
  async beforeSubmit({ db, set }, given, before) {
    for (const itemId of new Set([before?.itemId, given.itemId])) if (itemId) await checkUnlocked(db, itemId)
    if (!before) set({ usedNum: 0 })
  },
  async beforeRemove({ db }, rows) {
    for (const row of rows) await checkUnlocked(db, row.itemId)
  },
}
