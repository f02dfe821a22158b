import type { FastifyInstance } from 'fastify'
import { FlowState } from '#schemas/dictionaries'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { claim, claimable, completeTask, doneTasks, ownRuns, startable, waitingTasks } from '../../contract.ts'
import { readDecision } from '../decision.ts'
import { deployedPage } from '../definitions.ts'
import { kinds, runPage } from '../runs.ts'
import { claimTask, decide } from '../tasks.ts'

/** What a person can begin, has to do and has done. */
export function workRoutes(app: FastifyInstance): void {
  serve(app, startable, async ({ query, request }) =>
    deployedPage(app, person(request), { ...query, suspensionState: FlowState.active }, true),
  )
  serve(app, claimable, async ({ query, request }) =>
    runPage(app, person(request), kinds.claim(person(request)), query),
  )
  serve(app, waitingTasks, async ({ query, request }) =>
    runPage(app, person(request), kinds.todo(person(request)), query),
  )
  serve(app, ownRuns, async ({ query, request }) => runPage(app, person(request), kinds.send(person(request)), query))
  serve(app, doneTasks, async ({ query, request }) => runPage(app, person(request), kinds.done(person(request)), query))
  serve(app, claim, async ({ query, request }) => claimTask(app, callerOf(app, request), query.taskId))
  serve(app, completeTask, async ({ body, request }) => decide(request, readDecision(body)))
}
