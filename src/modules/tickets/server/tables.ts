import type { ColumnType } from 'kysely'

/** How a stage's seats were drawn; the same people, rooms and options give the same plan from the seed. */
interface SeatPlanTable {
  itemId: string
  strategy: number
  seed: string
  options: ColumnType<unknown, string, string>
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
