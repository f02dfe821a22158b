import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Resource } from '#engine'
import { school as schoolResource } from '#resources/exams/school'
import { sendTemplate } from '../../../../crud/sheet-resource.ts'
import { answerSheet, asCounts, type SheetOutcome } from '../../../../crud/sheet-take.ts'
import { receiveSheet, sendSheet } from '../../../../crud/sheet-work.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { importRooms, importSeats, roomBook, schoolTemplate, seatBook } from '../../contract.ts'
import { roomSheetRules } from '../rooms.ts'
import { seatSheetRules } from '../seat-sheet.ts'
import { stageInScope } from './allot.ts'

const school: Resource = schoolResource
const roomFile = { file: '考点考场模板.xlsx' }

/** The stage of a call, as sheets have it. */
const stageFixed = async (request: FastifyRequest) => ({ itemId: await stageInScope(request) })

/** What became of a workbook; one of which nothing was taken in is refused. */
const answerOf = (outcome: SheetOutcome) =>
  answerSheet(outcome, asCounts(outcome), outcome.success === 0 && outcome.failed > 0)

/** Workbooks of a stage: its sites and rooms, and who sits where; and the templates of schools. */
export async function roomRoutes(app: FastifyInstance): Promise<void> {
  serve(app, roomBook, async ({ request, reply }) =>
    sendSheet(request, reply, roomSheetRules, await stageFixed(request), roomFile),
  )
  serve(app, importRooms, async ({ request }) =>
    answerOf(await receiveSheet(request, roomSheetRules, await stageFixed(request))),
  )
  serve(app, seatBook, async ({ request, reply }) =>
    sendSheet(request, reply, seatSheetRules, await stageFixed(request), { file: '考生座位.xlsx' }),
  )
  serve(app, importSeats, async ({ request }) =>
    answerOf(await receiveSheet(request, seatSheetRules, await stageFixed(request))),
  )
  serve(app, schoolTemplate, async ({ query, request, reply }) => {
    if (query.code === 'college') return sendTemplate(request, reply, school)
    // No stage has this number: the sheet is empty.
    return sendSheet(request, reply, roomSheetRules, { itemId: '0' }, roomFile)
  })
}
