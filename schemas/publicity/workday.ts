import { date, dict, entity, optional, type Row, text } from '#engine'
import { workdayKind } from '../dictionaries.ts'

/** A day that is not what its weekday says: a holiday, or a day at a weekend on which people work. */
export const Workday = entity(
  'workday',
  '节假日与调休',
  {
    day: date('日期', { unique: true }),
    workdayKind: dict('安排', workdayKind),
    dayName: optional(text('节日', { maxLength: 30 })),
  },
  { history: true },
)
export type Workday = Row<typeof Workday>

declare module '#engine' {
  interface Entities {
    workday: typeof Workday
  }
}
