import { readXlsx, writeXlsx } from 'hucre'
import { describe, expect, it, vi } from 'vitest'
import { zipOf } from '../../../tests/helper/zip.ts'
import { readTemplate, streamWorkbook, templateWorkbook } from './workbook.ts'
import { workbookLimits } from './workbook-parts.ts'
import { readRows } from './workbook-read.ts'

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of list) found.push(one)
  return found
}
const rowsOf = (bytes: Buffer, options = {}) => all(readRows(bytes, options))
const columns = [
  { title: '姓名' },
  { title: '分数', type: 'number' as const },
  { title: '日期', type: 'date' as const },
  { title: '时间', type: 'time' as const },
]
const book = async (rows: unknown[][]) => bytesOf(streamWorkbook({ sheet: '名单', columns, rows }))

describe('streamWorkbook', () => {
  it.each(['=HYPERLINK("http://x")', '+cmd', '-2+3', '@SUM(A1)', '\t=1', '＝1+1', '=1+1'])(
    'keeps %j a text',
    async text => {
      const bytes = await book([[text]])
      const { sheets } = await readXlsx(bytes)
      expect(sheets[0]!.rows[1]![0]).toBe(text)
      expect(sheets[0]!.cells?.get('1,0')?.formula).toBeUndefined()
      expect((await rowsOf(bytes))[1]!.cells[0]!.kind).toBe('text')
    },
  )

  it('keeps long numbers as text, numbers as numbers and times as in Shanghai', async () => {
    const at = new Date('2026-12-31T16:30:00Z')
    const [, row] = await rowsOf(await book([['350102199501011236', '88.5', at, at]]))
    expect(row!.cells.map(cell => [cell.kind, cell.text])).toEqual([
      ['text', '350102199501011236'],
      ['number', '88.5'],
      ['date', '2027-01-01 00:30:00'],
      ['date', '2027-01-01 00:30:00'],
    ])
  })

  it('leaves out what a workbook cannot hold', async () => {
    const [, row] = await rowsOf(await book([['a\u0000b\ud800c\u0007', null, undefined, '']]))
    expect(row!.cells[0]!.text).toBe('abc')
  })

  it('takes rows only as they are read', async () => {
    let made = 0
    function* many() {
      for (; made < 200_000; made++) yield [`第${made}行`, made]
    }
    const stream = streamWorkbook({ sheet: '大', columns, rows: many() })
    await new Promise(resolve => stream.once('readable', resolve))
    expect(made).toBeLessThan(150_000)
    stream.destroy()
  })
})

describe('readRows', () => {
  it('tells formulas, rounded numbers and rows by their number', async () => {
    const bytes = await writeXlsx({
      sheets: [
        { name: '隐藏', rows: [['x']], hidden: true },
        {
          name: '可见',
          rows: [['头'], [null, 'a'], [], ['3.50102E+17', Number('350102199501011236'), ' 乙 ', true]],
          cells: new Map([['1,0', { value: 3, type: 'formula', formula: '1+2', formulaResult: 3 }]]),
        },
      ],
    })
    const rows = await rowsOf(Buffer.from(bytes))
    expect(rows.map(one => one.row)).toEqual([1, 2, 4])
    expect(rows[1]!.cells.map(cell => cell.kind)).toEqual(['formula', 'text'])
    expect(rows[2]!.cells.map(cell => cell.kind)).toEqual(['rounded', 'rounded', 'text', 'bool'])
    expect(rows[2]!.cells[2]!.text).toBe('乙')
  })

  it('reads a workbook that comes just when its thread has been idle for long enough to end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const bytes = await book([['a']])
      expect(await rowsOf(bytes)).toHaveLength(2)
      vi.advanceTimersByTime(20_000)
      expect(await rowsOf(bytes)).toHaveLength(2)
    } finally {
      vi.useRealTimers()
    }
  })

  it('stops after the rows allowed', async () => {
    const bytes = await book([['a'], ['b'], ['c']])
    await expect(rowsOf(bytes, { maxRows: 3 })).rejects.toMatchObject({ code: 28008 })
    expect(await rowsOf(bytes, { maxRows: 4 })).toHaveLength(4)
  })

  it.each([
    ['no zip', () => Buffer.from('姓名,分数')],
    ['nothing', () => Buffer.alloc(0)],
    ['a zip of something else', () => zipOf([{ name: 'a.txt', data: Buffer.from('x') }])],
    [
      'a document type',
      () => zipOf([{ name: 'xl/workbook.xml', data: Buffer.from('<!DOCTYPE x [<!ENTITY a "b">]>') }]),
    ],
    [
      'too many parts',
      () =>
        zipOf(Array.from({ length: workbookLimits.parts + 1 }, (_, i) => ({ name: `${i}`, data: Buffer.alloc(0) }))),
    ],
    [
      'a bomb that lies about its size',
      () => zipOf([{ name: 'xl/workbook.xml', data: Buffer.alloc(workbookLimits.bytes + 1), statedSize: 10 }]),
    ],
  ])('refuses %s', async (_name, make) => {
    await expect(rowsOf(make())).rejects.toMatchObject({ code: 28003 })
  })
})

