import { sql } from 'kysely'
import {
  ExamStatus,
  NoticeStatus,
  PayState,
  PicState,
  ReleaseStatus,
  SignStatus,
  SureState,
  TicketStatus,
} from '#schemas/dictionaries'
import { type TicketPicture, ticketPictureNames, ticketPictures } from '#schemas/tickets/ticket-pictures'
import { lazily } from '../../../engine/lazily.ts'
import type { Live } from '../../../platform/database/live.ts'
import { type Refusal, refuse } from '../../../platform/http/server/refusal.ts'
import { type ActFacts, untimely } from '../../exams/rules/act-windows.ts'
import { audience, concernsTicket } from '../../notices/server/audience.ts'
import { ticketWindows } from '../rules/act-windows.ts'

/** Tickets with all that decides whether their owners may have them. */
function ticketsAt(db: Live, now: Date) {
  return db
    .selectFrom('examinationticket as ticket')
    .innerJoin('examinationitem as item', 'item.id', 'ticket.itemId')
    .innerJoin('examination as exam', 'exam.id', 'ticket.examId')
    .innerJoin('signup', 'signup.id', 'ticket.signupId')
    .leftJoin('payrecord as due', join =>
      join.onRef('due.signupId', '=', 'ticket.signupId').onRef('due.itemId', '=', 'ticket.itemId'),
    )
    .leftJoin('ticketnotice as register', join =>
      join.onRef('register.signupId', '=', 'ticket.signupId').onRef('register.itemId', '=', 'ticket.itemId'),
    )
    .selectAll('ticket')
    .select([
      'item.itemName',
      'item.itemType',
      'item.ticketRelease',
      'item.needPay',
      'item.fee',
      'item.subject',
      'exam.examName',
      'exam.organizer',
      'exam.contactPhone',
      'exam.ticketNeedSure',
      'exam.ticketNeedPic',
      'exam.picLabels',
    ])
    .select(eb => [
      eb.fn.coalesce('item.ticketStartTime', 'exam.ticketStartTime').as('downStart'),
      eb.fn.coalesce('item.ticketEndTime', 'exam.ticketEndTime').as('downEnd'),
    ])
    .select([
      'signup.signStatus',
      'signup.sex',
      'due.payState',
      'register.picState',
      'register.picRemark',
      'exam.examStatus',
    ])
    .select(unconfirmedNoticeAt(db, now).as('unconfirmedNotice'))
}

/** A ticket with all that decides whether its owner may have it: by its id, or the live one of a sign-up and stage. */
export async function ticketFacts(
  db: Live,
  now: Date,
  { ticketId, signupId, itemId }: { ticketId?: string; signupId?: string; itemId?: string },
) {
  return ticketsAt(db, now)
    .$if(ticketId !== undefined, query => query.where('ticket.id', '=', ticketId as string))
    .$if(signupId !== undefined, query => query.where('ticket.signupId', '=', signupId as string))
    .$if(itemId !== undefined, query => query.where('ticket.itemId', '=', itemId as string))
    .orderBy('ticket.ticketStatus')
    .orderBy('ticket.id', 'desc')
    .executeTakeFirst()
}

/** Every ticket of a candidate, also those whose seats are fixed and that are not released, the latest exam first. */
export const ticketsOfUser = (db: Live, now: Date, userId: string) =>
  ticketsAt(db, now).where('ticket.userId', '=', userId).orderBy('ticket.startTime', 'desc').execute()

/** The tickets of a sign-up that are out. */
export const ticketsOfSignup = (db: Live, now: Date, signupId: string) =>
  ticketsAt(db, now)
    .where('ticket.signupId', '=', signupId)
    .where('ticket.ticketStatus', '=', TicketStatus.released)
    .orderBy('ticket.id')
    .execute()

/** The live tickets of a stage or of one of its rooms, room by room in the order of the seats. */
export const ticketsOfPlace = (db: Live, now: Date, place: { itemId?: string; roomId?: string }) =>
  ticketsAt(db, now)
    .innerJoin('school', 'school.id', 'ticket.schoolId')
    .where('ticket.ticketStatus', '<>', TicketStatus.voided)
    .$if(place.itemId !== undefined, query => query.where('ticket.itemId', '=', place.itemId as string))
    .$if(place.roomId !== undefined, query => query.where('ticket.roomId', '=', place.roomId as string))
    .orderBy('school.schoolCode')
    .orderBy('ticket.roomNo')
    .orderBy(sql`length(ticket."seatNo")`)
    .orderBy('ticket.seatNo')
    .execute()

