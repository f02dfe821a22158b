import { type Cell, grid, label, value } from '../../../platform/pdf/grid.ts'
import { drawQr } from '../../../platform/pdf/qr.ts'
import { clockText, dayText, momentText } from '../../../platform/pdf/times.ts'
import {
  area,
  finished,
  heightOf,
  ink,
  mm,
  newSheet,
  rule,
  type Sheet,
  write,
  writeFitted,
} from '../../../platform/workbook/sheet.ts'

declare module '../../../platform/pdf/drawing.ts' {
  interface Makers {
    ticketPdf: typeof ticketPdf
    ticketsPdf: typeof ticketsPdf
  }
}

/** Everything that stands on a ticket, in words. */
export interface TicketDocument {
  examName: string
  /** The stage: 笔试, 面试. */
  itemName: string
  ticketNo: string
  name: string
  sex?: string
  /** In full: the ticket is shown beside the card. */
  idCard: string
  /** JPEG or PNG. */
  photo?: Buffer | null
  unit: string
  code: string
  postName?: string
  siteName: string
  address: string
  traffic?: string | null
  roomNo: string
  roomName?: string | null
  seatNo: string
  subject?: string
  paper?: string | null
  startTime: Date
  endTime: Date
  latestTime?: Date | null
  /** 考生须知, one rule each, as plain text. */
  notes: readonly string[]
  /** Text of the QR code, from `signTicket`. */
  qr: string
  organizer?: string
  contactPhone?: string
  madeAt: Date
}

const photoBox = { width: 92, height: (92 * 413) / 295 }

function heading(sheet: Sheet, ticket: TicketDocument): number {
  const { left, top, right, width } = area(sheet)
  const below = write(sheet, ticket.examName, left, top, width, {
    size: 15,
    weight: 'bold',
    align: 'center',
    lineGap: 2,
  })
  const title = `${ticket.itemName}准考证`
  const y = write(sheet, title, left, below + 3, width, { size: 24, weight: 'bold', align: 'center', spacing: 6 }) + 6
  rule(sheet, left, y, right, 1.6, ink.black)
  rule(sheet, left, y + 3, right, 0.5, ink.black)
  return y + 14
}

function drawPhoto(sheet: Sheet, photo: Buffer | null | undefined, x: number, y: number): void {
  const { width, height } = photoBox
  if (photo) sheet.image(photo, x, y, { fit: [width, height], align: 'center', valign: 'center' })
  sheet.save().lineWidth(0.6).strokeColor(ink.line).rect(x, y, width, height).stroke().restore()
  if (!photo) write(sheet, '照片', x, y + height / 2 - 8, width, { align: 'center', color: ink.hair })
}

/** Who it is: the photo at the right, the grid as high as the photo beside it. */
function identity(sheet: Sheet, ticket: TicketDocument, y: number): number {
  const { right, width } = area(sheet)
  const room = width - photoBox.width - 12
  const widths = [72, room - 72 - 52 - 60, 52, 60]
  const post = [ticket.code, ticket.postName].filter(Boolean).join(' ')
  const rows: Cell[][] = [
    [
      label('姓名'),
      value(ticket.name, { size: 12, weight: 'bold' }),
      label('性别'),
      value(ticket.sex ?? '', { align: 'center' }),
    ],
    [label('证件号码'), value(ticket.idCard, { span: 3, size: 11 })],
    [label('准考证号'), value(ticket.ticketNo, { span: 3, size: 12, weight: 'bold' })],
    [label('报考单位'), value(ticket.unit, { span: 3 })],
    [label('报考岗位'), value(post, { span: 3 })],
  ]
  drawPhoto(sheet, ticket.photo, right - photoBox.width, y)
  const below = grid(sheet, y, widths, rows, { rowHeight: photoBox.height / rows.length })
  return Math.max(below, y + photoBox.height) + 12
}

/** The two numbers looked for at the door, large. */
function doorNumbers(sheet: Sheet, ticket: TicketDocument, y: number): number {
  const { left, width } = area(sheet)
  const boxes = [
    ['考场号', ticket.roomNo],
    ['座位号', ticket.seatNo],
    ['最迟入场', ticket.latestTime ? clockText(ticket.latestTime) : '—'],
  ] as const
  const each = width / boxes.length
  const height = 58
  boxes.forEach(([name, text], i) => {
    const x = left + i * each
    sheet.save().lineWidth(1.2).strokeColor(ink.black).rect(x, y, each, height).stroke().restore()
    write(sheet, name, x, y + 5, each, { size: 9, color: ink.soft, align: 'center' })
    writeFitted(sheet, text, x + 4, y + 17, each - 8, { size: 23, weight: 'bold', align: 'center' })
  })
  return y + height
}

