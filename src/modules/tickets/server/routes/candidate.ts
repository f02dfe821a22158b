import type { FastifyInstance, FastifyRequest } from 'fastify'
import { maskSealed } from '#engine'
import { PicState, TicketDownType, TicketStatus, UserType } from '#schemas/dictionaries'
import type { TicketPicture } from '#schemas/tickets/ticket-pictures'
import { scoped } from '../../../../crud/scope.ts'
import { liveFor } from '../../../../platform/database/live.ts'
import { type Person, person } from '../../../../platform/http/server/access.ts'
import { messageFor } from '../../../../platform/http/server/envelope.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refusalCode, refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { idOf, textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import * as contract from '../../contract.ts'
import { Paper } from '../../rules/paper.ts'
import { ticketDocument } from '../document.ts'
import {
  askedPictures,
  nextStep,
  type TicketFacts,
  ticketFacts,
  ticketsOfUser,
  waitingText,
} from '../download-rules.ts'
import { ticketExams } from '../exams.ts'
import { registerDownload, savePictures } from '../register.ts'
import { verifyTicket } from '../ticket-code.ts'
import { sendPapers } from './papers.ts'
import { keepPictures, picturesSent } from './pictures.ts'

/** The caller's own ticket of a stage. */
async function ownTicket(app: FastifyInstance, caller: Person, itemId: string): Promise<TicketFacts | undefined> {
  const db = liveAs(app, caller)
  const signup = await db
    .selectFrom('examinationticket')
    .select('signupId')
    .where('userId', '=', caller.userId)
    .where('itemId', '=', itemId)
    .orderBy('ticketStatus')
    .executeTakeFirst()
  return signup && ticketFacts(db, app.now(), { signupId: signup.signupId, itemId })
}

/** The stage meant by a call that names it, or that names only the exam: then its first stage with a ticket. */
async function stageMeant(app: FastifyInstance, request: FastifyRequest): Promise<string> {
  const values = valuesOf(request)
  if (textOf(values, 'itemId')) return idOf(values, 'itemId')
  const examId = idOf(values, textOf(values, 'eid') ? 'eid' : 'examId')
  const caller = person(request)
  const found = await liveAs(app, caller)
    .selectFrom('examinationticket')
    .select('itemId')
    .where('examId', '=', examId)
    .where('userId', '=', caller.userId)
    .orderBy('startTime')
    .executeTakeFirst()
  if (!found) throw refuse('tickets.notReleased')
  return found.itemId
}

/** A step as the page shows it: the code of what is missing, or 0 when the ticket is there to take. */
const stepOf = (request: FastifyRequest, ticket: TicketFacts | undefined, now: Date) => {
  const missing = nextStep(ticket, now)
  return { stepCode: missing?.code ?? 0, stepMsg: missing ? messageFor(request, missing) : '' }
}

/** A ticket that is not out as its owner may know it: that it is coming, and nothing of the seat. */
const withheld = (ticket: TicketFacts, now: Date) => ({
  ticketId: ticket.id,
  signupId: ticket.signupId,
  examId: ticket.examId,
  itemId: ticket.itemId,
  examName: ticket.examName,
  itemName: ticket.itemName,
  ticketNo: '',
  startTime: ticket.startTime,
  endTime: ticket.endTime,
  address: '',
  roomNo: '',
  seatNo: '',
  ticketStatus: ticket.ticketStatus,
  downStart: ticket.downStart,
  downEnd: ticket.downEnd,
  stepCode: refusalCode('tickets.notReleased'),
  msg: waitingText(ticket, now),
})

async function myTickets(app: FastifyInstance, request: FastifyRequest) {
  const now = app.now()
  const caller = person(request)
  const tickets = await ticketsOfUser(liveAs(app, caller), now, caller.userId)
  return tickets.map(ticket => {
    if (ticket.ticketStatus === TicketStatus.draft) return withheld(ticket, now)
    return {
      ticketId: ticket.id,
      signupId: ticket.signupId,
      examId: ticket.examId,
      itemId: ticket.itemId,
      examName: ticket.examName,
      itemName: ticket.itemName,
      ticketNo: ticket.ticketNo,
      startTime: ticket.startTime,
      endTime: ticket.endTime,
      address: ticket.address,
      // The seat is on the ticket, which is given when nothing stands before it any more.
      ...(nextStep(ticket, now) ? { roomNo: '', seatNo: '' } : { roomNo: ticket.roomNo, seatNo: ticket.seatNo }),
      ticketStatus: ticket.ticketStatus,
      downStart: ticket.downStart,
      downEnd: ticket.downEnd,
      ...stepOf(request, ticket, now),
    }
  })
}