/** Tickets by their ids, in the order of these. */
export async function ticketsById(db: Live, now: Date, ids: readonly string[]) {
  const rows = await ticketsAt(db, now).where('ticket.id', 'in', ids).execute()
  return rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

/**
 * The latest notice that the owner of the table `ticket` must confirm for it and has not, by its title: a subquery of one
 * value, which is null when there is none.
 */
export const unconfirmedNotice = (db: Live) =>
  db
    .selectFrom('notice')
    .select('notice.title')
    .where('notice.noticeStatus', '=', sql.lit(NoticeStatus.released))
    .where('notice.needSure', '=', sql.lit(1))
    .where(concernsTicket)
    .where(audience(sql<string>`ticket."userId"`, sql<boolean>`false`))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notifyread as r')
            .select('r.id')
            .whereRef('r.noticeId', '=', 'notice.id')
            .where('r.userId', '=', sql.ref<string>('ticket.userId'))
            .where('r.sureState', '=', sql.lit(SureState.confirmed)),
        ),
      ),
    )
    .orderBy('notice.releaseTime', 'desc')
    .limit(1)

/** {@link unconfirmedNotice} among the notices that are out at a time. */
const unconfirmedNoticeAt = (db: Live, now: Date) =>
  unconfirmedNotice(db)
    .where('notice.releaseTime', '<=', now)
    .where(eb => eb.or([eb('notice.endTime', 'is', null), eb('notice.endTime', '>', now)]))

/** See {@link ticketFacts}. */
export type TicketFacts = NonNullable<Awaited<ReturnType<typeof ticketFacts>>>

/** The pictures an exam asks for, with the names it gives them. */
export function askedPictures({
  ticketNeedPic,
  picLabels,
}: Pick<TicketFacts, 'ticketNeedPic' | 'picLabels'>): { slot: TicketPicture; label: string }[] {
  const labels = (picLabels ?? {}) as Partial<Record<TicketPicture, string | null>>
  const asked = (ticketNeedPic ?? '').split(',')
  return ticketPictureNames
    .filter(slot => asked.includes(slot))
    .map(slot => ({ slot, label: labels[slot] || ticketPictures[slot] }))
}

const clock = lazily(
  () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'short' }),
)

/** When downloading is possible, in words. */
const windowText = ({ downStart, downEnd }: TicketFacts) =>
  `${downStart ? clock().format(downStart) : '发布'} 至 ${downEnd ? clock().format(downEnd) : '考试结束'}`

/** What a candidate is told of a ticket that is not out yet: that there is a seat, and when the ticket comes. */
export function waitingText({ ticketRelease, downStart }: TicketFacts, now: Date): string {
  if (ticketRelease === ReleaseStatus.recalled) return '准考证已撤回，重新发布后可在这里下载'
  const early = downStart && untimely(ticketWindows.download, { exam: { ticketStartTime: downStart } }, now)
  if (early) return `座位已排定，准考证将于 ${clock().format(downStart)} 发布`
  return '座位已排定，准考证即将发布'
}

/** A stage's own times of downloading count before those of its exam. */
const downloadFacts = ({ downStart, downEnd }: TicketFacts): ActFacts => ({
  exam: { ticketStartTime: downStart, ticketEndTime: downEnd },
})

/** What stands between a candidate and the ticket, the first thing first; null when nothing does. */
export function nextStep(facts: TicketFacts | undefined, now: Date): Refusal | null {
  if (!facts || facts.ticketStatus === TicketStatus.draft) return refuse('tickets.notReleased')
  if (facts.ticketStatus === TicketStatus.voided) return refuse('tickets.void', { 原因: facts.voidReason ?? '' })
  const paid =
    facts.needPay !== 1 || !facts.fee || facts.payState === PayState.paid || facts.payState === PayState.exempt
  if (facts.signStatus !== SignStatus.submitted || !paid) return refuse('tickets.unpaid')
  if (facts.examStatus >= ExamStatus.closed) return refuse('tickets.downloadClosed', { 时间: windowText(facts) })
  const late = untimely(ticketWindows.download, downloadFacts(facts), now)
  if (late) return late
  if (facts.ticketNeedSure === 1 && facts.unconfirmedNotice)
    return refuse('tickets.noticeUnconfirmed', { 通知: facts.unconfirmedNotice })
  const pictures = askedPictures(facts)
  if (pictures.length && facts.picState !== PicState.uploaded && facts.picState !== PicState.verified)
    return refuse('tickets.picturesMissing', { 材料: pictures.map(one => one.label).join('、') })
  return null
}
