import type { FastifyInstance } from 'fastify'
import { FlowState } from '#schemas/dictionaries'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { id, query } from '../../../../platform/http/server/schemas.ts'
import { readDecision } from '../decision.ts'
import { type DefinitionQuery, deployedPage } from '../definitions.ts'
import { kinds, type RunQuery, runPage } from '../runs.ts'
import { claimTask, completeTask } from '../tasks.ts'
import { decisionBody, definitionFilters, runFilters } from './schemas.ts'

const work = '/api/blade-flow/work'
const may = (permission: string) => ({ access: { permission } })

/** What a person can begin, has to do and has done: `blade-flow/work`. */
export function workRoutes(app: FastifyInstance): void {
  app.get<{ Querystring: DefinitionQuery }>(
    `${work}/start-list`,
    { config: may('work_start'), schema: definitionFilters },
    async request =>
      ok(await deployedPage(app, person(request), { ...request.query, suspensionState: FlowState.active })),
  )
  for (const name of ['claim', 'todo', 'send', 'done'] as const)
    app.get<{ Querystring: RunQuery }>(
      `${work}/${name}-list`,
      { config: may(`work_${name}`), schema: runFilters },
      async request => ok(await runPage(app, person(request), kinds[name](person(request)), request.query)),
    )
  acts(app)
}

function acts(app: FastifyInstance): void {
  app.post<{ Querystring: { taskId: string } }>(
    `${work}/claim-task`,
    {
      config: may('work_claim_act'),
      schema: { summary: '流程任务：签收', ...query({ taskId: { ...id, title: '任务' } }, ['taskId']) },
    },
    async request => {
      await claimTask(app, person(request), request.query.taskId)
      return ok()
    },
  )
  app.post(
    `${work}/complete-task`,
    { config: may('work_todo_act'), schema: { summary: '流程任务：办理', ...decisionBody } },
    async request => {
      await completeTask(app, person(request), readDecision(request.body))
      return ok()
    },
  )
}
