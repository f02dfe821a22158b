import type { ColumnType, Generated } from 'kysely'

/** What was done with a stage's results as a whole. */
export type MoveKind = 'release' | 'recall' | 'delete' | 'next' | 'early' | 'calloff'

/** One such act; `time` is null while a release waits for its `dueTime`. */
interface ResultMoveTable {
  id: Generated<string>
  itemId: string
  kind: MoveKind
  reason: ColumnType<string, string | undefined, string>
  num: ColumnType<number, number | undefined, number>
  userId: string
  dueTime: Date | null
  time: Date | null
  /** Why a release that was due could not be made. */
  problem: ColumnType<string, string | undefined, string>
}

/** An early release one person has asked for. */
interface ResultEarlyTable {
  itemId: string
  userId: string
  reason: string
  time: Date
}

declare module '../../../platform/database/tables.ts' {
  interface InternalTables {
    result_move: ResultMoveTable
    result_early: ResultEarlyTable
  }
}
