import { sql } from 'kysely'
import type { examroom } from '#resources/exams/examroom'
import type { Measure } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { startOfDay } from '../../../platform/http/server/wire.ts'

/** How many stand at the door of a room `t`, and whether somebody sits an exam in it today. */
export const roomNumbers = {
  proctorNum: () => sql`(SELECT count(*) FROM room_proctor p WHERE p."roomId" = t.id)`,
  isToday: ({ app, person, now }) => {
    const today = startOfDay(now)
    const stages = liveAs(app, person)
      .selectFrom('examinationitem as i')
      .select('i.id')
      .where('i.id', '=', sql.ref<string>('t.itemId'))
      .where('i.startTime', '>=', today)
      .where('i.startTime', '<', new Date(today.getTime() + 86_400_000))
    return sql`(t."usedNum" > 0 AND EXISTS (${stages}))::int`
  },
} satisfies Measure<typeof examroom>