describe('templates', () => {
  const options = Array.from({ length: 60 }, (_, i) => `第${i}类岗位名称`)
  const template = {
    sheet: '岗位',
    version: 'position-1',
    columns: [
      { title: '代码', required: true, note: '不能重复' },
      { title: '类别', options },
    ],
  }

  it('comes back with what was filled in', async () => {
    const bytes = await templateWorkbook({
      ...template,
      rows: [
        ['A01', '第1类岗位名称'],
        ['A02', null],
      ],
    })
    const rows = await all(readTemplate(bytes, template))
    expect(rows.map(one => [one.row, ...one.cells.map(cell => cell.text)])).toEqual([
      [3, 'A01', '第1类岗位名称'],
      [4, 'A02', ''],
    ])
  })

  it('has marked heads, drop-downs and hints', async () => {
    const { sheets } = await readXlsx(await templateWorkbook(template))
    expect(sheets[0]!.rows[1]).toEqual(['* 代码', '类别'])
    const [hint, list] = sheets[0]!.dataValidations!
    expect(hint).toMatchObject({ inputMessage: '不能重复', range: 'A3:A20002' })
    expect(list).toMatchObject({ type: 'list', formula1: '可选项!$B$1:$B$60', range: 'B3:B20002' })
    expect(sheets[1]!.hidden).toBe(true)
    expect(sheets[1]!.rows[59]![1]).toBe('第59类岗位名称')
  })

  it.each([
    ['another version', { ...template, version: 'position-2' }],
    ['other heads', { ...template, columns: [{ title: '编码' }] }],
  ])('refuses %s', async (_name, wanted) => {
    const bytes = await templateWorkbook(template)
    await expect(all(readTemplate(bytes, wanted))).rejects.toMatchObject({ code: 28005 })
  })
})

describe('a workbook that would take everything', () => {
  const head = '<?xml version="1.0"?>'
  /** A workbook of one sheet, of which the parts are given. */
  const crafted = (sheet: Buffer, strings = Buffer.from('<sst/>')) =>
    zipOf(
      Object.entries({
        '[Content_Types].xml': Buffer.from(
          `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
        ),
        '_rels/.rels': Buffer.from(
          `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
        ),
        'xl/workbook.xml': Buffer.from(
          `${head}<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
        ),
        'xl/_rels/workbook.xml.rels': Buffer.from(
          `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
        ),
        'xl/sharedStrings.xml': strings,
        'xl/worksheets/sheet1.xml': sheet,
      }).map(([name, data]) => ({ name, data })),
    )
  const sheetOf = (row: string, times: number) =>
    Buffer.from(`${head}<worksheet><sheetData>${row.repeat(times)}</sheetData></worksheet>`)

  it('is read when it is like any other', async () => {
    const bytes = crafted(sheetOf('<row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c></row>', 1))
    expect((await rowsOf(bytes)).map(({ cells }) => cells[0]?.text)).toEqual(['x'])
  })

  it.each([
    [
      'more than 100 MB',
      () => crafted(sheetOf(`<row><c t="inlineStr"><is><t>${'x'.repeat(1000)}</t></is></c></row>`, 110_000)),
    ],
    ['more cells than anybody fills in', () => crafted(sheetOf(`<row>${'<c/>'.repeat(10)}</row>`, 310_000))],
    [
      'one long text in every cell',
      () =>
        crafted(
          sheetOf('<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>', 1000),
          Buffer.from(`<sst><si><t>${'字'.repeat(30_000)}</t></si></sst>`),
        ),
    ],
    ['a tag without an end', () => crafted(Buffer.from(`<worksheet><row ${'a'.repeat(3_000_000)}`))],
  ])('is refused with %s', async (_, make) => {
    await expect(rowsOf(make())).rejects.toMatchObject({ code: 28003 })
    // The next one is read.
    expect(await rowsOf(await book([['x']]))).toHaveLength(2)
  })
})
