import { TicketStatus } from '#schemas/dictionaries'
import type { ActionContext, Handler, Hooks } from '../../../crud/rule-types.ts'
import { changeable, hasDuty, scoped } from '../../../crud/scope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { reissueTicket } from './reissue.ts'
import { voidTicket } from './release.ts'
import { remindDownload } from './remind.ts'

/** The tickets of an action, all of them in the caller's scope. @throws 29001 */
async function ticketsOf({ app, person, ids }: ActionContext): Promise<string[]> {
  const rows = await changeable(app, person, 'examinationticket')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  if (rows.length < ids.length) throw refuse(29001)
  return rows.map(row => row.id)
}

const moverOf = ({ person, now }: ActionContext) => ({ userId: person.userId, now })
const reasonOf = ({ values }: ActionContext) => String(values.reason ?? '').trim()

const makeVoid: Handler = async ctx => ({
  num: await voidTicket(ctx.app.db, await ticketsOf(ctx), moverOf(ctx), reasonOf(ctx)),
})

const reissue: Handler = async ctx => {
  const { secrets, db } = ctx.app
  const key = { id: String(secrets.version('ticket')), privateKey: secrets.pair('ticket').privateKey }
  return { num: await reissueTicket(db, await ticketsOf(ctx), moverOf(ctx), { reason: reasonOf(ctx), key }) }
}

/** Actions on tickets. */
export const ticketHandlers = { void: makeVoid, reissue }

const remind: Handler = async ctx => {
  const stage = await scoped(ctx.app, ctx.person, 'examinationitem')
    .select('id')
    .where('id', '=', String(ctx.values.itemId))
    .where(hasDuty(ctx.app, ctx.person, 'ticketnotice', 'examinationitem.examId', 'change'))
    .executeTakeFirst()
  if (!stage) throw refuse(29001)
  return { num: await remindDownload(ctx.app.db, stage.id, moverOf(ctx)) }
}

/** Actions on the register of downloads. */
export const registerHandlers = { remind }

/** Tickets go only while nobody has seen them; afterwards they are void. */
export const ticketHooks: Hooks = {
  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.ticketStatus === TicketStatus.released)) throw refuse(25011)
    if (rows.some(row => row.ticketStatus !== TicketStatus.draft)) throw refuse(29009)
  },
}
