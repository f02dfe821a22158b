import { daysOffOf } from '#engine'
import type { Live } from '../../../platform/database/live.ts'
import { readParam } from '../../../platform/database/param.ts'
import { calendarOf, type WorkCalendar } from '../rules/work-days.ts'

/** The work days of a tenant: as its table of holidays says, in years without one as its parameter does. */
export async function workCalendar(db: Live): Promise<WorkCalendar> {
  const [rows, daysOff] = await Promise.all([
    db.selectFrom('workday').select(['day', 'workdayKind']).execute(),
    readParam(db, 'calendar.daysOff'),
  ])
  return calendarOf(rows, daysOffOf(daysOff))
}
