import type { FastifyInstance } from 'fastify'
import { asFile } from '../../../../crud/export.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { id, paging, query } from '../../../../platform/http/server/schemas.ts'
import { takenBy } from '../../../../platform/pdf/taken-by.ts'
import { streamWorkbook } from '../../../../platform/workbook/workbook.ts'
import { type DownQuery, downColumns, downPage, downRows } from '../downloads.ts'
import { purgePictures } from '../purge.ts'

const base = '/api/blade-ticketNotice/ticketnotice'
const filters = {
  examId: id,
  itemId: id,
  downloaded: { type: 'integer', enum: [0, 1] },
  picState: { type: 'integer', minimum: 0, maximum: 4 },
  name: { type: 'string', maxLength: 20 },
  ticketNo: { type: 'string', maxLength: 30 },
}

/** Who has downloaded his ticket and who has not, as a list and as a workbook; and the end of the pictures handed in. */
export async function registerRoutes(app: FastifyInstance): Promise<void> {
  app.get<{ Querystring: DownQuery }>(
    `${base}/ticketDownList`,
    { config: { access: { permission: 'ticketnotice' } }, schema: query({ ...paging, ...filters }) },
    async request => ok(await downPage(app, person(request), request.query)),
  )
  app.get<{ Querystring: DownQuery }>(
    `${base}/exportTicketDownExcel`,
    { config: { access: { permission: 'ticketnotice_export' } }, schema: query(filters) },
    async (request, reply) => {
      const rows = await downRows(app, person(request), request.query)
      const foot = takenBy(person(request), app.now())
      const book = streamWorkbook({ sheet: '准考证下载登记', columns: downColumns, rows, foot })
      return asFile(reply, '准考证下载登记.xlsx').send(book)
    },
  )
  app.jobs.every(3600, 'ticket-pictures', () => purgePictures(app))
}
