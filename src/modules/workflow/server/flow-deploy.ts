import { sql } from 'kysely'
import type { Model } from '../rules/model.ts'
import { FlowProblem } from '../rules/problem.ts'
import './flow-tables.ts'
import type { Reader } from '../../../platform/database/database.ts'

/** A model that has been read and is to be deployed. */
export interface Source extends Model {
  xml: string
  /** Key of dictionary `flow`. */
  category: number
}

/** Where something is deployed, by whom and when. */
interface Place {
  tenantId: string
  /** Null for the program itself. */
  userId: string | null
  now: Date
}

/** Tasks are for roles of the tenant: one for roles that it has none of would wait for ever. @throws FlowProblem */
async function requireGroups(db: Reader, tenantId: string, { graph }: Model): Promise<void> {
  const waiting = Object.values(graph.nodes).flatMap(({ doer }) => (doer && 'groups' in doer ? [doer.groups] : []))
  if (waiting.length === 0) return
  const rows = await db
    .selectFrom('role')
    .select('roleAlias')
    .where('tenantId', '=', tenantId)
    .where('isDeleted', '=', 0)
    .where('roleAlias', 'in', waiting.flat())
    .execute()
  const nobody = waiting.find(groups => !rows.some(({ roleAlias }) => groups.includes(roleAlias)))
  if (nobody) throw new FlowProblem(`没有角色${nobody.join('、')}`)
}

/**
 * Deploys a model: the tenant's model of its key becomes it, with one version more when its text is another, and this version
 * is what processes begin with from now on. Those that run keep theirs.
 * @returns the id of the deployment
 * @throws FlowProblem when the tenant has no role that could do one of its tasks
 */
export async function deployModel(db: Reader, { tenantId, userId, now }: Place, source: Source): Promise<string> {
  await requireGroups(db, tenantId, source)
  const { key, name, category, xml } = source
  const { rows } = await sql<{ id: string; version: number }>`
    INSERT INTO flow_deployment AS d ("tenantId", "modelKey", name, category, version, xml, "deployTime",
      "createUser", "createTime", "updateUser", "updateTime")
    VALUES (${tenantId}, ${key}, ${name}, ${category}, 1, ${xml}, ${now}, ${userId}, ${now}, ${userId}, ${now})
    ON CONFLICT ("tenantId", "modelKey") WHERE "isDeleted" = 0 DO UPDATE SET name = excluded.name,
      category = excluded.category, xml = excluded.xml, "deployTime" = excluded."deployTime",
      version = coalesce(d.version, 1) + (d.xml IS DISTINCT FROM excluded.xml)::int,
      "updateUser" = excluded."updateUser", "updateTime" = excluded."updateTime"
    RETURNING d.id, d.version`.execute(db)
  const { id, version } = rows[0] as { id: string; version: number }
  await db
    .insertInto('flow_version')
    .values({ deploymentId: id, version, xml, graph: JSON.stringify(source.graph), createTime: now })
    .onConflict(clash => clash.columns(['deploymentId', 'version']).doNothing())
    .execute()
  return id
}
