import { sql } from 'kysely'
import { examroom } from '#resources/exams/examroom'
import { readMeasures } from '../../../crud/measure.ts'
import type { Derive, Measure } from '../../../crud/rules.ts'

/** How many stand at the door of a room `t`. */
export const roomNumbers = {
  proctorNum: () => sql`(SELECT count(*) FROM room_proctor p WHERE p."roomId" = t.id)`,
} satisfies Measure<typeof examroom>

/** Rooms with who stands at their doors. */
export const deriveRoom: Derive<typeof examroom> = async (ctx, rows) => {
  const found = await readMeasures(ctx, examroom, roomNumbers, rows)
  return rows.map(row => found.get(row.id))
}
