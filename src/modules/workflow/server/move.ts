import { FlowRun } from '#schemas/dictionaries'
import './flow-tables.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { Variables } from '../rules/expression.ts'
import { advance, type Graph, nodeOf } from '../rules/graph.ts'
import { FlowProblem } from '../rules/problem.ts'
import { doerOf } from './people.ts'

/** A run that goes on. */
export interface Moving {
  id: string
  graph: Graph
  variables: Variables
}

function nextOf({ graph, variables }: Moving, from: string) {
  try {
    return advance(graph, from, variables)
  } catch (error) {
    throw error instanceof FlowProblem ? refuse('input.invalid', { 说明: error.message }) : error
  }
}

/**
 * Goes on from a step that is over: what is passed is noted, and the process waits at its next task or is done. The
 * caller holds the row of the instance.
 * @throws input.invalid when no way is open or nobody could do the next task
 */
export async function moveOn(db: Live, moving: Moving, from: string, now: Date): Promise<void> {
  const { id: instanceId, variables } = moving
  const { passed, at } = nextOf(moving, from)
  const over = passed.map(({ id, type, name }) => ({
    instanceId,
    activityId: id,
    type,
    name,
    createTime: now,
    endTime: now,
  }))
  const here = { instanceId, activityId: at.id, type: at.type, name: at.name, createTime: now }
  const isEnd = at.type === 'endEvent'
  const last = isEnd ? { ...here, endTime: now } : { ...here, ...(await doerOf(db, at, variables)) }
  await db
    .insertInto('flow_activity')
    .values([...over, last])
    .execute()
  if (!isEnd) return
  await db
    .updateTable('flow_instance')
    .set({ status: FlowRun.finished, endTime: now })
    .where('id', '=', instanceId)
    .execute()
}

/** Notes the first step of a run and goes on from it. */
export async function moveIn(db: Live, moving: Moving, starter: string, now: Date): Promise<void> {
  const { id, type, name } = nodeOf(moving.graph, moving.graph.start)
  await db
    .insertInto('flow_activity')
    .values({
      instanceId: moving.id,
      activityId: id,
      type,
      name,
      assignee: starter,
      createTime: now,
      endTime: now,
    })
    .execute()
  await moveOn(db, moving, id, now)
}
