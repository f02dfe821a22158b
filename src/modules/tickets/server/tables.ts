import type { ColumnType } from 'kysely'
import type { DrawOptions } from '../rules/seat-draw.ts'

/** How a stage's seats were drawn; the same people, rooms and options give the same plan from the seed. */
interface SeatPlanTable {
  itemId: string
  strategy: number
  seed: string
  options: ColumnType<Pick<DrawOptions, 'snake'>, string, string>
  total: number
  conflicts: number
  userId: string
  time: Date
}

/** A seat of the draft plan. */
interface SeatDraftTable {
  itemId: string
  signupId: string
  roomId: string
  seatNo: number
  row: number
  col: number
}

declare module '../../../platform/database/tables.ts' {
  interface InternalTables {
    seat_plan: SeatPlanTable
    seat_draft: SeatDraftTable
  }
}
