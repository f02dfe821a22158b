import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { allRuns, endRun, modelView, runHistory } from '../../contract.ts'
import { endProcess } from '../end.ts'
import { definitionView, historyOf, runView } from '../history.ts'
import { kinds, runPage } from '../runs.ts'

/** Runs, the ways they have taken, and what they look like. */
export function followRoutes(app: FastifyInstance): void {
  serve(app, allRuns, async ({ query, request }) => runPage(app, person(request), kinds.follow(), query))
  serve(app, endRun, async ({ query, request }) => {
    const { db, person, now } = callerOf(app, request)
    await endProcess(app, db, query.processInstanceId, { ...person, now, reason: query.deleteReason.trim() })
  })
  serve(app, modelView, async ({ query: { processInstanceId, processDefinitionId }, request }) => {
    if (processInstanceId) return runView(app, person(request), processInstanceId)
    if (processDefinitionId) return definitionView(app, person(request), processDefinitionId)
    throw refuse('input.invalid', { 说明: '请选择流程' })
  })
  serve(app, runHistory, async ({ query, request }) => historyOf(app, person(request), query.processInstanceId))
}
