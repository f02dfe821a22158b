import '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { flowDeployment } from '#resources/flow/flow-deployment'
import { person } from '../../access.ts'
import { type DefinitionQuery, deployedPage } from '../../actions/flow/definitions.ts'
import { checkModel } from '../../actions/flow/hooks.ts'
import { readIds, type Values } from '../../crud/input.ts'
import { scoped } from '../../crud/scope.ts'
import { isNew, submit } from '../../crud/store.ts'
import { mostBpmn } from '../../domain/bpmn.ts'
import { notYet, Refusal, refuse } from '../../domain/refusal.ts'
import { ok } from '../../plugins/envelope.ts'
import { id, paging, query } from '../signup/schemas.ts'

const flow = '/api/blade-flow'
const may = (...permission: string[]) => ({ access: { permission } })

/** Models, what was deployed of them, and what they look like: `blade-flow/model`, `manager`, `process`. */
export function flowRoutes(app: FastifyInstance): void {
  models(app)
  manager(app)
  diagrams(app)
}

/** @throws 29001 when one of the models is not there for the caller */
async function requireModels(app: FastifyInstance, request: FastifyRequest, ids: readonly string[]): Promise<void> {
  const rows = await scoped(app, person(request), 'flow_deployment').select('id').where('id', 'in', ids).execute()
  if (rows.length < ids.length) throw refuse(29001)
}

function models(app: FastifyInstance): void {
  const config = may('flow_deployment_add', 'flow_deployment_edit')
  // A model may be as large as other bodies altogether, and as JSON it is larger.
  app.post(`${flow}/model/submit`, { config, bodyLimit: 3 * mostBpmn }, async request => {
    const row = (request.body ?? {}) as Values
    const needed = isNew(row) ? 'flow_deployment_add' : 'flow_deployment_edit'
    if (!person(request).permissions.has(needed)) throw new Refusal(403, 403, '没有访问权限')
    await submit(request, flowDeployment, row)
    return ok()
  })
  app.post<{ Querystring: { modelId?: string; id?: string } }>(
    `${flow}/model/deploy`,
    {
      config: may('flow_deployment_edit'),
      schema: query({
        ...{ modelId: id, id, category: { type: 'string', maxLength: 50 } },
        tenantIds: { type: 'string', maxLength: 500 },
      }),
    },
    async request => {
      const { modelId, id: other } = request.query
      await requireModels(app, request, readIds(modelId ?? other, 'modelId'))
      throw notYet()
    },
  )
}

function manager(app: FastifyInstance): void {
  const listed = query({
    ...paging,
    ...{
      category: { type: 'string', pattern: '^[0-9]{1,9}$' },
      processDefinitionName: { type: 'string', maxLength: 100 },
    },
    suspensionState: { type: 'integer', enum: [1, 2] },
  })
  app.get<{ Querystring: DefinitionQuery }>(
    `${flow}/manager/list`,
    { config: may('flow_manager'), schema: listed },
    async request => ok(await deployedPage(app, person(request), request.query)),
  )
  app.post<{ Querystring: { processId: string } }>(
    `${flow}/manager/change-state`,
    {
      config: may('flow_manager_change'),
      schema: query(
        {
          processId: { ...id, title: '流程' },
          state: { type: 'string', enum: ['1', '2', 'active', 'suspend'], title: '状态' },
        },
        ['processId', 'state'],
      ),
    },
    async request => {
      await requireModels(app, request, [request.query.processId])
      throw notYet()
    },
  )
  app.post<{ Querystring: { deploymentIds?: string } }>(
    `${flow}/manager/delete-deployment`,
    { config: may('flow_manager_delete') },
    async request => {
      await requireModels(app, request, readIds(request.query.deploymentIds, 'deploymentIds'))
      throw notYet()
    },
  )
  app.post(`${flow}/manager/deploy-upload`, { config: may('flow_manager_upload') }, async request => {
    if (!request.isMultipart()) throw refuse(29005, { 说明: '请选择文件' })
    const limits = { fileSize: mostBpmn, files: 10, fields: 10 }
    let count = 0
    for await (const part of request.files({ limits })) {
      const bytes = await part.toBuffer()
      if (!/\.bpmn20\.xml$/i.test(part.filename)) throw refuse(28001)
      checkModel(bytes.toString('utf8'), 'files')
      count += 1
    }
    throw count > 0 ? notYet() : refuse(29005, { 说明: '请选择文件' })
  })
}

interface Shown {
  processInstanceId?: string
  processDefinitionId?: string
}

function diagrams(app: FastifyInstance): void {
  const config = may('work_start', 'work_claim', 'work_todo', 'work_send', 'work_done', 'flow_follow', 'flow_manager')
  app.get<{ Querystring: Shown }>(
    `${flow}/process/model-view`,
    { config, schema: query({ processInstanceId: id, processDefinitionId: id }) },
    async request => {
      const { processInstanceId, processDefinitionId } = request.query
      if (!processInstanceId && !processDefinitionId) throw refuse(29005, { 说明: '请选择流程' })
      const model = await scoped(app, person(request), 'flow_deployment')
        .select('xml')
        .where('id', '=', processDefinitionId ?? '0')
        .executeTakeFirst()
      if (!model) throw refuse(29001)
      return ok({ xml: model.xml, flow: [] })
    },
  )
  app.get<{ Querystring: Shown }>(
    `${flow}/process/history-flow-list`,
    { config, schema: query({ processInstanceId: { ...id, title: '流程实例' } }, ['processInstanceId']) },
    async () => {
      // No instance has ever run.
      throw refuse(29001)
    },
  )
}