/**
 * Takes the pictures of a call: one for each slot asked for.
 * @throws tickets.notReleased, signup.consentRequired without consent, tickets.picturesMissing, file.notFound
 */
async function takePictures(app: FastifyInstance, request: FastifyRequest) {
  const caller = person(request)
  const sent = await picturesSent(request)
  const ticket = await ownTicket(app, caller, await stageMeant(app, request))
  if (ticket?.ticketStatus !== TicketStatus.released) throw refuse('tickets.notReleased')
  // Health and travel data are sensitive: nothing is kept without an express yes.
  if (textOf(valuesOf(request), 'consent') !== '1') throw refuse('signup.consentRequired')
  const asked = askedPictures(ticket)
  const values = { ...valuesOf(request), ...(await keepPictures(app, request, sent.files)) }
  const given = asked.flatMap(({ slot }) => (textOf(values, slot) ? [[slot, idOf(values, slot)] as const] : []))
  const missing = asked.filter(({ slot }) => !given.some(([name]) => name === slot))
  if (missing.length || !asked.length)
    throw refuse('tickets.picturesMissing', { 材料: missing.map(one => one.label).join('、') })
  const db = liveAs(app, caller)
  const own = await db
    .selectFrom('attach')
    .select('id')
    .where(
      'id',
      'in',
      given.map(([, id]) => id),
    )
    .where('createUser', '=', caller.userId)
    .where('ownerType', '=', 'ticketpic')
    .execute()
  if (own.length !== new Set(given.map(([, id]) => id)).size) throw refuse('file.notFound')
  const pictures = Object.fromEntries(given) as Partial<Record<TicketPicture, string>>
  await savePictures(app, db, ticket, { pictures, tenantId: caller.tenantId })
  return { picState: PicState.uploaded }
}

/** What a candidate meets on the way to the ticket, and the ticket itself. */
export async function candidateTicketRoutes(app: FastifyInstance): Promise<void> {
  serve(app, contract.ticketList, async ({ query, request }) => {
    const caller = person(request)
    if (caller.userType !== UserType.candidate) {
      if (!['examinationticket', 'ticketnotice'].some(code => caller.permissions.has(code)))
        throw refuse('request.forbidden')
      return ticketExams(app, caller, query)
    }
    const records = await myTickets(app, request)
    return { records, total: records.length, size: records.length, current: 1, pages: 1 }
  })
  serve(app, contract.askedPictures, async ({ request }) => {
    const ticket = await ownTicket(app, person(request), await stageMeant(app, request))
    const step = stepOf(request, ticket, app.now())
    if (!ticket || ticket.ticketStatus === TicketStatus.draft) return { needPics: [], canDownload: false, ...step }
    const needPics = askedPictures(ticket)
    const { picState, picRemark } = ticket
    return {
      ticketId: ticket.id,
      needPics,
      picState: picState ?? (needPics.length ? PicState.missing : PicState.notNeeded),
      picRemark: picRemark ?? '',
      uploaded: picState === PicState.uploaded || picState === PicState.verified,
      needSure: ticket.ticketNeedSure === 1,
      sured: !ticket.unconfirmedNotice,
      notice: ticket.unconfirmedNotice ?? '',
      canDownload: step.stepCode === 0,
      ...step,
    }
  })
  serve(app, contract.savePictures, ({ request }) => takePictures(app, request))
  serve(app, contract.noteDownload, async ({ values, request }) => {
    const ticket = await ownTicket(app, person(request), await stageMeant(app, request))
    const missing = nextStep(ticket, app.now())
    if (missing || !ticket) throw missing ?? refuse('tickets.notReleased')
    const type = Number(textOf(values, 'type') || TicketDownType.pdf)
    if (type !== TicketDownType.pdf && type !== TicketDownType.print && type !== TicketDownType.view)
      throw refuse('input.invalid', { 说明: '下载方式只能是 1、2、3' })
    const caller = person(request)
    const how = { type, ip: request.ip, tenantId: caller.tenantId }
    return { downNum: await registerDownload(app, liveAs(app, caller), ticket, how) }
  })
}

