import type { FastifyInstance } from 'fastify'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { id, query } from '../../../../platform/http/server/schemas.ts'
import { endProcess } from '../end.ts'
import { definitionView, historyOf, runView } from '../history.ts'
import { kinds, type RunQuery, runPage } from '../runs.ts'
import { runFilters } from './schemas.ts'

const flow = '/api/blade-flow'
const may = (...permission: string[]) => ({ access: { permission } })
const instance = { ...id, title: '流程实例' }

interface Shown {
  processInstanceId?: string
  processDefinitionId?: string
}

/** Runs, the ways they have taken, and what they look like: `blade-flow/follow`, `process`. */
export function followRoutes(app: FastifyInstance): void {
  app.get<{ Querystring: RunQuery }>(
    `${flow}/follow/list`,
    { config: may('flow_follow'), schema: runFilters },
    async request => ok(await runPage(app, person(request), kinds.follow(), request.query)),
  )
  const reason = { type: 'string', minLength: 1, maxLength: 500, pattern: '\\S', title: '终止原因' }
  app.post<{ Querystring: { processInstanceId: string; deleteReason: string } }>(
    `${flow}/follow/delete-process-instance`,
    {
      config: may('flow_follow_delete'),
      schema: {
        summary: '流程：终止',
        ...query({ processInstanceId: instance, deleteReason: reason }, ['processInstanceId', 'deleteReason']),
      },
    },
    async request => {
      const { processInstanceId, deleteReason } = request.query
      await endProcess(app, person(request), processInstanceId, deleteReason.trim())
      return ok()
    },
  )
  views(app)
}

function views(app: FastifyInstance): void {
  const config = may('work_start', 'work_claim', 'work_todo', 'work_send', 'work_done', 'flow_follow', 'flow_manager')
  app.get<{ Querystring: Shown }>(
    `${flow}/process/model-view`,
    { config, schema: query({ processInstanceId: id, processDefinitionId: id }) },
    async request => {
      const { processInstanceId, processDefinitionId } = request.query
      if (processInstanceId) return ok(await runView(app, person(request), processInstanceId))
      if (processDefinitionId) return ok(await definitionView(app, person(request), processDefinitionId))
      throw refuse('input.invalid', { 说明: '请选择流程' })
    },
  )
  app.get<{ Querystring: { processInstanceId: string } }>(
    `${flow}/process/history-flow-list`,
    { config, schema: query({ processInstanceId: instance }, ['processInstanceId']) },
    async request => ok(await historyOf(app, person(request), request.query.processInstanceId)),
  )
}
