import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import type { TableRow } from './use-rows.ts'

/** What a table adds for rows that are put into order by hand; nothing where they are not. */
export interface Ordering {
  rows: readonly TableRow[]
  columns: TableColumnType<TableRow>[]
  className: (row: TableRow) => string
  /** Says aloud what moves; stands beside the table. */
  status: ReactNode
}

/** Rows as they came. */
export const unordered = (rows: readonly TableRow[]): Ordering => ({
  rows,
  columns: [],
  className: () => '',
  status: null,
})
