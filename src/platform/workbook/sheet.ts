import { printable, printFont, type Weight } from '../pdf/fonts.ts'
import { load } from '../pdf/load.ts'

export type Sheet = PDFKit.PDFDocument

/** Greys only: a page must say the same on a black-and-white printer. */
export const ink = {
  black: '#000000',
  soft: '#444444',
  line: '#333333',
  hair: '#999999',
  shade: '#f1f1f1',
  mark: '#e4e4e4',
}

/** Millimetres as points. */
export const mm = (length: number): number => (length * 72) / 25.4

export interface SheetOptions {
  title: string
  /** When it is made; it stands in the file's properties. */
  madeAt: Date
  landscape?: boolean
  /** All four, in points. */
  margin?: number
  /** Says what each part is (headings, tables, decoration), for screen readers and for what copies its text. */
  tagged?: boolean
}

/** Where the next text of a tagged document belongs. */
interface Marks {
  parent: PDFKit.PDFStructureElement
  /** Inside of a decoration: nothing there is content. */
  hidden: boolean
}

const marks = new WeakMap<Sheet, Marks>()

/** Draws something that is no content, as lines, frames and page numbers are: nothing reads it aloud. */
export function decoration(sheet: Sheet, draw: () => void): void {
  const mark = marks.get(sheet)
  if (!mark || mark.hidden) {
    draw()
    return
  }
  sheet.markContent('Artifact')
  mark.hidden = true
  draw()
  mark.hidden = false
  sheet.endMarkedContent()
}

/** Puts what is written meanwhile under an element of the document: a table, or a row of one. */
export function element<T>(sheet: Sheet, type: 'Table' | 'TR', draw: () => T): T {
  const mark = marks.get(sheet)
  if (!mark || mark.hidden) return draw()
  const { parent } = mark
  mark.parent = sheet.struct(type)
  parent.add(mark.parent)
  const result = draw()
  mark.parent = parent
  return result
}

/** Draws a picture with a text that stands for it. */
export function figure(sheet: Sheet, alt: string, draw: () => void): void {
  const mark = marks.get(sheet)
  if (!mark || mark.hidden) draw()
  else mark.parent.add(sheet.struct('Figure', { alt }, [draw]))
}

/** A new A4 document with the built-in fonts. */
export function newSheet({ title, madeAt, landscape = false, margin = mm(16), tagged = false }: SheetOptions): Sheet {
  const PDFDocument = load('pdfkit') as typeof import('pdfkit')
  const sheet = new PDFDocument({
    size: 'A4',
    layout: landscape ? 'landscape' : 'portrait',
    margin,
    bufferPages: true,
    lang: 'zh-CN',
    displayTitle: true,
    ...(tagged ? { tagged, pdfVersion: '1.7' as const } : {}),
    info: { Title: printable(title), CreationDate: madeAt, ModDate: madeAt },
  })
  // pdfkit takes a parsed font as well; its types only know files and buffers.
  for (const weight of ['regular', 'bold'] as const) sheet.registerFont(weight, printFont(weight) as unknown as Buffer)
  if (tagged) {
    const parent = sheet.struct('Document')
    sheet.addStructure(parent)
    marks.set(sheet, { parent, hidden: false })
  }
  return sheet.font('regular').fontSize(10).lineWidth(0.6)
}

/** Closes a document and gives its bytes. */
export function finished(sheet: Sheet): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    sheet.on('data', (chunk: Buffer) => chunks.push(chunk))
    sheet.on('end', () => resolve(Buffer.concat(chunks)))
    sheet.on('error', reject)
    sheet.end()
  })
}

/** Left and right edge, width and lowest usable point of a page. */
export function area(sheet: Sheet): { left: number; top: number; right: number; width: number; bottom: number } {
  const { width, height, margins } = sheet.page
  const right = width - margins.right
  return { left: margins.left, top: margins.top, right, width: right - margins.left, bottom: height - margins.bottom }
}

export interface TextStyle {
  size?: number
  weight?: Weight
  align?: 'left' | 'center' | 'right'
  color?: string
  /** Space between letters, in points. */
  spacing?: number
  lineGap?: number
  /** What the text is in a tagged document; a paragraph unless said. */
  tag?: 'H1' | 'H2' | 'H3' | 'P' | 'TH' | 'TD'
}

const styled = (sheet: Sheet, { size = 10, weight = 'regular', color = ink.black }: TextStyle): Sheet =>
  sheet.font(weight).fontSize(size).fillColor(color)

const layout = (width: number, { align = 'left', spacing = 0, lineGap = 0 }: TextStyle) => ({
  width,
  align,
  characterSpacing: spacing,
  lineGap,
})

/** How high a text stands in a width, in points. */
export function heightOf(sheet: Sheet, text: string, width: number, style: TextStyle = {}): number {
  const shown = printable(text, style.weight) || ' '
  return styled(sheet, style).heightOfString(shown, layout(width, style))
}

/** Writes a text with its upper left corner at a point and returns the point below it. */
export function write(sheet: Sheet, text: string, x: number, y: number, width: number, style: TextStyle = {}): number {
  const shown = printable(text, style.weight) || ' '
  const draw = () => styled(sheet, style).text(shown, x, y, layout(width, style))
  const mark = marks.get(sheet)
  if (!mark || mark.hidden) draw()
  else {
    const tag = style.tag ?? 'P'
    const content = sheet.markStructureContent(tag)
    draw()
    sheet.endMarkedContent()
    mark.parent.add(sheet.struct(tag, {}, [content]))
  }
  return y + heightOf(sheet, text, width, style)
}

/** Writes a text on one line, made smaller until it fits. */
export function writeFitted(
  sheet: Sheet,
  text: string,
  x: number,
  y: number,
  width: number,
  style: TextStyle = {},
): number {
  const one = heightOf(sheet, '国', width, style)
  let size = style.size ?? 10
  while (size > 6 && heightOf(sheet, text, width, { ...style, size }) > one * 1.2) size -= 0.5
  return write(sheet, text, x, y, width, { ...style, size })
}

/** A straight line. */
export function rule(sheet: Sheet, x1: number, y: number, x2: number, width = 0.6, color = ink.line): void {
  decoration(sheet, () => {
    sheet.save().lineWidth(width).strokeColor(color).moveTo(x1, y).lineTo(x2, y).stroke().restore()
  })
}

/** An empty frame. */
export function frame(sheet: Sheet, x: number, y: number, width: number, height: number): void {
  decoration(sheet, () => {
    sheet.save().lineWidth(0.6).strokeColor(ink.line).rect(x, y, width, height).stroke().restore()
  })
}

/** Page numbers and a line of text at the foot of every page. */
export function footers(sheet: Sheet, text: string): void {
  const { start, count } = sheet.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    sheet.switchToPage(page)
    const { left, width, bottom } = area(sheet)
    // Below the margin pdfkit would begin a new page.
    const { margins } = sheet.page
    sheet.page.margins = { ...margins, bottom: 0 }
    decoration(sheet, () => {
      write(sheet, text, left, bottom + 6, width * 0.75, { size: 8, color: ink.soft })
      const number = `第 ${page - start + 1} 页 / 共 ${count} 页`
      write(sheet, number, left, bottom + 6, width, { size: 8, color: ink.soft, align: 'right' })
    })
    sheet.page.margins = margins
  }
}
