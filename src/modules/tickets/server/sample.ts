import type { FastifyInstance } from 'fastify'
import type { Selectable } from 'kysely'
import type { LiveDatabase } from '../../../platform/database/live.ts'
import { readParam } from '../../../platform/database/param.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { Undated } from '../../../platform/pdf/drawing.ts'
import type { TicketDocument } from '../documents/ticket-pdf.ts'
import { linesOfTicket } from './remarks.ts'

/**
 * The ticket of nobody, with the exam's own names and times and everything that would be printed below it. It carries
 * no code that could be verified.
 * @throws row.notFound for a remark whose exam has no stage
 */
export async function remarkSample(
  app: FastifyInstance,
  who: Person,
  remark: Selectable<LiveDatabase['ticketremark']>,
): Promise<Undated<TicketDocument>> {
  const db = liveAs(app, who)
  const stage = await db
    .selectFrom('examinationitem as item')
    .innerJoin('examination as exam', 'exam.id', 'item.examId')
    .select(['item.id', 'item.itemName', 'item.startTime', 'item.endTime'])
    .select(['exam.examName', 'exam.organizer', 'exam.contactPhone'])
    .where('item.examId', '=', remark.examId)
    .$if(remark.itemId !== null, query => query.where('item.id', '=', remark.itemId as string))
    .orderBy('item.startTime')
    .executeTakeFirst()
  if (!stage) throw refuse('row.notFound')
  const remarks = await db
    .selectFrom('ticketremark')
    .select(['remarkType', 'content'])
    .where('examId', '=', remark.examId)
    .where(eb => eb.or([eb('itemId', 'is', null), eb('itemId', '=', stage.id)]))
    .where(eb => eb.or([eb('ticketId', 'is', null), eb('id', '=', remark.id)]))
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return {
    layout: await readParam(db, 'ticket.layout'),
    examName: stage.examName,
    itemName: stage.itemName,
    startTime: stage.startTime,
    endTime: stage.endTime,
    organizer: stage.organizer,
    contactPhone: stage.contactPhone,
    ticketNo: '预览',
    name: '样例',
    idCard: '',
    unit: '报考单位',
    code: '岗位代码',
    siteName: '考点名称',
    address: '考点地址',
    roomNo: '001',
    seatNo: '01',
    qr: '预览',
    notes: await linesOfTicket(remarks),
  }
}
