import { FlowState } from '#schemas/dictionaries'
import './flow-tables.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { Variables } from '../rules/expression.ts'
import type { Graph } from '../rules/graph.ts'
import { moveIn } from './move.ts'

/** Who begins something, and when. */
export interface Starter {
  userId: string
  now: Date
}

/** What a process is begun for. */
export interface Beginning {
  /** Which deployed process; its newest version is taken. */
  deploymentId: string
  /** Key of dictionary `flow` that the process must have. */
  category: number
  businessTable: string
  businessId: string
  /** What the process is to decide by; the person who begins it is `applicant`. */
  facts: Variables
}

/** The newest version of a deployed process; until the transaction ends nobody suspends it or takes it away. */
async function versionToStart(db: Live, { deploymentId, category }: Beginning) {
  const found = await db
    .selectFrom('flow_deployment as d')
    .innerJoin('flow_version as v', 'v.deploymentId', 'd.id')
    .select(['d.suspensionState', 'v.id as versionId', 'v.graph'])
    .where('d.id', '=', deploymentId)
    .where('d.category', '=', category as 1)
    .where('d.deployTime', 'is not', null)
    .orderBy('v.version', 'desc')
    .limit(1)
    .forShare('d')
    .executeTakeFirst()
  if (!found) throw refuse('row.notFound')
  if (found.suspensionState !== FlowState.active) throw refuse('workflow.suspended')
  return { versionId: found.versionId, graph: found.graph as Graph }
}

/**
 * Begins a process about a business row, in the transaction that makes the row.
 * @returns the id of the instance
 * @throws row.notFound for a process that is not deployed, workflow.suspended for a suspended one, input.invalid when
 * nobody could do its first task
 */
export async function startProcess(db: Live, starter: Starter, wish: Beginning): Promise<string> {
  const { userId, now } = starter
  const { versionId, graph } = await versionToStart(db, wish)
  const facts = { ...wish.facts, applicant: userId, initiator: userId }
  const { businessTable, businessId } = wish
  const { id } = await db
    .insertInto('flow_instance')
    .values({
      versionId,
      businessTable,
      businessId,
      starter: userId,
      createTime: now,
      facts: JSON.stringify(facts),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await moveIn(db, { id, graph, variables: facts }, userId, now)
  return id
}
