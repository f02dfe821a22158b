import type { FastifyInstance } from 'fastify'
import { codeTarget } from '#schemas/dictionaries'
import { readIds } from '../../../crud/input.ts'
import { streamZip } from '../../../platform/files/zip.ts'
import { person } from '../../../platform/http/server/access.ts'
import { disposition } from '../../../platform/http/server/disposition.ts'
import { ok } from '../../../platform/http/server/envelope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { id, query } from '../../../platform/http/server/schemas.ts'
import { readColumns, readTables } from './catalogue.ts'
import { type CodeTarget, generate } from './generate.ts'
import { requireAdministrator } from './handlers.ts'
import { modelOf, readPrototypes, savePrototypes } from './prototype.ts'
import { inSource } from './source.ts'

const path = '/api/blade-develop'

const targets = Object.keys(codeTarget.entries)

interface Asked {
  id?: string
  modelId?: string
  datasourceId?: string
  tableName?: string
}

const identifier = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_$]{0,62}$', title: '表名' }

/** Service `blade-develop` beyond its resources: what is in databases, and the fields of models. */
export default async function developRoutes(app: FastifyInstance): Promise<void> {
  catalogue(app)
  prototypes(app)
  app.post<{ Querystring: { ids?: string; system?: CodeTarget } }>(
    `${path}/code/gen-code`,
    {
      config: { access: { permission: 'code_generate' } },
      schema: query({ ids: { type: 'string' }, system: { type: 'string', enum: ['', ...targets], title: '生成目标' } }),
    },
    async (request, reply) => {
      const { ids, system } = request.query
      const entries = await generate(app, readIds(ids), system || 'saber')
      return reply
        .type('application/zip')
        .header('content-disposition', disposition('code.zip'))
        .send(streamZip(entries()))
    },
  )
}

function catalogue(app: FastifyInstance): void {
  const reads = { access: { permission: ['model', 'code'] } }

  app.get<{ Querystring: Asked }>(
    `${path}/model/table-list`,
    { config: reads, schema: query({ datasourceId: { ...id, title: '数据源' } }, ['datasourceId']) },
    async request => ok(await inSource(app, request.query.datasourceId ?? '', readTables)),
  )
  app.get<{ Querystring: Asked }>(
    `${path}/model/table-info`,
    { config: reads, schema: query({ modelId: id, datasourceId: id, tableName: identifier }) },
    async request => {
      const { modelId, tableName, datasourceId } = request.query
      const model = modelId ? await modelOf(app, modelId) : undefined
      const [name, source] = [tableName ?? model?.modelTable, datasourceId ?? model?.datasourceId]
      if (!name || !source) throw refuse('input.invalid', { 说明: '请选择模型，或数据源和表名' })
      const found = await inSource(app, source, async (db, isOwn) => {
        const [table] = await readTables(db, isOwn, name)
        return table && { ...table, fields: await readColumns(db, isOwn, name) }
      })
      if (!found) throw refuse('row.notFound')
      return ok(found)
    },
  )
}

function prototypes(app: FastifyInstance): void {
  app.get<{ Querystring: Asked }>(
    `${path}/model/model-prototype`,
    {
      config: { access: { permission: ['model', 'code'] } },
      schema: query({ id, modelId: id, datasourceId: id }),
    },
    async request => {
      const { modelId = request.query.id, datasourceId } = request.query
      if (!modelId) throw refuse('input.invalid', { 说明: '请选择模型' })
      return ok(await readPrototypes(app, modelId, datasourceId))
    },
  )
  app.post<{ Body: unknown }>(
    `${path}/model-prototype/submit-list`,
    { config: { access: { permission: 'model_edit' } } },
    async request => {
      const caller = person(request)
      requireAdministrator({ person: caller })
      const list = Array.isArray(request.body) ? request.body : []
      await savePrototypes(app, list, { userId: caller.userId, now: app.now() })
      return ok()
    },
  )
}
