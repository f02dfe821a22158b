import { sql } from 'kysely'
import type { FlowDeployment } from '#schemas/workflow/flow-deployment'
import { FlowProblem } from '../rules/problem.ts'
import type { Model } from '../rules/read-model.ts'
import './flow-tables.ts'
import type { Live } from '../../../platform/database/live.ts'

/** A model that has been read and is to be deployed. */
export interface Source extends Model {
  xml: string
  /** Key of dictionary `flow`. */
  category: number
}

/** Roles that alone can do a task, by the task. */
const rolesOf = ({ graph }: Model): string[][] =>
  Object.values(graph.nodes).flatMap(node => {
    if (node.type !== 'userTask') return []
    const { assignee, candidateUsers, candidateGroups } = node.doers
    const roles = candidateGroups.flatMap(one => ('role' in one ? [one.role] : []))
    const isAlone = !assignee && candidateUsers.length === 0 && roles.length === candidateGroups.length
    return isAlone ? [roles] : []
  })

/** Tasks are for roles of the tenant: one for roles that it has none of would wait for ever. @throws FlowProblem */
async function requireGroups(db: Live, model: Model): Promise<void> {
  const waiting = rolesOf(model)
  if (waiting.length === 0) return
  const rows = await db.selectFrom('role').select('roleAlias').where('roleAlias', 'in', waiting.flat()).execute()
  const nobody = waiting.find(groups => !rows.some(({ roleAlias }) => groups.includes(roleAlias)))
  if (nobody) throw new FlowProblem(`没有角色${nobody.join('、')}`)
}

/**
 * Deploys a model: the tenant's model of its key becomes it, with one version more when its text is another, and this version
 * is what processes begin with from now on. Those that run keep theirs.
 * @param db the live handle of the tenant
 * @returns the id of the deployment
 * @throws FlowProblem when the tenant has no role that could do one of its tasks
 */
export async function deployModel(db: Live, now: Date, source: Source): Promise<string> {
  await requireGroups(db, source)
  const { key, name, category, xml } = source
  const deployed = { name, category: category as FlowDeployment['category'], xml, deployTime: now }
  const { id, version } = await db
    .insertInto('flow_deployment')
    .values({ ...deployed, modelKey: key, version: 1 })
    .onConflict(clash =>
      clash.columns(['modelKey']).doUpdateSet(eb => ({
        ...deployed,
        version: sql<number>`coalesce(flow_deployment.version, 1) + (flow_deployment.xml IS DISTINCT FROM ${eb.ref('excluded.xml')})::int`,
      })),
    )
    .returning(['id', sql<number>`version`.as('version')])
    .executeTakeFirstOrThrow()
  await db
    .insertInto('flow_version')
    .values({ deploymentId: id, version, xml, graph: JSON.stringify(source.graph), createTime: now })
    .onConflict(clash => clash.columns(['deploymentId', 'version']).doNothing())
    .execute()
  return id
}
