import { FormInputType } from '#schemas/dictionaries'
import type { Dicts } from '../../../engine/form-field.ts'
import { momentText } from '../../../platform/i18n/times.ts'
import { outlineOf } from '../../../platform/pdf/fonts.ts'
import { type Cell, grid, gridHeight, label, value } from '../../../platform/pdf/grid.ts'
import {
  area,
  decoration,
  figure,
  finished,
  footers,
  frame,
  heightOf,
  ink,
  newSheet,
  type Sheet,
  write,
} from '../../../platform/workbook/sheet.ts'
import { groupsOf, visibleItems } from '../../exams/rules/sign-form.ts'
import type { Content, SignItem } from '../../exams/rules/sign-item.ts'
import { showValue } from '../../exams/rules/sign-text.ts'

declare module '../../../platform/pdf/drawing.ts' {
  interface Makers {
    signFormPdf: typeof signFormPdf
  }
}

/** A filled-in form with the words around it. */
export interface SignFormDocument {
  examName: string
  signNo: string
  /** Not handed in: marked 草稿 on every page. */
  draft: boolean
  submitTime?: Date | null
  name: string
  sex: string
  birthday: string
  idCard: string
  phone: string
  /** JPEG or PNG. */
  photo?: Buffer | null
  position: { unit: string; code: string; postName?: string; type?: string }
  second?: { unit: string; code: string; postName?: string } | null
  /** 是 or 否; left out when the exam moves nobody. */
  adjust?: string | null
  /** The exam's items, and the position type they are asked for. */
  items: readonly SignItem[]
  type?: string | null
  content: Content
  dicts: Dicts
  /** What the candidate promised, one paragraph each, as plain text. */
  promise: readonly string[]
  /** Names of the files handed in. */
  files?: readonly string[]
  madeAt: Date
}

const nameWidth = 84
const photoWidth = 92

/** Columns of a half-and-half row. */
function halves(width: number): number[] {
  const each = width / 2 - nameWidth
  return [nameWidth, each, nameWidth, each]
}

function heading(sheet: Sheet, form: SignFormDocument): number {
  const { left, top, width } = area(sheet)
  const below = write(sheet, form.examName, left, top, width, {
    size: 14,
    weight: 'bold',
    align: 'center',
    lineGap: 2,
    tag: 'H1',
  })
  const title = write(sheet, '报名表', left, below + 2, width, {
    size: 21,
    weight: 'bold',
    align: 'center',
    // Farther apart, the letters would be copied as three words.
    spacing: 2,
    tag: 'H2',
  })
  write(sheet, `报名号：${form.signNo || '—'}`, left, title + 4, width / 2, { size: 9.5 })
  const state = form.draft ? '草稿，未提交' : `提交时间：${form.submitTime ? momentText(form.submitTime) : '—'}`
  return write(sheet, state, left, title + 4, width, { size: 9.5, align: 'right' }) + 5
}

/** What is known of everybody, the photo beside it. */
function person(sheet: Sheet, form: SignFormDocument, y: number): number {
  const { left, width } = area(sheet)
  const room = width - photoWidth
  const each = (room - nameWidth * 2) / 2
  const rows: Cell[][] = [
    [label('姓名'), value(form.name, { weight: 'bold', size: 11 }), label('性别'), value(form.sex)],
    [label('出生日期'), value(form.birthday), label('手机号码'), value(form.phone)],
    [label('证件号码'), value(form.idCard, { span: 3 })],
    [label('报考单位'), value(form.position.unit, { span: 3 })],
  ]
  const below = grid(sheet, y, [nameWidth, each, nameWidth, each], rows, { rowHeight: 32 })
  const x = left + room
  frame(sheet, x, y, photoWidth, below - y)
  const fit: [number, number] = [photoWidth - 2, below - y - 2]
  const { photo } = form
  if (photo) figure(sheet, '照片', () => sheet.image(photo, x + 1, y + 1, { fit, align: 'center', valign: 'center' }))
  else write(sheet, '照片', x, (y + below) / 2 - 8, photoWidth, { align: 'center', color: ink.hair })
  return choice(sheet, form, below)
}

const postText = (position: { code: string; postName?: string; type?: string }): string =>
  [position.code, position.postName, position.type && `（${position.type}）`].filter(Boolean).join(' ')

function choice(sheet: Sheet, form: SignFormDocument, y: number): number {
  const { second, adjust, position } = form
  const rows: Cell[][] = [[label('报考岗位'), value(postText(position), { span: 3, weight: 'bold' })]]
  if (second) rows.push([label('调剂志愿'), value(`${second.unit}　${postText(second)}`, { span: 3 })])
  if (adjust) rows.push([label('服从调剂'), value(adjust, { span: 3 })])
  return grid(sheet, y, halves(area(sheet).width), rows)
}

/** The same point, or the top of a new page when less than `need` is left below it. */
function withRoom(sheet: Sheet, y: number, need: number): number {
  if (y + need <= area(sheet).bottom) return y
  sheet.addPage()
  return area(sheet).top
}

/** A group's title, kept together with the row after it. */
function groupTitle(sheet: Sheet, title: string, y: number, next: number): number {
  const at = withRoom(sheet, y + 8, 22 + next)
  return write(sheet, title, area(sheet).left, at, area(sheet).width, { size: 11, weight: 'bold', tag: 'H3' }) + 3
}

