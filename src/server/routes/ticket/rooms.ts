import '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { person } from '../../access.ts'
import { importRooms, roomTemplate } from '../../actions/ticket/rooms.ts'
import { refuse } from '../../domain/refusal.ts'
import { ok } from '../../plugins/envelope.ts'
import { moverOf } from '../exam/examination.ts'
import { stageInScope } from './allot.ts'

const base = '/api/blade-exam/examination'
const access = { permission: ['allot_act', 'examroom_add'] }

/** Sites and rooms of a stage from Excel, and the sheet to fill in. */
export async function roomRoutes(app: FastifyInstance): Promise<void> {
  app.route({
    ...{ method: ['GET', 'POST'], url: `${base}/getSchoolExcel`, config: { access } },
    handler: async (request, reply) => {
      const sheet = await roomTemplate(app.db, person(request).tenantId, await stageInScope(request))
      const name = encodeURIComponent('考点考场模板.xlsx')
      return reply
        .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
        .header('content-disposition', `attachment; filename="rooms.xlsx"; filename*=UTF-8''${name}`)
        .send(sheet)
    },
  })
  app.post(`${base}/importSchool`, { config: { access } }, async request => {
    const part = await request.file()
    if (!part) throw refuse(29005, { 说明: '请选择文件' })
    const file = await part.toBuffer()
    const field = (name: string) => {
      const value = part.fields[name]
      return value && 'value' in value ? String(value.value) : undefined
    }
    const query = request.query as Record<string, unknown>
    request.body = { itemId: field('itemId') ?? query.itemId }
    const mode = (field('mode') ?? String(query.mode ?? '1')) === '2' ? 2 : 1
    const place = { tenantId: person(request).tenantId, itemId: await stageInScope(request) }
    return ok(await importRooms(app.db, place, file, mode, moverOf(request)))
  })
}
