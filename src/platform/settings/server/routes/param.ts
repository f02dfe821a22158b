import type { FastifyInstance, FastifyRequest } from 'fastify'
import { param } from '#resources/system/param'
import type { Values } from '../../../../crud/input.ts'
import { isNew, submit } from '../../../../crud/store.ts'
import { refuse } from '../../../http/server/refusal.ts'
import { serve } from '../../../http/server/serve.ts'
import { saveParam, updateParam } from '../../contract.ts'

const bodyOf = ({ body }: FastifyRequest): Values => (body ?? {}) as Values

/** Saving parameters by the names that older clients have for it. */
export default async function paramRoutes(app: FastifyInstance): Promise<void> {
  serve(app, saveParam, async ({ request }) => {
    const { id: _id, ...body } = bodyOf(request)
    await submit(request, param, body)
  })
  serve(app, updateParam, async ({ request }) => {
    if (isNew(bodyOf(request))) throw refuse('row.notFound')
    await submit(request, param, bodyOf(request))
  })
}
