import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asFile } from '../../../../crud/export.ts'
import { readIds } from '../../../../crud/input.ts'
import { hasDuty, scoped } from '../../../../crud/scope.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { disposition } from '../../../../platform/http/server/disposition.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { takenBy } from '../../../../platform/pdf/taken-by.ts'
import { streamWorkbook } from '../../../../platform/workbook/workbook.ts'
import { idOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import { printTickets } from '../../contract.ts'
import { Paper } from '../../rules/paper.ts'
import { type PaperType, type Place, printChosen, printPapers, rosterColumns, rosterRows } from '../papers.ts'

const names: Readonly<Record<PaperType, string>> = {
  [Paper.tickets]: '准考证',
  [Paper.doorLists]: '考场门贴',
  [Paper.signInSheets]: '考生签到表',
  [Paper.seatLabels]: '座位标签',
}

/** The stage or room an id means, in the caller's scope. @throws row.notFound */
async function placeOf(app: FastifyInstance, request: FastifyRequest): Promise<Place> {
  const id = idOf(valuesOf(request))
  const who = person(request)
  const stage = await scoped(app, who, 'examinationitem')
    .select('id')
    .where('id', '=', id)
    .where(hasDuty(app, who, 'examinationticket', 'examinationitem.examId', 'meet'))
    .executeTakeFirst()
  if (stage) return { itemId: stage.id }
  const room = await scoped(app, who, 'examroom')
    .select('id')
    .where('id', '=', id)
    .where(hasDuty(app, who, 'examinationticket', 'examroom.examId', 'meet'))
    .executeTakeFirst()
  if (!room) throw refuse('row.notFound')
  return { roomId: room.id }
}

/**
 * Papers of a room or a stage for staff: types 2 to 5 as PDF, 6 the roster by unit as a workbook.
 * @throws 403 without the right to export tickets, input.invalid for another type, row.notFound, tickets.notReleased,
 * workbook.tooManyRows
 */
export async function sendPapers(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply, type: number) {
  if (!person(request).permissions.has('examinationticket_export')) throw refuse('request.forbidden')
  if (type === Paper.ticket || !Object.values<number>(Paper).includes(type))
    throw refuse('input.invalid', { 说明: '文件类型只能是 1 到 6' })
  const place = await placeOf(app, request)
  if (type === Paper.roster) {
    const rows = await rosterRows(app, person(request), place)
    const foot = takenBy(person(request), app.now())
    const book = streamWorkbook({ sheet: '考生名册', columns: rosterColumns, rows, foot })
    return asFile(reply, '考生名册.xlsx').send(book)
  }
  const pdf = await printPapers(app, person(request), type as PaperType, place)
  return asPdf(reply, names[type as PaperType]).send(pdf)
}

/** The answer is a PDF that nobody keeps. */
const asPdf = (reply: FastifyReply, name: string): FastifyReply =>
  reply
    .type('application/pdf')
    .header('cache-control', 'private, no-store')
    .header('content-disposition', disposition(`${name}.pdf`))

/** Tickets that staff have chosen in their list. */
export function chosenRoutes(app: FastifyInstance): void {
  serve(app, printTickets, async ({ query, request, reply }) =>
    asPdf(reply, names[Paper.tickets]).send(await printChosen(app, person(request), readIds(query.ids))),
  )
}
