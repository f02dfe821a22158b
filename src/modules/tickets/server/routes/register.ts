import type { FastifyInstance } from 'fastify'
import { asFile } from '../../../../crud/export.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { takenBy } from '../../../../platform/pdf/taken-by.ts'
import { streamWorkbook } from '../../../../platform/workbook/workbook.ts'
import { downloadBook, downloadList } from '../../contract.ts'
import { downColumns, downPage, downRows } from '../downloads.ts'
import { purgePictures } from '../purge.ts'

/** Who has downloaded the ticket and who has not, as a list and as a workbook; and the end of the pictures handed in. */
export async function registerRoutes(app: FastifyInstance): Promise<void> {
  serve(app, downloadList, ({ query, request }) => downPage(app, person(request), query))
  serve(app, downloadBook, async ({ query, request, reply }) => {
    const rows = await downRows(app, person(request), query)
    const foot = takenBy(person(request), app.now())
    const book = streamWorkbook({ sheet: '准考证下载登记', columns: downColumns, rows, foot })
    return asFile(reply, '准考证下载登记.xlsx').send(book)
  })
  app.jobs.every({ name: 'ticket-pictures', title: '清理准考证照片', seconds: 3600, work: () => purgePictures(app) })
}
