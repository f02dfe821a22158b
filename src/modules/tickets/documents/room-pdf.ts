import { clockText, dayText, momentText } from '../../../platform/i18n/times.ts'
import { type Cell, grid, label, value } from '../../../platform/pdf/grid.ts'
import {
  area,
  finished,
  footers,
  ink,
  newSheet,
  rule,
  type Sheet,
  write,
  writeFitted,
} from '../../../platform/workbook/sheet.ts'

declare module '../../../platform/pdf/drawing.ts' {
  interface Makers {
    doorListPdf: typeof doorListPdf
    seatLabelsPdf: typeof seatLabelsPdf
    signInSheetPdf: typeof signInSheetPdf
  }
}

/** Someone who sits in a room. */
export interface RoomSeat {
  seatNo: string
  name: string
  sex?: string
  ticketNo: string
  /** Already masked: these lists are put on doors and seen by many. */
  idCard?: string
  code: string
  unit?: string
  photo?: Buffer | null
}

/** A room of one stage with its people in the order of their seats. */
export interface RoomDocument {
  examName: string
  itemName: string
  siteName: string
  roomNo: string
  roomName?: string | null
  subject?: string
  startTime: Date
  endTime: Date
  seats: readonly RoomSeat[]
  madeAt: Date
}

function heading(sheet: Sheet, room: RoomDocument, title: string): number {
  const { left, top, right, width } = area(sheet)
  const exam = write(sheet, `${room.examName}　${room.itemName}`, left, top, width, { size: 12, align: 'center' })
  const big = write(sheet, title, left, exam + 2, width, { size: 20, weight: 'bold', align: 'center', spacing: 4 })
  const where = `${room.siteName}　${room.roomName ?? ''}　第 ${room.roomNo} 考场　${room.seats.length} 人`
  const when = `${room.subject ?? ''}　${dayText(room.startTime)} ${clockText(room.startTime)}—${clockText(room.endTime)}`
  const place = write(sheet, where, left, big + 4, width, { size: 10.5, weight: 'bold', align: 'center' })
  const below = write(sheet, when, left, place, width, { size: 10, align: 'center' }) + 4
  rule(sheet, left, below, right, 1.2, ink.black)
  return below + 8
}

/** Columns in parts of the page's width. */
function columns(sheet: Sheet, parts: readonly number[]): number[] {
  const total = parts.reduce((sum, part) => sum + part, 0)
  return parts.map(part => (part / total) * area(sheet).width)
}

const centred = (text: string, size = 10): Cell => value(text, { align: 'center', size })

/** The list for the door of each room: seat, name, ticket number and position, one page or more per room. */
export function doorListPdf(rooms: readonly RoomDocument[]): Promise<Buffer> {
  return eachRoom(rooms, '考场门贴', (sheet, room) => {
    const widths = columns(sheet, [1, 2.8, 3, 2, 3.2])
    const head = ['座位号', '姓名', '准考证号', '岗位代码', '证件号码'].map(label)
    const rows = room.seats.map(seat =>
      [seat.seatNo, seat.name, seat.ticketNo, seat.code, seat.idCard ?? ''].map(text => centred(text)),
    )
    const repeat = (top: number) => grid(sheet, top, widths, [head], { rowHeight: 22 })
    grid(sheet, heading(sheet, room, `第${room.roomNo}考场`), widths, [head, ...rows], {
      rowHeight: 20,
      padding: 2.5,
      onPage: repeat,
    })
  })
}

const perRow = 3
const cardHeight = 88

