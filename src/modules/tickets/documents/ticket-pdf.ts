import { type TicketFact, type TicketLayout, type TicketRow, ticketLayouts } from '#schemas/tickets/ticket-layouts'
import { clockText, dayText, momentText } from '../../../platform/i18n/times.ts'
import { type Cell, grid, label, value } from '../../../platform/pdf/grid.ts'
import { drawQr } from '../../../platform/pdf/qr.ts'
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
  /** Name of its layout; the standard one where there is none of that name. */
  layout: string
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

/** Where a value is missing although its row stands. */
const none = '—'

function timeText({ startTime, endTime, latestTime }: TicketDocument): string {
  const time = `${clockText(startTime)} — ${clockText(endTime)}`
  return latestTime ? `${time}（${clockText(latestTime)} 后不得入场）` : time
}

const factsOf = (ticket: TicketDocument): Readonly<Record<TicketFact, string>> => ({
  name: ticket.name,
  sex: ticket.sex ?? '',
  idCard: ticket.idCard,
  ticketNo: ticket.ticketNo,
  unit: ticket.unit,
  post: [ticket.code, ticket.postName].filter(Boolean).join(' '),
  date: dayText(ticket.startTime),
  time: timeText(ticket),
  subject: ticket.subject || ticket.itemName,
  paper: ticket.paper || none,
  site: ticket.siteName,
  room: ticket.roomName || `第${ticket.roomNo}考场`,
  address: ticket.address,
  traffic: ticket.traffic ?? '',
  roomNo: ticket.roomNo,
  seatNo: ticket.seatNo,
  latestTime: ticket.latestTime ? clockText(ticket.latestTime) : none,
})

/** A ticket with its layout and what it says in words. */
interface Laid {
  ticket: TicketDocument
  layout: TicketLayout
  facts: Readonly<Record<TicketFact, string>>
}

/** Rows of a layout as those of a grid of four columns. */
function cellsOf({ facts }: Laid, rows: readonly TicketRow[]): Cell[][] {
  const shown = rows.filter(cells => cells.some(({ fact, optional }) => !optional || facts[fact] !== ''))
  return shown.map(cells =>
    cells.flatMap(({ label: name, fact, optional: _o, ...style }) => [
      label(name),
      value(facts[fact], cells.length === 1 ? { ...style, span: 3 } : style),
    ]),
  )
}

function heading(sheet: Sheet, { ticket, layout }: Laid): number {
  const { left, top, right, width } = area(sheet)
  const below = write(sheet, ticket.examName, left, top, width, {
    size: 15,
    weight: 'bold',
    align: 'center',
    lineGap: 2,
  })
  const title = `${ticket.itemName}${layout.paper}`
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
function identity(sheet: Sheet, laid: Laid, y: number): number {
  const { right, width } = area(sheet)
  const room = width - photoBox.width - 12
  const widths = [72, room - 72 - 52 - 60, 52, 60]
  const rows = cellsOf(laid, laid.layout.identity)
  drawPhoto(sheet, laid.ticket.photo, right - photoBox.width, y)
  const below = grid(sheet, y, widths, rows, { rowHeight: photoBox.height / rows.length })
  return Math.max(below, y + photoBox.height) + 12
}

/** What is looked for at the door, large. */
function doorNumbers(sheet: Sheet, { layout, facts }: Laid, y: number): number {
  const { left, width } = area(sheet)
  const each = width / layout.door.length
  const height = 58
  layout.door.forEach(({ label: name, fact }, i) => {
    const x = left + i * each
    sheet.save().lineWidth(1.2).strokeColor(ink.black).rect(x, y, each, height).stroke().restore()
    write(sheet, name, x, y + 5, each, { size: 9, color: ink.soft, align: 'center' })
    writeFitted(sheet, facts[fact], x + 4, y + 17, each - 8, { size: 23, weight: 'bold', align: 'center' })
  })
  return y + height
}

function place(sheet: Sheet, laid: Laid, y: number): number {
  const { width } = area(sheet)
  const widths = [72, width / 2 - 72, 72, width / 2 - 72]
  return grid(sheet, y, widths, cellsOf(laid, laid.layout.place)) + 14
}

const qrSize = mm(38)

/** The rules, beside the code as long as the code stands there, and below it at full width. */
function notes(sheet: Sheet, { ticket, layout }: Laid, y: number): void {
  const { left, right, width, bottom } = area(sheet)
  const codeX = right - qrSize - 4
  drawQr(sheet, ticket.qr, codeX, y + 4, qrSize)
  write(sheet, layout.caption, codeX - 10, y + qrSize + 8, qrSize + 20, {
    size: 7.5,
    align: 'center',
    color: ink.soft,
  })
  const beside = y + qrSize + 26
  let at = write(sheet, layout.notes, left, y, codeX - left - 14, { size: 12, weight: 'bold' }) + 3
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

const layoutOf = (name: string): TicketLayout =>
  (ticketLayouts as Readonly<Record<string, TicketLayout>>)[name] ?? ticketLayouts.standard

function drawTicket(sheet: Sheet, ticket: TicketDocument): void {
  const laid: Laid = { ticket, layout: layoutOf(ticket.layout), facts: factsOf(ticket) }
  const below = identity(sheet, laid, heading(sheet, laid))
  notes(sheet, laid, place(sheet, laid, doorNumbers(sheet, laid, below)))
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
