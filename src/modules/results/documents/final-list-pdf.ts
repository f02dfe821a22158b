import { dayText, momentText } from '../../../platform/i18n/times.ts'
import { type Cell, grid, gridHeight, label, value } from '../../../platform/pdf/grid.ts'
import { area, finished, footers, newSheet, rule, type Sheet, write } from '../../../platform/workbook/sheet.ts'

declare module '../../../platform/pdf/drawing.ts' {
  interface Makers {
    finalListPdf: typeof finalListPdf
  }
}

/** One person of a printed final list; a result per stage, in the order of the stages. */
export interface FinalListRow {
  rank: string
  name: string
  signNo: string
  results: readonly string[]
  total: string
  /** The stages the person goes on from, or nothing. */
  next: string
}

/** One position of a printed final list. */
export interface FinalListPosition {
  unitName: string
  postName: string
  code: string
  planNum: number
  /** One title per stage, with its weight. */
  stages: readonly string[]
  rows: readonly FinalListRow[]
}

/** A final list to be posted. */
export interface FinalListDocument {
  examName: string
  /** Who seals it. */
  tenantName: string
  /** Names of the stages whose results it holds. */
  stages: readonly string[]
  positions: readonly FinalListPosition[]
  madeAt: Date
}

const title = '入围人员名单及总成绩'

function heading(sheet: Sheet, { examName, stages }: FinalListDocument): number {
  const { left, top, right, width } = area(sheet)
  const exam = write(sheet, examName, left, top, width, { size: 13, align: 'center' })
  const big = write(sheet, title, left, exam + 2, width, { size: 20, weight: 'bold', align: 'center', spacing: 3 })
  const basis = `依据：招聘公告和已发布的${stages.join('、')}成绩。总成绩按各岗位列明的权重计算；按总成绩排名，总成绩相同的以笔试成绩高者在前；已取消资格或放弃的考生不列入。`
  const below = write(sheet, basis, left, big + 6, width, { size: 9.5 }) + 5
  rule(sheet, left, below, right, 1.2)
  return below + 8
}

/** Widths of the columns: rank, name, number, one per stage, total and way on. */
function columns(sheet: Sheet, stages: number): number[] {
  const parts = [1.1, 2, 3.2, ...Array.from({ length: stages }, () => 2), 1.8, 2.2]
  const total = parts.reduce((sum, part) => sum + part, 0)
  return parts.map(part => (part / total) * area(sheet).width)
}

const centred = (text: string, more: Omit<Cell, 'text'> = {}): Cell =>
  value(text, { align: 'center', size: 10, ...more })

const least = 21

/** Draws a position; its heading is repeated on each page it goes on to and never stands alone at the foot of one. */
function drawPosition(sheet: Sheet, y: number, position: FinalListPosition): number {
  const widths = columns(sheet, position.stages.length)
  const head = (more: string): Cell[][] => [
    [
      value(`${position.unitName}　${position.postName}（${position.code}）　招聘 ${position.planNum} 人${more}`, {
        span: widths.length,
        weight: 'bold',
        size: 10.5,
      }),
    ],
    ['排名', '姓名', '报名号', ...position.stages, '总成绩', '入围'].map(label),
  ]
  const rows = position.rows.map(row => [
    ...[row.rank, row.name, row.signNo, ...row.results].map(text => centred(text)),
    centred(row.total, { weight: 'bold' }),
    centred(row.next),
  ])
  const style = { rowHeight: least, padding: 3 }
  const { top, bottom } = area(sheet)
  let at = y
  if (at + gridHeight(sheet, widths, [...head(''), ...rows.slice(0, 2)], least + 6) > bottom) {
    sheet.addPage()
    at = top
  }
  const onPage = (start: number) => grid(sheet, start, widths, head('（续）'), style)
  return grid(sheet, at, widths, [...head(''), ...rows], { ...style, onPage }) + 12
}

const sealHeight = 96

/** Who answers for the list, with room for the seal and the day. */
function seal(sheet: Sheet, y: number, tenantName: string, day = ''): void {
  const { right, top, bottom } = area(sheet)
  let at = y
  if (at + sealHeight > bottom) {
    sheet.addPage()
    at = top
  }
  const width = 260
  const line = (text: string, from: number) =>
    write(sheet, text, right - width, from, width, { size: 11, align: 'center' })
  line(day, line('（盖章）', line(tenantName, at + 20) + 10) + 14)
}

/** The final list of an exam as it is posted: what it rests on, one table per position, the seal, and numbered pages. */
export function finalListPdf(list: FinalListDocument): Promise<Buffer> {
  const sheet = newSheet({ title: `${list.examName} ${title}`, madeAt: list.madeAt })
  let y = heading(sheet, list)
  for (const position of list.positions) y = drawPosition(sheet, y, position)
  seal(sheet, y, list.tenantName, dayText(list.madeAt).split(' ')[0])
  footers(sheet, `${list.examName}　${title}　生成时间 ${momentText(list.madeAt)}`)
  return finished(sheet)
}
