/** What a ticket number is made of. Every part is a number a person can read off the ticket. */
export interface TicketNumberParts {
  examCode: string
  /** Which stage of the exam, from 1 in the order of its stages, at most 9: two stages never share numbers. */
  stage: number
  /** Two digits of the position type. */
  typeCode: string
  /** The room's serial through the whole stage, 1 to 999 (`roomSerials`): room numbers repeat between sites. */
  room: number
  /** 1 to 99. */
  seat: number
  /** 1, and one more each time it is reissued: the voided number stays taken. */
  issue?: number
}

const digits = (value: number, width: number, name: string): string => {
  if (!Number.isInteger(value) || value < 1 || value >= 10 ** width)
    throw new RangeError(`${name} out of range: ${value}`)
  return String(value).padStart(width, '0')
}

/**
 * Exam code, stage (1 digit), type (2), room (3), seat (2): `GL2026` + `1` + `02` + `014` + `07`. All parts but the
 * exam code have a fixed width, so different seats, stages and exams give different numbers; a number reissued
 * carries `-2`, `-3` … behind it. Throws RangeError for a part that does not fit its width.
 */
export function ticketNumber({ examCode, stage, typeCode, room, seat, issue = 1 }: TicketNumberParts): string {
  if (!/^\d{2}$/.test(typeCode)) throw new RangeError(`type code must be two digits: ${typeCode}`)
  const number = `${examCode}${digits(stage, 1, 'stage')}${typeCode}${digits(room, 3, 'room')}${digits(seat, 2, 'seat')}`
  return issue > 1 ? `${number}-${issue}` : number
}