/** Items as rows: two halves beside each other, whole ones alone. */
function itemRows(items: readonly SignItem[], form: SignFormDocument): Cell[][] {
  const rows: Cell[][] = []
  let open: Cell[] | null = null
  for (const item of items) {
    const text = showValue(item, form.content[item.itemCode], form.dicts)
    const cells = [label(item.itemName), value(text)]
    const whole = (item.span ?? 12) > 12
    if (!whole && open) {
      open.push(...cells)
      open = null
      continue
    }
    if (open) closeRow(open)
    rows.push(cells)
    open = whole ? null : cells
    if (whole) closeRow(cells)
  }
  if (open) closeRow(open)
  return rows
}

/** Lets the last value of a row reach the edge. */
function closeRow(cells: Cell[]): void {
  const last = cells.at(-1)
  if (last) last.span = 3
}

/** A sub-table: its name as a title line, then heads and rows. */
function table(sheet: Sheet, item: SignItem, form: SignFormDocument, y: number): number {
  const { width } = area(sheet)
  const columns = item.columns ?? []
  const weights = columns.map(column =>
    column.inputType === FormInputType.month ? 0.75 : column.inputType === FormInputType.select ? 0.9 : 1.5,
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const widths = weights.map(weight => (width * weight) / total)
  const head = columns.map(column => label(column.itemName))
  const found = form.content[item.itemCode]
  const rows = (Array.isArray(found) ? found : [{}]) as Content[]
  const cells = rows.map(row =>
    columns.map(column => value(showValue(column, row[column.itemCode], form.dicts), { align: 'center', size: 9.5 })),
  )
  const titled = grid(sheet, withRoom(sheet, y, 22 * 3), [width], [[{ ...label(item.itemName), weight: 'bold' }]], {
    rowHeight: 22,
  })
  const onPage = (top: number) => grid(sheet, top, widths, [head], { rowHeight: 22 })
  return grid(sheet, titled, widths, [head, ...cells], { rowHeight: 22, onPage })
}

function groups(sheet: Sheet, form: SignFormDocument, y: number): number {
  const items = visibleItems(form.items, form.content, form.type).filter(
    item => item.inputType !== FormInputType.note && (item.inPrint ?? 1) !== 0 && item.inPrint !== false,
  )
  const widths = halves(area(sheet).width)
  let at = y
  for (const group of groupsOf(items, form.dicts.item_group)) {
    const own = items.filter(item => group.codes.includes(item.itemCode))
    const plain = itemRows(
      own.filter(item => item.inputType !== FormInputType.table),
      form,
    )
    at = groupTitle(sheet, group.label, at, plain[0] ? gridHeight(sheet, widths, [plain[0]]) : 66)
    at = grid(sheet, at, widths, plain)
    for (const item of own.filter(one => one.inputType === FormInputType.table)) at = table(sheet, item, form, at)
  }
  return at
}

/** The promise and the line to sign on, never parted. */
function promise(sheet: Sheet, form: SignFormDocument, y: number): void {
  const { left, width } = area(sheet)
  const style = { size: 9.5, lineGap: 2 }
  const need = form.promise.reduce((sum, text) => sum + heightOf(sheet, text, width - 20, style) + 2, 60)
  let at = groupTitle(sheet, '诚信承诺', y, need)
  const top = at
  at += 6
  for (const text of form.promise) at = write(sheet, text, left + 10, at, width - 20, style) + 2
  at = write(sheet, '承诺人（签名）：＿＿＿＿＿＿＿＿　　　＿＿＿＿年＿＿月＿＿日', left + 10, at + 12, width - 20, {
    size: 10,
    align: 'right',
  })
  frame(sheet, left, top, width, at + 8 - top)
}

/**
 * Pale words across every page: whose form it is, or that it was never handed in. Under the text, and drawn as outlines:
 * as text, what is copied from the page would have them between its lines.
 */
function watermark(sheet: Sheet, form: SignFormDocument): () => void {
  const words = outlineOf(form.draft ? '草 稿' : `${form.signNo} ${form.name}`, form.draft ? 64 : 22)
  const [across, down] = form.draft ? [260, 210] : [Math.max(240, words.width + 40), 130]
  // Rows of the tile reach above and below the line the words stand on.
  const tile = sheet.pattern([0, -down / 2, across, down / 2], across, down, words.path)
  return () =>
    decoration(sheet, () => {
      const { width, height } = sheet.page
      const { x, y } = sheet
      sheet.save().rotate(-30, { origin: [width / 2, height / 2] })
      sheet.rect(-height, -height, width + height * 2, height * 3).fill([tile, ink.mark])
      sheet.restore()
      sheet.x = x
      sheet.y = y
    })
}

/** The form as a PDF on as many A4 pages as it needs; a draft is marked 草稿, a handed-in one with its number and name. */
export function signFormPdf(form: SignFormDocument): Promise<Buffer> {
  const sheet = newSheet({ title: `${form.examName} 报名表 ${form.name}`, madeAt: form.madeAt, tagged: true })
  const mark = watermark(sheet, form)
  mark()
  sheet.on('pageAdded', mark)
  let at = groups(sheet, form, person(sheet, form, heading(sheet, form)))
  if (form.files?.length) {
    const { width } = area(sheet)
    at = grid(sheet, at + 8, [nameWidth, width - nameWidth], [[label('附件'), value(form.files.join('、'))]])
  }
  promise(sheet, form, at)
  const state = form.draft ? '草稿，未提交　' : ''
  footers(sheet, `报名表　${state}${form.signNo} ${form.name}　生成时间 ${momentText(form.madeAt)}`)
  return finished(sheet)
}
