import { dayText, momentText } from '../../../platform/i18n/times.ts'
import { type Cell, grid, label, value } from '../../../platform/pdf/grid.ts'
import { area, finished, footers, newSheet, rule, type Sheet, write } from '../../../platform/workbook/sheet.ts'

declare module '../../../platform/pdf/drawing.ts' {
  interface Makers {
    publicityPdf: typeof publicityPdf
  }
}

/** A public list to be printed. */
export interface PublicityDocument {
  examName: string
  /** Who seals it. */
  tenantName: string
  title: string
  basis: string
  startTime: Date
  endTime: Date
  objectionEnd: Date
  /** Phone, mail and address. */
  contacts: readonly string[]
  /** Headings, and what the widths of the columns are shared out by. */
  columns: readonly { title: string; share: number }[]
  rows: readonly (readonly string[])[]
  madeAt: Date
}

function heading(sheet: Sheet, list: PublicityDocument): number {
  const { left, top, right, width } = area(sheet)
  const exam = write(sheet, list.examName, left, top, width, { size: 12, align: 'center' })
  let y = write(sheet, list.title, left, exam + 2, width, { size: 18, weight: 'bold', align: 'center', tag: 'H1' }) + 6
  const lines = [
    `依据：${list.basis}`,
    `公示时间：${momentText(list.startTime)} 至 ${momentText(list.endTime)}`,
    `异议受理：${momentText(list.objectionEnd)} 前，${list.contacts.join('，')}`,
  ]
  for (const line of lines) y = write(sheet, line, left, y, width, { size: 9.5 }) + 2
  rule(sheet, left, y + 3, right, 1.2)
  return y + 10
}

const centred = (text: string): Cell => value(text, { align: 'center', size: 9.5 })

/** A public list: on what it rests, until when and to whom objections go, its lines, who seals it, and numbered pages. */
export function publicityPdf(list: PublicityDocument): Promise<Buffer> {
  const sheet = newSheet({
    title: list.title,
    madeAt: list.madeAt,
    landscape: list.columns.length > 7,
    tagged: true,
  })
  const { width, right, bottom, top } = area(sheet)
  const total = list.columns.reduce((sum, one) => sum + one.share, 0)
  const widths = list.columns.map(one => (one.share / total) * width)
  const head = [list.columns.map(one => label(one.title))]
  const style = { rowHeight: 20, padding: 3 }
  const onPage = (start: number) => grid(sheet, start, widths, head, style)
  const rows = list.rows.map(row => row.map(centred))
  let y = grid(sheet, heading(sheet, list), widths, [...head, ...rows], { ...style, onPage }) + 16
  if (y + 60 > bottom) {
    sheet.addPage()
    y = top
  }
  const day = dayText(list.startTime).split(' ')[0] ?? ''
  const below = write(sheet, list.tenantName, right - 260, y, 260, { size: 11, align: 'center' })
  write(sheet, day, right - 260, below + 8, 260, { size: 11, align: 'center' })
  footers(sheet, `${list.examName}　${list.title}`)
  return finished(sheet)
}
