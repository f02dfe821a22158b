import { templateWorkbook } from '../../src/platform/workbook/workbook.ts'
import { readRows } from '../../src/platform/workbook/workbook-read.ts'
import type { TestApp } from './app.ts'
import type { Caller } from './person.ts'

/** Calls about schools, below `/api`. */
export const schools = '/blade-school/school'

/** A row of the template by the titles of its columns. */
type Line = Readonly<Record<string, string | undefined>>

/** The texts of all cells of a workbook, row by row. */
export async function cellsOf(book: Buffer): Promise<string[][]> {
  const rows: string[][] = []
  for await (const row of readRows(book)) rows.push(row.cells.map(cell => cell.text))
  return rows
}

/** The template by which schools are imported, as somebody gets it. */
export async function schoolSheet(t: TestApp, { headers }: Caller) {
  const book = (await t.app.inject({ url: `/api${schools}/template`, headers })).rawPayload
  const [mark, titles = []] = await cellsOf(book)
  const version = /：(\S+?)（/.exec(mark?.[0] ?? '')?.[1] ?? ''
  const { rows } = await t.pool.query<{ dictValue: string }>(
    `SELECT "dictValue" FROM dict WHERE code = 'school_type' AND "parentId" > 0 LIMIT 1`,
  )
  const type = rows[0]?.dictValue ?? ''
  return {
    /** The titles of its columns; with a star what must be filled in. */
    titles,
    /** A filled-in template. */
    fill(lines: readonly Line[]): Promise<Buffer> {
      const columns = titles.map(title => ({ title: title.replace('* ', ''), required: title.startsWith('* ') }))
      const cells = lines.map(line => columns.map(({ title }) => line[title] ?? null))
      return templateWorkbook({ sheet: '学校', version, columns, rows: cells })
    },
    /** A line without a mistake. */
    school: (code: string): Line => ({ 学校名称: `学校${code}`, 学校代码: code, 类型: type, 启用: '是' }),
  }
}

/** What is sent with a filled-in template. */
export function schoolForm(book: Buffer, mode: 1 | 2): FormData {
  const form = new FormData()
  form.set('mode', String(mode))
  form.set('file', new Blob([new Uint8Array(book)]), '考点.xlsx')
  return form
}
