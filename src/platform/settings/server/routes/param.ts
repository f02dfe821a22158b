import type { FastifyInstance, FastifyRequest } from 'fastify'
import { param } from '#resources/system/param'
import { type ParameterKey, parameterOf } from '#schemas/parameters'
import type { Values } from '../../../../crud/input.ts'
import { isNew, submit } from '../../../../crud/store.ts'
import { suggesting } from '../../../../screens/contract.ts'
import { readParam } from '../../../database/param.ts'
import { person } from '../../../http/server/access.ts'
import { liveAs } from '../../../http/server/live.ts'
import { refuse } from '../../../http/server/refusal.ts'
import { serve } from '../../../http/server/serve.ts'
import { saveParam, updateParam } from '../../contract.ts'

const bodyOf = ({ body }: FastifyRequest): Values => (body ?? {}) as Values

/** What forms are suggested by, and saving parameters by the names that older clients have for it. */
export default async function paramRoutes(app: FastifyInstance): Promise<void> {
  serve(app, saveParam, async ({ request }) => {
    const { id: _id, ...body } = bodyOf(request)
    await submit(request, param, body)
  })
  serve(app, suggesting, async ({ query, request }) => {
    const db = liveAs(app, person(request))
    const key = `suggest.${query.form}`
    const changes = parameterOf(key) ? await readParam(db, key as ParameterKey) : ''
    return { daysOff: await readParam(db, 'calendar.daysOff'), changes }
  })
  serve(app, updateParam, async ({ request }) => {
    if (isNew(bodyOf(request))) throw refuse('row.notFound')
    await submit(request, param, bodyOf(request))
  })
}
