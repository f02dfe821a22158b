import { AttendStatus, SignStatus, TicketStatus } from '#schemas/dictionaries'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { type Stage, toBeSeated } from '../../tickets/server/stage.ts'

const person = [
  'signup.id as signupId',
  'signup.name',
  'signup.idCard',
  'signup.idCardHash',
  'signup.idCardMask',
  'signup.unit as firstUnit',
  'signup.code as firstCode',
  'signup.finalUnit',
  'signup.finalCode',
] as const

/** Who has a ticket of a stage that is not void, and was not struck off. */
const ticketHolders = (db: Live, stage: Stage) =>
  db
    .selectFrom('examinationticket as ticket')
    .innerJoin(withRemoved('signup'), 'signup.id', 'ticket.signupId')
    .select(person)
    .select(['ticket.ticketNo as number', 'ticket.attend'])
    .where('ticket.itemId', '=', stage.id)
    .where('ticket.ticketStatus', '<>', TicketStatus.voided)
    .where('signup.signStatus', '=', SignStatus.submitted)

/** One row per sitter, by number: the ticket's where the stage has tickets, the sign-up's where it has none. */
async function rowsOf(db: Live, stage: Stage, number: string | undefined) {
  if (stage.needTicket === 1)
    return ticketHolders(db, stage)
      .$if(number !== undefined, query => query.where('ticket.ticketNo', '=', number as string))
      .orderBy('ticket.ticketNo')
      .execute()
  const rows = await toBeSeated(db, stage)
    .select(person)
    .select('signup.signNo as number')
    .$if(number !== undefined, query => query.where('signup.signNo', '=', number as string))
    .orderBy('signup.signNo')
    .execute()
  return rows.map(row => ({ ...row, attend: AttendStatus.unrecorded }))
}

/**
 * Everybody who is to have a result of a stage, by number.
 * @param number only the one with this ticket number, or sign-up number where the stage has no tickets
 */
export async function examineesOf(db: Live, stage: Stage, number?: string) {
  const rows = await rowsOf(db, stage, number)
  return rows.map(({ firstUnit, firstCode, finalUnit, finalCode, ...row }) => ({
    ...row,
    unit: finalUnit ?? firstUnit,
    code: finalCode ?? firstCode,
  }))
}

/** See {@link examineesOf}. */
export type Examinee = Awaited<ReturnType<typeof examineesOf>>[number]
