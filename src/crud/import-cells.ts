import type { Values } from './input.ts'

/** What is wrong with one cell of a workbook, with its row as the spreadsheet shows it. */
export interface BadCell {
  row: number
  column: string
  msg: string
}

/** A row that may be inserted. */
export interface ReadRow {
  row: number
  values: Values
}
