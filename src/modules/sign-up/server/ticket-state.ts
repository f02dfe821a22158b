import { sql } from 'kysely'
import { TicketStatus } from '#schemas/dictionaries'
import type { Live } from '../../../platform/database/live.ts'

type TicketState = (typeof TicketStatus)[keyof typeof TicketStatus]

/** A row of sign-ups with the state of its ticket. */
export interface Ticketed {
  readonly ticketState: TicketState
}

/**
 * How the latest ticket of a sign-up stands, as a column of a query over sign-ups; a draft while there is none.
 * @param signupId the column that has the id of the sign-up
 */
export const ticketStateOf = (db: Live, signupId: 'signup.id' | 't.id') =>
  sql<TicketState>`coalesce(${db
    .selectFrom('examinationticket as latest')
    .select('latest.ticketStatus')
    .where('latest.signupId', '=', sql.ref<string>(signupId))
    .orderBy('latest.id', 'desc')
    .limit(1)}, ${sql.lit(TicketStatus.draft)})`

/** How the latest ticket of one sign-up stands. */
export async function readTicketState(db: Live, signupId: string): Promise<TicketState> {
  const { ticketState } = await db
    .selectFrom('signup')
    .select(ticketStateOf(db, 'signup.id').as('ticketState'))
    .where('id', '=', signupId)
    .executeTakeFirstOrThrow()
  return ticketState
}
