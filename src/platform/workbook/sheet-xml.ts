import type { CellValue } from 'hucre'

/** How a sheet looks around its cells. */
export interface SheetLook {
  /** Titles of the first row, which stays in sight. */
  heads: readonly string[]
  /** In characters, by column. */
  widths: readonly number[]
  /** Number of the style of a column's cells, in {@link stylesXml}. */
  styles: readonly number[]
  /** Stands below every printed page. */
  foot?: string
}

/** Formats of cells; their place is the number of the style. */
const formats = ['General', '@', 'yyyy-mm-dd', 'yyyy-mm-dd hh:mm:ss'] as const

/** The style of a format. */
export const styleOf = (format: string | undefined): number =>
  Math.max(0, formats.indexOf((format ?? 'General') as '@'))

/** Bytes collected before they are given away: enough for few steps, too few to be felt in memory. */
const portion = 65_536

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const opened = 'http://schemas.openxmlformats.org/package/2006'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const special = /[&<>"]/
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string =>
  special.test(text) ? text.replace(/[&<>"]/g, letter => escapes[letter] ?? '') : text

const letters = (index: number): string =>
  index < 26
    ? String.fromCharCode(65 + index)
    : letters(Math.floor(index / 26) - 1) + String.fromCharCode(65 + (index % 26))

/** A day in milliseconds, and the number that spreadsheets give to 1970-01-01. */
const [day, epoch] = [86_400_000, 25_569]

/** One cell. A text stands in the cell itself: a table of all texts would have to be kept until the end. */
function cellXml(at: string, value: CellValue, style: number): string {
  const open = `<c r="${at}"${style ? ` s="${style}"` : ''}`
  if (typeof value === 'string') {
    const space = /^\s|\s$|\n/.test(value) ? ' xml:space="preserve"' : ''
    return `${open} t="inlineStr"><is><t${space}>${escaped(value)}</t></is></c>`
  }
  if (typeof value === 'number') return `${open}><v>${value}</v></c>`
  if (typeof value === 'boolean') return `${open} t="b"><v>${value ? 1 : 0}</v></c>`
  if (value instanceof Date) return `${open}><v>${value.getTime() / day + epoch}</v></c>`
  return style ? `${open}/>` : ''
}

function rowXml(
  row: number,
  cells: readonly CellValue[],
  styles: readonly number[],
  columns: readonly string[],
): string {
  let xml = `<row r="${row}">`
  for (let i = 0; i < cells.length; i++) xml += cellXml(`${columns[i]}${row}`, cells[i] ?? null, styles[i] ?? 0)
  return `${xml}</row>`
}

const columnsXml = (widths: readonly number[]): string =>
  `<cols>${widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`).join('')}</cols>`

/** Texts one after another as buffers of some size: each text is written down at once, so that none is kept long. */
async function* inPortions(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let [buffer, used] = [Buffer.allocUnsafe(portion), 0]
  for await (const text of texts) {
    const size = Buffer.byteLength(text)
    if (used + size > buffer.length) {
      if (used > 0) yield buffer.subarray(0, used)
      buffer = Buffer.allocUnsafe(Math.max(portion, size))
      used = 0
    }
    used += buffer.write(text, used)
  }
  yield buffer.subarray(0, used)
}

/** What stands below every printed page, with the number of the page, as spreadsheets write it: `&` begins a code. */
export const footOf = (foot: string): string => `&L${foot.replaceAll('&', '&&')}&R&P / &N`

const footXml = (foot: string): string => `<headerFooter><oddFooter>${escaped(footOf(foot))}</oddFooter></headerFooter>`

/** The sheet's XML, made while it is read. */
export function sheetXml(look: SheetLook, rows: AsyncIterable<readonly CellValue[]>): AsyncGenerator<Buffer> {
  const columns = look.heads.map((_, i) => letters(i))
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const view = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`
  async function* texts() {
    yield `${head}<worksheet xmlns="${main}">${view}${columnsXml(look.widths)}<sheetData>`
    yield rowXml(1, look.heads, look.styles, columns)
    let row = 1
    for await (const cells of rows) yield rowXml(++row, cells, look.styles, columns)
    yield `</sheetData>${look.foot ? footXml(look.foot) : ''}</worksheet>`
  }
  return inPortions(texts())
}

/** The formats of cells, numbered as {@link styleOf} says. */
function stylesXml(): string {
  const own = formats.map((format, i) => `<numFmt numFmtId="${164 + i}" formatCode="${escaped(format)}"/>`).join('')
  const cells = formats.map(
    (_, i) =>
      `<xf numFmtId="${i === 0 ? 0 : 164 + i}" fontId="0" fillId="0" borderId="0" xfId="0"${i === 0 ? '' : ' applyNumberFormat="1"'}/>`,
  )
  return `${head}<styleSheet xmlns="${main}"><numFmts count="${formats.length}">${own}</numFmts>
<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="${formats.length}">${cells.join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
}

const relation = (id: number, type: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${office}/${type}" Target="${target}"/>`
const relations = (...all: string[]): string =>
  `${head}<Relationships xmlns="${opened}/relationships">${all.join('')}</Relationships>`

const part = (name: string, type: string): string =>
  `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`

/** Where the sheet stands in the package. */
export const sheetPath = 'xl/worksheets/sheet1.xml'

/** Everything of a workbook of one sheet but the sheet itself, by path. */
export const packageParts = (sheet: string): Readonly<Record<string, string>> => ({
  '[Content_Types].xml': `${head}<Types xmlns="${opened}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('xl/workbook.xml', 'sheet.main')}${part(sheetPath, 'worksheet')}${part('xl/styles.xml', 'styles')}</Types>`,
  '_rels/.rels': relations(relation(1, 'officeDocument', 'xl/workbook.xml')),
  'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations(
    relation(1, 'worksheet', 'worksheets/sheet1.xml'),
    relation(2, 'styles', 'styles.xml'),
  ),
  'xl/styles.xml': stylesXml(),
})