function place(sheet: Sheet, ticket: TicketDocument, y: number): number {
  const { width } = area(sheet)
  const widths = [72, width / 2 - 72, 72, width / 2 - 72]
  const time = `${clockText(ticket.startTime)} — ${clockText(ticket.endTime)}`
  const entry = ticket.latestTime ? `（${clockText(ticket.latestTime)} 后不得入场）` : ''
  const rows: Cell[][] = [
    [
      label('考试日期'),
      value(dayText(ticket.startTime), { weight: 'bold' }),
      label('考试时间'),
      value(`${time}${entry}`, { weight: 'bold', size: 9.5 }),
    ],
    [label('考试科目'), value(ticket.subject || ticket.itemName), label('试卷类型'), value(ticket.paper || '—')],
    [
      label('考点'),
      value(ticket.siteName, { weight: 'bold' }),
      label('教室'),
      value(ticket.roomName || `第${ticket.roomNo}考场`),
    ],
    [label('考点地址'), value(ticket.address, { span: 3 })],
  ]
  if (ticket.traffic) rows.push([label('交通提示'), value(ticket.traffic, { span: 3, size: 9 })])
  return grid(sheet, y, widths, rows) + 14
}

const qrSize = mm(38)

/** The rules, beside the code as long as the code stands there, and below it at full width. */
function notes(sheet: Sheet, ticket: TicketDocument, y: number): void {
  const { left, right, width, bottom } = area(sheet)
  const codeX = right - qrSize - 4
  drawQr(sheet, ticket.qr, codeX, y + 4, qrSize)
  write(sheet, '扫码核验 · 请勿折叠污损', codeX - 10, y + qrSize + 8, qrSize + 20, {
    size: 7.5,
    align: 'center',
    color: ink.soft,
  })
  const beside = y + qrSize + 26
  let at = write(sheet, '考 生 须 知', left, y, codeX - left - 14, { size: 12, weight: 'bold' }) + 3
  const size = fittingSize(sheet, ticket.notes, codeX - left - 14, bottom - at)
  ticket.notes.forEach((note, i) => {
    const room = at < beside ? codeX - left - 20 : width
    const style = { size, lineGap: 1.5 }
    if (at + heightOf(sheet, note, room - 16, style) > bottom) {
      sheet.addPage()
      at = area(sheet).top
    }
    write(sheet, `${i + 1}.`, left, at, 16, style)
    at = write(sheet, note, left + 16, at, room - 16, style) + 2
  })
}

/** The largest size at which all rules stay on the page; the smallest one when none does. */
function fittingSize(sheet: Sheet, texts: readonly string[], width: number, height: number): number {
  const needs = (size: number) =>
    texts.reduce((sum, text) => sum + heightOf(sheet, text, width - 16, { size, lineGap: 1.5 }) + 2, 0)
  return [10, 9.5, 9, 8.5, 8].find(size => needs(size) <= height) ?? 7.5
}

function footer(sheet: Sheet, ticket: TicketDocument): void {
  const { left, right, width, bottom } = area(sheet)
  const { margins } = sheet.page
  sheet.page.margins = { ...margins, bottom: 0 }
  rule(sheet, left, bottom + 4, right, 0.5, ink.hair)
  const contact = [ticket.organizer, ticket.contactPhone && `咨询电话 ${ticket.contactPhone}`]
    .filter(Boolean)
    .join('　')
  write(sheet, contact, left, bottom + 8, width * 0.7, { size: 8, color: ink.soft })
  write(sheet, `生成时间 ${momentText(ticket.madeAt)}`, left, bottom + 8, width, {
    size: 8,
    color: ink.soft,
    align: 'right',
  })
  sheet.page.margins = margins
}

function drawTicket(sheet: Sheet, ticket: TicketDocument): void {
  const below = identity(sheet, ticket, heading(sheet, ticket))
  notes(sheet, ticket, place(sheet, ticket, doorNumbers(sheet, ticket, below)))
  footer(sheet, ticket)
}

/** One ticket as a PDF of one A4 page (two when the rules are very long); text can be selected. */
export function ticketPdf(ticket: TicketDocument): Promise<Buffer> {
  return ticketsPdf([ticket])
}

/** Tickets one after the other in one file: the fonts are embedded once, so a room costs little more than a page. */
export function ticketsPdf(tickets: readonly TicketDocument[]): Promise<Buffer> {
  const [first] = tickets
  if (!first) throw new RangeError('no tickets')
  const title = tickets.length === 1 ? `${first.examName} 准考证 ${first.ticketNo}` : `${first.examName} 准考证`
  const sheet = newSheet({ title, madeAt: first.madeAt })
  tickets.forEach((ticket, i) => {
    if (i > 0) sheet.addPage()
    drawTicket(sheet, ticket)
  })
  return finished(sheet)
}
