import { ticketEvents } from '#resources/tickets/events'
import { ReleaseStatus, SignStatus, TicketStatus } from '#schemas/dictionaries'
import { Examinationticket } from '#schemas/tickets/examinationticket'
import { emit } from '../../../crud/emit.ts'
import { type Deed, keepHistory } from '../../../crud/history.ts'
import { type Live, type LiveTrx, removeRows } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { refuseArchived } from '../../exams/server/archived.ts'
import { codeOf, type TicketKey, voidedNumbers } from './lock.ts'

/** Who asks, and when. */
type Actor = Pick<Person, 'userId' | 'tenantId'> & { readonly now: Date }

/** Tickets to be reissued, locked in one order, with the person's present data. */
const asked = (trx: Live, ids: readonly string[]) =>
  trx
    .selectFrom('examinationticket as ticket')
    .innerJoin('signup', 'signup.id', 'ticket.signupId')
    .innerJoin('examinationitem as item', 'item.id', 'ticket.itemId')
    .selectAll('ticket')
    .select(['signup.signStatus', 'item.ticketRelease'])
    .select([
      'signup.name as nameNow',
      'signup.idCard as idCardNow',
      'signup.idCardHash as hashNow',
      'signup.idCardMask as maskNow',
      'signup.photo as photoNow',
    ])
    .where('ticket.id', 'in', [...ids])
    .orderBy('ticket.id')
    .forNoKeyUpdate('ticket')
    .execute()

type Old = Awaited<ReturnType<typeof asked>>[number]

/** Live tickets that stand in the way: the person's own other one, and whoever sits on the seat now. */
const inTheWay = (trx: Live, old: Old) =>
  trx
    .selectFrom('examinationticket')
    .select('signupId')
    .where('itemId', '=', old.itemId)
    .where('id', '<>', old.id)
    .where('ticketStatus', '<>', TicketStatus.voided)
    .where(eb =>
      eb.or([
        eb('signupId', '=', old.signupId),
        eb.and([eb('roomId', '=', old.roomId), eb('seatNo', '=', old.seatNo)]),
      ]),
    )
    .execute()

/**
 * @throws row.wrongState for a person who is out or has another ticket, tickets.seatTaken when the seat was given to
 * somebody else
 */
async function checkFree(trx: Live, old: Old): Promise<void> {
  if (old.ticketStatus === TicketStatus.draft || old.signStatus !== SignStatus.submitted) throw refuse('row.wrongState')
  const others = await inTheWay(trx, old)
  if (others.some(one => one.signupId === old.signupId)) throw refuse('row.wrongState')
  if (others.length > 0) throw refuse('tickets.seatTaken')
}

