import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readIds } from '../../../crud/input.ts'
import { streamZip } from '../../../platform/files/zip.ts'
import { person } from '../../../platform/http/server/access.ts'
import { disposition } from '../../../platform/http/server/disposition.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { serve } from '../../../platform/http/server/serve.ts'
import { generateCode, modelFields, saveModelFields, sourceTable, sourceTables } from '../contract.ts'
import { readColumns, readTables } from './catalogue.ts'
import { generate } from './generate.ts'
import { requireAdministrator } from './handlers.ts'
import { modelOf, readPrototypes, savePrototypes } from './prototype.ts'
import { type Asking, inSource } from './source.ts'

const askingOf = (request: FastifyRequest): Asking => ({
  app: request.server,
  db: liveAs(request.server, person(request)),
})

/** Service `blade-develop` beyond its resources: what is in databases, and the fields of models. */
export default async function developRoutes(app: FastifyInstance): Promise<void> {
  catalogue(app)
  prototypes(app)
  serve(app, generateCode, async ({ query: { ids, system }, request, reply }) => {
    const entries = await generate(askingOf(request), readIds(ids), system || 'saber')
    return reply
      .type('application/zip')
      .header('content-disposition', disposition('code.zip'))
      .send(streamZip(entries()))
  })
}

function catalogue(app: FastifyInstance): void {
  serve(app, sourceTables, ({ query, request }) => inSource(askingOf(request), query.datasourceId, readTables))
  serve(app, sourceTable, async ({ query: { modelId, tableName, datasourceId }, request }) => {
    const asking = askingOf(request)
    const model = modelId ? await modelOf(asking.db, modelId) : undefined
    const [name, source] = [tableName ?? model?.modelTable, datasourceId ?? model?.datasourceId]
    if (!name || !source) throw refuse('input.invalid', { 说明: '请选择模型，或数据源和表名' })
    const found = await inSource(asking, source, async (db, isOwn) => {
      const [table] = await readTables(db, isOwn, name)
      return table && { ...table, fields: await readColumns(db, isOwn, name) }
    })
    if (!found) throw refuse('row.notFound')
    return found
  })
}

function prototypes(app: FastifyInstance): void {
  serve(app, modelFields, async ({ query: { id, modelId = id, datasourceId }, request }) => {
    if (!modelId) throw refuse('input.invalid', { 说明: '请选择模型' })
    return readPrototypes(askingOf(request), modelId, datasourceId)
  })
  serve(app, saveModelFields, async ({ values, request }) => {
    const caller = person(request)
    requireAdministrator({ person: caller })
    await savePrototypes(askingOf(request), values, { userId: caller.userId, now: app.now() })
  })
}
