import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '#engine'
import { school as schoolResource } from '#resources/exams/school'
import { ImportMode } from '#schemas/dictionaries'
import { asFile } from '../../../../crud/export.ts'
import { sendTemplate } from '../../../../crud/import.ts'
import type { Sheet } from '../../../../crud/import-task.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { oneFile, oneSheet } from '../../../../platform/http/server/form.ts'
import { query } from '../../../../platform/http/server/schemas.ts'
import { takenBy } from '../../../../platform/pdf/taken-by.ts'
import { actorOf, textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import { importRooms, roomTemplate } from '../rooms.ts'
import { importSeats, seatSheet } from '../seat-sheet.ts'
import { stageInScope } from './allot.ts'

const base = '/api/blade-exam/examination'
const access = { permission: ['allot_act', 'examroom_add'] }
const seats = { permission: ['allot_act', 'examinationticket_export'] }
const school: Resource = schoolResource
const templateQuery = query({ code: { type: 'string', enum: ['college', 'site'] } }, ['code'])

/** Workbooks of a stage: its sites and rooms, and who sits where; and the templates of schools. */
export async function roomRoutes(app: FastifyInstance): Promise<void> {
  const book = (reply: FastifyReply, name: string, sheet: Buffer) => asFile(reply, name).send(sheet)

  app.route({
    method: ['GET', 'POST'],
    url: `${base}/getSchoolExcel`,
    config: { access },
    handler: async (request, reply) => {
      const sheet = await roomTemplate(app.db, person(request).tenantId, await stageInScope(request))
      return book(reply, '考点考场模板.xlsx', sheet)
    },
  })
  app.post(`${base}/importSchool`, { config: { access, form: oneSheet } }, async request => {
    return ok(await importRooms(app.db, takingOf(request), await stageInScope(request), await bookOf(request)))
  })
  app.get(`${base}/exportTicketExcel`, { config: { access: seats } }, async (request, reply) => {
    const foot = takenBy(person(request), app.now())
    return book(reply, '考生座位.xlsx', await seatSheet(app.db, await stageInScope(request), foot))
  })
  app.post(
    `${base}/importTicket`,
    { config: { access: { permission: 'allot_act' }, form: oneSheet } },
    async request => {
      return ok(await importSeats(app.db, takingOf(request), await stageInScope(request), await bookOf(request)))
    },
  )
  app.get<{ Querystring: { code: 'college' | 'site' } }>(
    '/api/blade-school/school/getExcel',
    { config: { access: { permission: ['school_import', 'school'] } }, schema: templateQuery },
    async (request, reply) => {
      if (request.query.code === 'college') return sendTemplate(request, reply, school)
      // No stage has this number: the sheet is empty.
      return book(reply, '考点考场模板.xlsx', await roomTemplate(app.db, person(request).tenantId, '0'))
    },
  )
}

const takingOf = (request: FastifyRequest) => {
  const { tenantId } = person(request)
  return { storage: request.server.storage, tenantId, ...actorOf(request) }
}

/** The workbook of a call. @throws input.invalid */
async function bookOf(request: FastifyRequest): Promise<Sheet> {
  const file = oneFile(request)
  const mode = textOf(valuesOf(request), 'mode') === '2' ? ImportMode.validRows : ImportMode.allOrNothing
  return { file: await file.bytes(), fileName: file.filename, mode }
}
