import { type Cell, grid, label, value } from '../../../platform/pdf/grid.ts'
import { area, finished, footers, newSheet, rule, write } from '../../../platform/workbook/sheet.ts'

declare module '../../../platform/pdf/drawing.ts' {
  interface Makers {
    purgePdf: typeof purgePdf
  }
}

/** The record of an erasure to be printed. */
export interface PurgeDocument {
  tenantName: string
  examName: string
  facts: readonly (readonly [title: string, value: string])[]
  heads: readonly string[]
  rows: readonly (readonly string[])[]
  madeAt: Date
}

const shares = [3, 4, 1.6, 1.4, 1.4, 1.2, 5]
const title = '资料清除记录'
const small = (text: string): Cell => value(text, { size: 9 })

/** What was erased of an exam, by whom, on what ground, how much, and what stayed. */
export function purgePdf(record: PurgeDocument): Promise<Buffer> {
  const sheet = newSheet({ title, madeAt: record.madeAt, landscape: true, tagged: true })
  const { left, top, right, width } = area(sheet)
  const exam = write(sheet, `${record.tenantName}　${record.examName}`, left, top, width, { size: 12, align: 'center' })
  let y = write(sheet, title, left, exam + 2, width, { size: 18, weight: 'bold', align: 'center', tag: 'H1' }) + 8
  for (const [name, text] of record.facts) y = write(sheet, `${name}：${text}`, left, y, width, { size: 9.5 }) + 2
  rule(sheet, left, y + 3, right, 1.2)
  const total = shares.reduce((sum, one) => sum + one, 0)
  const widths = shares.map(one => (one / total) * width)
  const head = [record.heads.map(one => label(one))]
  const style = { rowHeight: 20, padding: 3 }
  const onPage = (start: number) => grid(sheet, start, widths, head, style)
  grid(sheet, y + 10, widths, [...head, ...record.rows.map(row => row.map(small))], { ...style, onPage })
  footers(sheet, `${record.examName}　${title}`)
  return finished(sheet)
}
