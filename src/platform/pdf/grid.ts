import { area, decoration, element, heightOf, ink, type Sheet, type TextStyle, write } from '../workbook/sheet.ts'

/** A cell of a grid: a name on grey, or a value. */
export interface Cell extends TextStyle {
  text: string
  /** Columns it takes. */
  span?: number
  shade?: boolean
}

/** The name of a value: centred on grey. */
export const label = (text: string): Cell => ({ text, shade: true, align: 'center', size: 9.5, color: ink.soft })
/** A value. */
export const value = (text: string, more: Omit<Cell, 'text'> = {}): Cell => ({ text, ...more })

const paddingX = 6
const paddingY = 4.5

interface Placed {
  cell: Cell
  x: number
  width: number
}

function placed(cells: readonly Cell[], widths: readonly number[], left: number): Placed[] {
  let column = 0
  let x = left
  return cells.map(cell => {
    const width = widths.slice(column, column + (cell.span ?? 1)).reduce((sum, one) => sum + one, 0)
    const at = { cell, x, width }
    column += cell.span ?? 1
    x += width
    return at
  })
}

const cellHeight = (sheet: Sheet, { cell, width }: Placed, padding = paddingY): number =>
  heightOf(sheet, cell.text, width - paddingX * 2, cell) + padding * 2

function drawCell(sheet: Sheet, { cell, x, width }: Placed, y: number, height: number): void {
  decoration(sheet, () => {
    sheet.save().lineWidth(0.6).strokeColor(ink.line)
    if (cell.shade) sheet.rect(x, y, width, height).fillAndStroke(ink.shade, ink.line)
    else sheet.rect(x, y, width, height).stroke()
    sheet.restore()
  })
  const inner = width - paddingX * 2
  const text = heightOf(sheet, cell.text, inner, cell)
  write(sheet, cell.text, x + paddingX, y + (height - text) / 2, inner, { tag: cell.shade ? 'TH' : 'TD', ...cell })
}

export interface GridOptions {
  left?: number
  /** Least height of a row. */
  rowHeight?: number
  /** Space above and below the text of a cell. */
  padding?: number
  /** Called after a page was begun; draws what repeats and returns where to go on. */
  onPage?: (top: number) => number
}

/** How high rows will be, for keeping things together on a page. */
export function gridHeight(sheet: Sheet, widths: readonly number[], rows: readonly Cell[][], rowHeight = 26): number {
  return rows.reduce((sum, cells) => {
    return sum + Math.max(rowHeight, ...placed(cells, widths, 0).map(one => cellHeight(sheet, one)))
  }, 0)
}

/**
 * Draws rows of cells in columns of the given widths and returns the point below. A row never breaks; where the page
 * ends a new one begins.
 */
export function grid(
  sheet: Sheet,
  y: number,
  widths: readonly number[],
  rows: readonly Cell[][],
  { left = area(sheet).left, rowHeight = 26, padding, onPage = top => top }: GridOptions = {},
): number {
  let at = y
  const drawRow = (cells: readonly Cell[]) => {
    const row = placed(cells, widths, left)
    const height = Math.max(rowHeight, ...row.map(one => cellHeight(sheet, one, padding)))
    if (at + height > area(sheet).bottom) {
      sheet.addPage()
      // Heads said again are no content of their own.
      decoration(sheet, () => {
        at = onPage(area(sheet).top)
      })
    }
    element(sheet, 'TR', () => {
      for (const one of row) drawCell(sheet, one, at, height)
    })
    at += height
  }
  if (rows.length > 0) {
    element(sheet, 'Table', () => {
      for (const cells of rows) drawRow(cells)
    })
  }
  return at
}