const makeVoid = (trx: Live, { id }: Old, reason: string) =>
  trx
    .updateTable('examinationticket')
    .set(eb => ({
      ticketStatus: TicketStatus.voided,
      voidReason: reason,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('ticketStatus', '=', TicketStatus.released)
    .returningAll()
    .execute()

/** The next issue of a ticket: the same seat, the person's present data, a number and a code of its own. */
async function issueAnew(trx: LiveTrx, old: Old, key: TicketKey, deed: Deed, tenantId: string): Promise<0 | 1> {
  const base = old.ticketNo.replace(/-\d+$/, '')
  const issue = 1 + ((await voidedNumbers(trx, old.itemId)).get(base) ?? 0)
  const ticketNo = issue > 1 ? `${base}-${issue}` : base
  const ticketStatus = old.ticketRelease === ReleaseStatus.released ? TicketStatus.released : TicketStatus.draft
  const made = await trx
    .insertInto('examinationticket')
    .values({
      examId: old.examId,
      itemId: old.itemId,
      signupId: old.signupId,
      userId: old.userId,
      name: old.nameNow,
      idCard: old.idCardNow,
      idCardHash: old.hashNow,
      idCardMask: old.maskNow,
      photo: old.photoNow,
      unit: old.unit,
      code: old.code,
      ticketNo,
      schoolId: old.schoolId,
      roomId: old.roomId,
      roomNo: old.roomNo,
      seatNo: old.seatNo,
      paper: old.paper,
      address: old.address,
      startTime: old.startTime,
      endTime: old.endTime,
      latestTime: old.latestTime,
      ticketStatus,
      qrPayload: codeOf({ ...old, tenantId, name: old.nameNow, ticketNo, issue }, key),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepHistory(trx, Examinationticket, [[null, made]], deed)
  // The register counts downloads of the ticket that is good; pictures that were handed in stay.
  await trx
    .updateTable('ticketnotice')
    .set({ ticketId: made.id, ticketNo, downNum: 0, firstDownTime: null, lastDownTime: null })
    .where('itemId', '=', old.itemId)
    .where('signupId', '=', old.signupId)
    .execute()
  if (ticketStatus === TicketStatus.released) await emit(trx, ticketEvents.reissued, [made])
  return ticketStatus
}

/** Whether one person has issued all these tickets again before, for the same reason. */
async function wereReissued(trx: Live, tickets: readonly Old[], actor: Actor, reason: string) {
  for (const old of tickets) {
    if (old.ticketStatus !== TicketStatus.voided) return false
    const isOwnVoid = isOwnRepeat(old, true, actor)
    if (isOwnVoid && old.voidReason !== reason) return false
    const next = await trx
      .selectFrom('examinationticket')
      .select('createUser as updateUser')
      .where('itemId', '=', old.itemId)
      .where('signupId', '=', old.signupId)
      .where('id', '>', old.id)
      .orderBy('id')
      .executeTakeFirst()
    if (!next || !isOwnRepeat(next, true, actor)) return false
  }
  return true
}

/**
 * Issues tickets again: the old ones are void, the new ones have the same seat, the person's data as they are now, and
 * are out at once when the stage's tickets are.
 * @returns how many
 * @throws input.invalid without a reason, row.notFound, exams.archived, row.wrongState and tickets.seatTaken when one
 * cannot be issued; then none is
 */
export async function reissueTicket(
  db: Live,
  ids: readonly string[],
  actor: Actor,
  { reason, key }: { reason: string; key: TicketKey },
): Promise<number> {
  if (!reason) throw refuse('input.invalid', { 说明: '请输入补发原因' })
  return db.transaction().execute(async trx => {
    const tickets = await asked(trx, ids)
    if (tickets.length < ids.length) throw refuse('row.notFound')
    await refuseArchived(
      trx,
      tickets.map(one => one.examId),
    )
    if (await wereReissued(trx, tickets, actor, reason)) return 0
    const deed = { act: 'reissue', userId: actor.userId, now: actor.now, reason }
    for (const old of tickets) {
      await checkFree(trx, old)
      const voided = await makeVoid(trx, old, reason)
      await keepHistory(
        trx,
        Examinationticket,
        voided.map(one => [old, one] as const),
        deed,
      )
      await issueAnew(trx, old, key, deed, actor.tenantId)
    }
    return tickets.length
  })
}

/**
 * Removes tickets that were never released: the seats stay in the plan, and locking it again makes them again.
 * @returns how many
 * @throws exams.archived, tickets.released when one of them is out, row.wrongState when none is left to remove
 */
export async function deleteTicket(db: Live, ids: readonly string[]): Promise<number> {
  return db.transaction().execute(async trx => {
    const tickets = await trx
      .selectFrom('examinationticket')
      .select(['id', 'ticketStatus', 'examId'])
      .where('id', 'in', [...ids])
      .orderBy('id')
      .forUpdate()
      .execute()
    await refuseArchived(
      trx,
      tickets.map(one => one.examId),
    )
    if (tickets.some(one => one.ticketStatus === TicketStatus.released)) throw refuse('tickets.released')
    const open = tickets.filter(one => one.ticketStatus === TicketStatus.draft).map(one => one.id)
    if (open.length === 0) throw refuse('row.wrongState')
    await removeRows(trx, 'examinationticket').where('id', 'in', open).execute()
    return open.length
  })
}
