import type { FastifyInstance, FastifyRequest } from 'fastify'
import { param } from '#resources/system/param'
import type { Values } from '../../../../crud/input.ts'
import { isNew, submit } from '../../../../crud/store.ts'
import { ok } from '../../../http/server/envelope.ts'
import { refuse } from '../../../http/server/refusal.ts'

const bodyOf = ({ body }: FastifyRequest): Values => (body ?? {}) as Values

/** Saving parameters by the names that older clients have for it, service `blade-system/param`. */
export default async function paramRoutes(app: FastifyInstance): Promise<void> {
  const path = '/api/blade-system/param'
  app.post(`${path}/save`, { config: { access: { permission: 'param_add' } } }, async request => {
    const { id: _id, ...body } = bodyOf(request)
    await submit(request, param, body)
    return ok()
  })
  app.post(`${path}/update`, { config: { access: { permission: 'param_edit' } } }, async request => {
    if (isNew(bodyOf(request))) throw refuse('row.notFound')
    await submit(request, param, bodyOf(request))
    return ok()
  })
}
