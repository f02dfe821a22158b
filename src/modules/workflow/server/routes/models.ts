import type { FastifyInstance } from 'fastify'
import { flowDeployment } from '#resources/workflow/flow-deployment'
import { readIds, type Values } from '../../../../crud/input.ts'
import { isNew, submit } from '../../../../crud/store.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import {
  changeState,
  deployedProcesses,
  deployModel,
  modelChoices,
  removeDeployments,
  submitModel,
  uploadModels,
} from '../../contract.ts'
import { deployedPage } from '../definitions.ts'
import { choicesFor, savedModel } from '../drawing.ts'
import { deploySaved, setSuspension, undeploy } from '../manage.ts'
import { categoryOf, deployUploaded } from '../upload.ts'

/** Models and deploying them. What is not here is generated. */
export function modelRoutes(app: FastifyInstance): void {
  serve(app, submitModel, async ({ request }) => {
    const row = (request.body ?? {}) as Values
    const needed = isNew(row) ? 'flow_deployment_add' : 'flow_deployment_edit'
    if (!person(request).permissions.has(needed)) throw refuse('request.forbidden')
    await submit(request, flowDeployment, row)
    const by = isNew(row) ? { modelKey: String(row.modelKey ?? row.key) } : { id: String(row.id) }
    return savedModel(app, person(request), by)
  })
  serve(app, modelChoices, async ({ request }) => choicesFor(app, person(request)))
  serve(app, deployModel, async ({ query: { category, tenantIds, version, ...ids }, request }) => {
    const [modelId = ''] = readIds(ids.modelId ?? ids.id, 'modelId')
    const wish = { modelId, version, category: category ? categoryOf(category) : undefined, tenantIds }
    await deploySaved(app, person(request), wish)
  })
}

const states = {
  '1': 'activate',
  '2': 'suspend',
  active: 'activate',
  suspend: 'suspend',
} as const

/** What was deployed. */
export function managerRoutes(app: FastifyInstance): void {
  serve(app, deployedProcesses, async ({ query, request }) => deployedPage(app, person(request), query))
  serve(app, changeState, async ({ query, request }) =>
    setSuspension(app, person(request), query.processId, states[query.state]),
  )
  serve(app, uploadModels, async ({ request }) => deployUploaded(app, request))
  serve(app, removeDeployments, async ({ values: { cascade, password, keyId, deploymentIds }, request }) => {
    const ids = readIds(deploymentIds, 'deploymentIds')
    const sent = { ...(typeof password === 'string' && { password }), ...(typeof keyId === 'string' && { keyId }) }
    await undeploy(app, person(request), { ids, cascade: cascade === true, ...sent })
  })
}