/** One person of the sign-in sheet: photo, who it is, and where to sign. */
function card(sheet: Sheet, seat: RoomSeat, x: number, y: number, width: number): void {
  const photo = { width: 48, height: 67 }
  sheet.save().lineWidth(0.6).strokeColor(ink.line).rect(x, y, width, cardHeight).stroke().restore()
  sheet
    .save()
    .lineWidth(0.4)
    .strokeColor(ink.hair)
    .rect(x + 5, y + 5, photo.width, photo.height)
    .stroke()
    .restore()
  if (seat.photo)
    sheet.image(seat.photo, x + 5, y + 5, { fit: [photo.width, photo.height], align: 'center', valign: 'center' })
  const left = x + photo.width + 11
  const room = width - photo.width - 16
  writeFitted(sheet, `${seat.seatNo}　${seat.name}`, left, y + 3, room, { size: 12, weight: 'bold' })
  writeFitted(sheet, seat.ticketNo, left, y + 22, room, { size: 9 })
  writeFitted(sheet, `${seat.code}　${seat.sex ?? ''}`, left, y + 36, room, { size: 9 })
  write(sheet, '签名：', left, y + 58, room, { size: 9, color: ink.soft })
  rule(sheet, left + 26, y + 71, x + width - 6, 0.5, ink.hair)
  write(sheet, '□ 缺考　□ 违纪', x + 5, y + 73, photo.width + room, { size: 7.5, color: ink.soft })
}

/** The sheet people sign in on, with photos to compare, and a line for the proctors. */
export function signInSheetPdf(rooms: readonly RoomDocument[]): Promise<Buffer> {
  return eachRoom(rooms, '签到表', (sheet, room) => {
    let y = heading(sheet, room, '考生签到表')
    const { left, width } = area(sheet)
    room.seats.forEach((seat, i) => {
      const column = i % perRow
      if (column === 0 && i > 0) y += cardHeight
      if (column === 0 && y + cardHeight > area(sheet).bottom - 26) {
        sheet.addPage()
        y = heading(sheet, room, '考生签到表')
      }
      card(sheet, seat, left + (column * width) / perRow, y, width / perRow)
    })
    const text = '应到＿＿＿人　实到＿＿＿人　缺考＿＿＿人　违纪＿＿＿人　　监考员签名：＿＿＿＿＿＿＿　＿＿＿＿＿＿＿'
    write(sheet, text, left, area(sheet).bottom - 16, width, { size: 10 })
  })
}

/** Labels to stick on the desks, three beside each other, cut along the lines. */
export function seatLabelsPdf(rooms: readonly RoomDocument[]): Promise<Buffer> {
  return eachRoom(rooms, '座位标签', (sheet, room) => {
    const { left, width, top, bottom } = area(sheet)
    const size = { width: width / perRow, height: 94 }
    const perPage = perRow * Math.floor((bottom - top) / size.height)
    room.seats.forEach((seat, i) => {
      if (i > 0 && i % perPage === 0) sheet.addPage()
      const place = i % perPage
      const x = left + (place % perRow) * size.width
      const y = top + Math.floor(place / perRow) * size.height
      sheet
        .save()
        .lineWidth(0.5)
        .dash(3, { space: 2 })
        .strokeColor(ink.hair)
        .rect(x, y, size.width, size.height)
        .stroke()
        .restore()
      write(sheet, `第${room.roomNo}考场`, x, y + 6, size.width, { size: 9, align: 'center', color: ink.soft })
      write(sheet, seat.seatNo, x, y + 16, size.width, { size: 26, weight: 'bold', align: 'center' })
      writeFitted(sheet, seat.name, x + 6, y + 52, size.width - 12, { size: 13, align: 'center' })
      writeFitted(sheet, seat.ticketNo, x + 6, y + 72, size.width - 12, { size: 10, align: 'center' })
    })
  })
}

function eachRoom(
  rooms: readonly RoomDocument[],
  title: string,
  draw: (sheet: Sheet, room: RoomDocument) => void,
): Promise<Buffer> {
  const [first] = rooms
  if (!first) throw new RangeError('no rooms')
  const sheet = newSheet({ title: `${first.examName} ${title}`, madeAt: first.madeAt, margin: 40 })
  rooms.forEach((room, i) => {
    if (i > 0) sheet.addPage()
    draw(sheet, room)
  })
  footers(sheet, `${first.examName}　${title}　生成时间 ${momentText(first.madeAt)}`)
  return finished(sheet)
}
