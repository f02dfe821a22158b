import { ImportMode } from '#schemas/dictionaries'
import { type TemplateOptions, templateWorkbook } from '../platform/workbook/workbook.ts'
import type { SheetRow } from '../platform/workbook/workbook-parse.ts'
import type { BadCell } from './sheet-read.ts'

/**
 * A workbook once more with the reasons beside its rows, to be corrected and taken in again: in mode 1 the whole, in mode 2
 * the rows that are not in yet. Null when no row is wrong.
 * @param inWords a sentence in the language of who reads it
 */
export async function reasonSheet(
  template: Pick<TemplateOptions, 'sheet' | 'version' | 'columns'>,
  rows: readonly SheetRow[],
  wrong: readonly BadCell[],
  mode: 1 | 2,
  inWords: (sentence: string) => string,
): Promise<Buffer | null> {
  if (wrong.length === 0) return null
  const reasons = new Map<number, string>()
  for (const { row, column, msg } of wrong) {
    const reason = column ? `${column}：${inWords(msg)}` : inWords(msg)
    reasons.set(row, [reasons.get(row), reason].filter(Boolean).join('；'))
  }
  const shown = mode === ImportMode.allOrNothing ? rows : rows.filter(({ row }) => reasons.has(row))
  return templateWorkbook({
    ...template,
    columns: [...template.columns, { title: '错误原因', width: 60 }],
    rows: shown.map(({ row, cells }) => [...cells.map(cell => cell.text), reasons.get(row) ?? '']),
  })
}