/**
 * The ticket of a call: a candidate's own once nothing stands before it, or one in the scope of staff.
 * @throws tickets.notReleased, tickets.unpaid, tickets.noticeUnconfirmed, tickets.picturesMissing, tickets.void
 */
async function openTicket(app: FastifyInstance, request: FastifyRequest): Promise<TicketFacts> {
  const caller = person(request)
  const id = idOf(valuesOf(request))
  const visible = await scoped(app, caller, 'examinationticket').select('id').where('id', '=', id).executeTakeFirst()
  const ticket = visible && (await ticketFacts(liveAs(app, caller), app.now(), { ticketId: id }))
  if (!ticket) throw refuse('tickets.notReleased')
  const missing = caller.userType === UserType.candidate ? nextStep(ticket, app.now()) : null
  if (missing) throw missing
  return ticket
}

/** A name of which only the ends can be read. */
function shortened(name: string): string {
  const letters = [...name]
  const isShown = (i: number) => i === 0 || (i === letters.length - 1 && letters.length > 2)
  return letters.map((letter, i) => (isShown(i) ? letter : '*')).join('')
}

/** The ticket as a sheet: its facts, its PDF, and the check of its code by anyone. */
export async function ticketSheetRoutes(app: FastifyInstance): Promise<void> {
  const mayOpen = (request: FastifyRequest) => {
    const { userType, permissions } = person(request)
    if (userType !== UserType.candidate && !permissions.has('examinationticket_view')) throw refuse('request.forbidden')
  }
  serve(app, contract.ticketSheet, async ({ request }) => {
    mayOpen(request)
    const { photo, layout: _, ...document } = await ticketDocument(app, person(request), await openTicket(app, request))
    // The sheet is the candidate's; staff who look at it see the number as they do everywhere.
    const idCard = person(request).userType === UserType.candidate ? document.idCard : maskSealed(document.idCard)
    return { ...document, idCard, photo: photo ? `data:image/jpeg;base64,${photo.toString('base64')}` : '' }
  })
  serve(app, contract.ticketPapers, async ({ values, request, reply }) => {
    const type = Number(textOf(values, 'type') || Paper.ticket)
    if (type !== Paper.ticket) return sendPapers(app, request, reply, type)
    mayOpen(request)
    const caller = person(request)
    const ticket = await openTicket(app, request)
    const pdf = await app.drawings.get('ticketPdf', await ticketDocument(app, caller, ticket), caller.tenantId)
    if (caller.userType === UserType.candidate)
      await registerDownload(app, liveAs(app, caller), ticket, {
        type: TicketDownType.pdf,
        ip: request.ip,
        tenantId: caller.tenantId,
      })
    const name = encodeURIComponent(`准考证_${ticket.ticketNo}_${ticket.name}.pdf`)
    return reply
      .type('application/pdf')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', `attachment; filename="ticket.pdf"; filename*=UTF-8''${name}`)
      .send(pdf)
  })
  serve(app, contract.verifyTicket, async ({ values }) => {
    const code = textOf(values, 'code')
    const payload = code ? verifyTicket(code, app.secrets.pair('ticket').publicKey) : null
    if (!payload) return { valid: false, reason: '无效' }
    const ticket = await liveFor(app, { tenantId: payload.tenant, userId: null, now: app.now })
      .selectFrom('examinationticket')
      .select(['name', 'roomNo', 'seatNo', 'ticketStatus', 'qrPayload'])
      .where('ticketNo', '=', payload.ticketNo)
      .executeTakeFirst()
    // A number withdrawn and given out again carries another code: the one on the old sheet is genuine but no longer good.
    if (!ticket || ticket.ticketStatus === TicketStatus.draft || ticket.qrPayload !== code)
      return { valid: false, reason: '无效' }
    if (ticket.ticketStatus === TicketStatus.voided) return { valid: false, reason: '已作废' }
    const { name, roomNo, seatNo } = ticket
    return { valid: true, name: shortened(name), roomNo, seatNo, ticketNo: payload.ticketNo }
  })
}
