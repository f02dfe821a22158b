import type { FastifyInstance, FastifyRequest } from 'fastify'
import { permissionOf, type Resource } from '#engine'
import { ticketremark } from '#resources/tickets/ticketremark'
import { scoped } from '../../../../crud/scope.ts'
import { isNew, submit } from '../../../../crud/store.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { disposition } from '../../../../platform/http/server/disposition.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { id, query } from '../../../../platform/http/server/schemas.ts'
import { remarkSample } from '../sample.ts'

const remark: Resource = ticketremark
const base = `/api${remark.path}`

/** Remarks of an exam's tickets: for the pages that print them, and as a sample ticket. */
export async function remarkRoutes(app: FastifyInstance): Promise<void> {
  // Clients know the call by two names; the generated half has the first, `save`.
  const codes = [permissionOf(remark, 'add'), permissionOf(remark, 'edit')] as const
  app.post(`${base}/submit`, { config: { access: { permission: codes } } }, async request => {
    const body = (request.body ?? {}) as Record<string, unknown>
    if (!person(request).permissions.has(codes[isNew(body) ? 0 : 1])) throw refuse('request.forbidden')
    await submit(request, remark, body)
    return ok()
  })
  app.get<{ Querystring: { examId: string; itemId?: string } }>(
    `${base}/examRemarkList`,
    { config: { access: { permission: remark.code } }, schema: query({ examId: id, itemId: id }, ['examId']) },
    async request => ok(await remarksOf(app, request, request.query)),
  )
  app.get<{ Querystring: { id: string } }>(
    `${base}/preview`,
    { config: { access: { permission: permissionOf(remark, 'view') }, work: 'print' }, schema: query({ id }, ['id']) },
    async (request, reply) => {
      const found = await scoped(app, person(request), 'ticketremark')
        .selectAll()
        .where('id', '=', request.query.id)
        .executeTakeFirst()
      if (!found) throw refuse('row.notFound')
      const pdf = await app.drawings.get('ticketPdf', await remarkSample(app, found), found.tenantId)
      return reply
        .type('application/pdf')
        .header('content-disposition', disposition('准考证预览.pdf'))
        .header('cache-control', 'private, no-store')
        .send(pdf)
    },
  )
}

/** The remarks of an exam, or of one of its stages with those for all stages, in the order they are printed. */
const remarksOf = (app: FastifyInstance, request: FastifyRequest, asked: { examId: string; itemId?: string }) =>
  scoped(app, person(request), 'ticketremark')
    .select(['id', 'examId', 'itemId', 'ticketId', 'remarkType', 'content', 'sort'])
    .where('examId', '=', asked.examId)
    .$if(asked.itemId !== undefined, rows =>
      rows.where(eb => eb.or([eb('itemId', 'is', null), eb('itemId', '=', asked.itemId as string)])),
    )
    .orderBy('remarkType')
    .orderBy('sort')
    .orderBy('id')
    .execute()
