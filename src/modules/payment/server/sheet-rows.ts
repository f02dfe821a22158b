import { ImportMode } from '#schemas/dictionaries'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { readTemplate, type TemplateColumn } from '../../../platform/workbook/workbook.ts'

/** What is wrong with one cell of a sheet, with its row as the spreadsheet shows it. */
export interface BadRow {
  row: number
  column: string
  msg: string
}

/** A row of a sheet as texts, in the order of its columns. */
export interface TextRow {
  row: number
  texts: string[]
}

/** The layout of a sheet that is filled in and comes back. */
export interface Sheet {
  version: string
  columns: readonly TemplateColumn[]
}

/** Reads a sheet as texts; formulas, numbers that lost digits and missing required cells are told, not guessed. */
export async function readTexts(bytes: Buffer, sheet: Sheet): Promise<{ rows: TextRow[]; bad: BadRow[] }> {
  const rows: TextRow[] = []
  const bad: BadRow[] = []
  for await (const { row, cells } of readTemplate(bytes, sheet)) {
    const wrong = sheet.columns.flatMap(({ title: column, required }, i): BadRow[] => {
      const cell = cells[i]
      if (cell?.kind === 'formula') return [{ row, column, msg: '不能使用公式，请填写值' }]
      if (cell?.kind === 'rounded') return [{ row, column, msg: '数字过长已失真，请将单元格设为文本后重新填写' }]
      return required && !cell?.text ? [{ row, column, msg: `请输入${column}` }] : []
    })
    if (wrong.length > 0) bad.push(...wrong)
    else rows.push({ row, texts: cells.map(cell => cell.text) })
  }
  if (rows.length + bad.length === 0) throw refuse('input.invalid', { 说明: '文件中没有数据' })
  return { rows, bad }
}

/** What became of an import. */
export interface Imported {
  total: number
  success: number
  failed: number
  errors: readonly BadRow[]
}

/** The result of an import; in mode 1 bad rows refuse all of it. @throws workbook.rowsInvalid */
export function importResult(total: number, errors: readonly BadRow[], mode: 1 | 2): Imported {
  const failed = new Set(errors.map(({ row }) => row)).size
  const sorted = errors.toSorted((one, other) => one.row - other.row)
  if (mode === ImportMode.allOrNothing && failed > 0)
    throw refuse('workbook.rowsInvalid', { n: failed }, { total, success: 0, failed, errors: sorted })
  return { total, success: total - failed, failed, errors: sorted }
}
