import type { FastifyInstance } from 'fastify'
import { flowDeployment } from '#resources/workflow/flow-deployment'
import { readIds, type Values } from '../../../../crud/input.ts'
import { isNew, submit } from '../../../../crud/store.ts'
import type { SentPassword } from '../../../../platform/auth/server/second-password.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { id, query } from '../../../../platform/http/server/schemas.ts'
import { mostBpmn } from '../../rules/bpmn.ts'
import { type DefinitionQuery, deployedPage } from '../definitions.ts'
import { changeState, deploySaved, removeDeployments } from '../manage.ts'
import { bpmnForm, categoryOf, deployUploaded } from '../upload.ts'
import { definitionFilters } from './schemas.ts'

const flow = '/api/blade-flow'
const may = (...permission: string[]) => ({ access: { permission } })

interface Deploying {
  modelId?: string
  id?: string
  category?: string
  tenantIds?: string
}

/** Models and deploying them: `blade-flow/model`. What is not here is generated. */
export function modelRoutes(app: FastifyInstance): void {
  const config = may('flow_deployment_add', 'flow_deployment_edit')
  // A model may be as large as other bodies altogether, and as JSON it is larger.
  app.post(`${flow}/model/submit`, { config, bodyLimit: 3 * mostBpmn }, async request => {
    const row = (request.body ?? {}) as Values
    const needed = isNew(row) ? 'flow_deployment_add' : 'flow_deployment_edit'
    if (!person(request).permissions.has(needed)) throw refuse('request.forbidden')
    await submit(request, flowDeployment, row)
    return ok()
  })
  const fields = {
    modelId: id,
    id,
    category: { type: 'string', maxLength: 50 },
    tenantIds: { type: 'string', maxLength: 500 },
  }
  app.post<{ Querystring: Deploying }>(
    `${flow}/model/deploy`,
    { config: may('flow_deployment_edit'), schema: { summary: '流程模型：部署', ...query(fields) } },
    async request => {
      const { category, tenantIds, ...ids } = request.query
      const [modelId = ''] = readIds(ids.modelId ?? ids.id, 'modelId')
      const wish = { modelId, category: category ? categoryOf(category) : undefined, tenantIds }
      await deploySaved(app, person(request), wish)
      return ok()
    },
  )
}

const states = { '1': 1, '2': 2, active: 1, suspend: 2 } as const

/** What was deployed: `blade-flow/manager`. */
export function managerRoutes(app: FastifyInstance): void {
  app.get<{ Querystring: DefinitionQuery }>(
    `${flow}/manager/list`,
    { config: may('flow_manager'), schema: definitionFilters },
    async request => ok(await deployedPage(app, person(request), request.query)),
  )
  const state = { type: 'string', enum: Object.keys(states), title: '状态' }
  app.post<{ Querystring: { processId: string; state: keyof typeof states } }>(
    `${flow}/manager/change-state`,
    {
      config: may('flow_manager_change'),
      schema: {
        summary: '流程部署：挂起与激活',
        ...query({ processId: { ...id, title: '流程' }, state }, ['processId', 'state']),
      },
    },
    async request => {
      await changeState(app, person(request), request.query.processId, states[request.query.state])
      return ok()
    },
  )
  app.post(
    `${flow}/manager/deploy-upload`,
    { config: { ...may('flow_manager_upload'), form: bpmnForm }, schema: { summary: '流程部署：上传' } },
    async request => {
      await deployUploaded(app, request)
      return ok()
    },
  )
  removal(app)
}

type Body = (SentPassword & { cascade?: boolean }) | null

function removal(app: FastifyInstance): void {
  app.post<{ Querystring: { deploymentIds?: string }; Body: Body }>(
    `${flow}/manager/delete-deployment`,
    { config: may('flow_manager_delete'), schema: { summary: '流程部署：删除' } },
    async request => {
      const { cascade, password, keyId } = request.body ?? {}
      const ids = readIds(request.query.deploymentIds, 'deploymentIds')
      const sent = { ...(typeof password === 'string' && { password }), ...(typeof keyId === 'string' && { keyId }) }
      await removeDeployments(app, person(request), { ids, cascade: cascade === true, ...sent })
      return ok()
    },
  )
}
