import type { examinationticket } from '#resources/tickets/examinationticket'
import type { ticketnotice } from '#resources/tickets/ticketnotice'
import { TicketStatus } from '#schemas/dictionaries'
import type { Examinationticket } from '#schemas/tickets/examinationticket'
import type { ActionContext, HandlerOf, HandlersOf, Hooks } from '../../../crud/rules.ts'
import { changeable, hasDuty, scoped } from '../../../crud/scope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { reissueTicket } from './reissue.ts'
import { remindDownload } from './remind.ts'

/** The tickets of an action, all of them in the caller's scope. @throws row.notFound */
async function ticketsOf({ app, person, ids }: Pick<ActionContext, 'app' | 'person' | 'ids'>): Promise<string[]> {
  const rows = await changeable(app, person, 'examinationticket')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  if (rows.length < ids.length) throw refuse('row.notFound')
  return rows.map(row => row.id)
}

const reissue: HandlerOf<typeof examinationticket, 'reissue'> = async ctx => {
  const { secrets } = ctx.app
  const key = { id: String(secrets.version('ticket')), privateKey: secrets.pair('ticket').privateKey }
  return {
    num: await reissueTicket(
      ctx.db,
      await ticketsOf(ctx),
      { ...ctx.person, now: ctx.now },
      { reason: ctx.values.reason.trim(), key },
    ),
  }
}

/** Actions on tickets. */
export const ticketHandlers: HandlersOf<typeof examinationticket, 'print'> = { reissue }

const remind: HandlerOf<typeof ticketnotice, 'remind'> = async ctx => {
  const stage = await scoped(ctx.app, ctx.person, 'examinationitem')
    .select('id')
    .where('id', '=', ctx.values.itemId)
    .where(hasDuty(ctx.app, ctx.person, 'ticketnotice', 'examinationitem.examId', 'change'))
    .executeTakeFirst()
  if (!stage) throw refuse('row.notFound')
  return { num: await remindDownload(ctx.db, stage.id, { userId: ctx.person.userId, now: ctx.now }) }
}

/** Actions on the register of downloads. */
export const registerHandlers: HandlersOf<typeof ticketnotice> = { remind }

/** Tickets that are out are recalled first. */
export const ticketHooks: Hooks<typeof Examinationticket> = {
  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.ticketStatus === TicketStatus.released)) throw refuse('tickets.released')
  },
}
