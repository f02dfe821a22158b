import type { FastifyInstance, FastifyRequest } from 'fastify'
import { permissionOf, type QueryOf, type Resource } from '#engine'
import { ticketremark } from '#resources/tickets/ticketremark'
import { scoped } from '../../../../crud/scope.ts'
import { isNew, submit } from '../../../../crud/store.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { disposition } from '../../../../platform/http/server/disposition.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { remarkList, remarkPreview, saveRemark } from '../../contract.ts'
import { remarkSample } from '../sample.ts'

const remark: Resource = ticketremark

/** Remarks of an exam's tickets: for the pages that print them, and as a sample ticket. */
export async function remarkRoutes(app: FastifyInstance): Promise<void> {
  // Clients know the call by two names; the generated half has the first, `save`.
  serve(app, saveRemark, async ({ request }) => {
    const body = (request.body ?? {}) as Record<string, unknown>
    const needed = permissionOf(remark, isNew(body) ? 'add' : 'edit')
    if (!person(request).permissions.has(needed)) throw refuse('request.forbidden')
    await submit(request, remark, body)
  })
  serve(app, remarkList, ({ query, request }) => remarksOf(app, request, query))
  serve(app, remarkPreview, async ({ query, request, reply }) => {
    const who = person(request)
    const found = await scoped(app, who, 'ticketremark').selectAll().where('id', '=', query.id).executeTakeFirst()
    if (!found) throw refuse('row.notFound')
    const pdf = await app.drawings.get('ticketPdf', await remarkSample(app, who, found), who.tenantId)
    return reply
      .type('application/pdf')
      .header('content-disposition', disposition('准考证预览.pdf'))
      .header('cache-control', 'private, no-store')
      .send(pdf)
  })
}

/** The remarks of an exam, or of one of its stages with those for all stages, in the order they are printed. */
const remarksOf = (app: FastifyInstance, request: FastifyRequest, asked: QueryOf<typeof remarkList>) =>
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
