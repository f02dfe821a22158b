import { type Kysely, sql } from 'kysely'
import { FlowState } from '#schemas/dictionaries'
import './flow-tables.ts'
import type { Database } from '../../../platform/database/database.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { Variables } from '../rules/expression.ts'
import type { Graph } from '../rules/graph.ts'
import { moveIn } from './move.ts'

/** Who begins something, and when. */
export interface Starter {
  userId: string
  tenantId: string
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

interface Found {
  suspensionState: number
  versionId: string
  graph: Graph
}

/** The newest version of a deployed process; until the transaction ends nobody suspends it or takes it away. */
async function versionToStart(trx: Kysely<Database>, { tenantId }: Starter, { deploymentId, category }: Beginning) {
  const { rows } = await sql<Found>`
    SELECT d."suspensionState", v.id AS "versionId", v.graph FROM flow_deployment d
    JOIN flow_version v ON v."deploymentId" = d.id
    WHERE d.id = ${deploymentId} AND d."tenantId" = ${tenantId} AND d."isDeleted" = 0 AND d.category = ${category}
      AND d."deployTime" IS NOT NULL
    ORDER BY v.version DESC LIMIT 1 FOR SHARE OF d`.execute(trx)
  const [found] = rows
  if (!found) throw refuse('row.notFound')
  if (found.suspensionState !== FlowState.active) throw refuse('workflow.suspended')
  return found
}

/**
 * Begins a process about a business row, in the transaction that makes the row.
 * @returns the id of the instance
 * @throws row.notFound for a process that is not deployed, workflow.suspended for a suspended one, input.invalid when
 * nobody could do its first task
 */
export async function startProcess(trx: Kysely<Database>, starter: Starter, wish: Beginning): Promise<string> {
  const { userId, tenantId, now } = starter
  const { versionId, graph } = await versionToStart(trx, starter, wish)
  const facts = { ...wish.facts, applicant: userId, initiator: userId }
  const { businessTable, businessId } = wish
  const { id } = await trx
    .insertInto('flow_instance')
    .values({
      tenantId,
      versionId,
      businessTable,
      businessId,
      starter: userId,
      createTime: now,
      facts: JSON.stringify(facts),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await moveIn(trx, { id, tenantId, graph, variables: facts }, userId, now)
  return id
}
