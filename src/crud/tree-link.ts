import { type QueryExecutorProvider, sql } from 'kysely'
import { type Resource, tableOf } from '#engine'
import type { Trx } from '../platform/database/database.ts'
import { ident } from './fragment.ts'
import { type Values, wrongInput } from './input.ts'

/** Set apart from the other advisory locks of the database. */
const treeLocks = 7_733

/** The field by which rows of a tree point at their parent, and the one of the parent pointed at. */
export function linkOf({ entity, tree }: Resource): { parent: string; key: string } {
  const parent =
    tree?.parent ?? Object.keys(entity.properties).find(name => entity.properties[name]?.ref === entity.name)
  return { parent: parent ?? 'parentId', key: entity.properties[parent ?? '']?.kind === 'ref' ? 'id' : entity.key }
}

/**
 * Lets one write at a time move rows of a tree: two moves that are harmless each can bend it into a ring together. Taken
 * before any row is locked, so that nobody waits for it with a row in hand.
 */
export async function lockTree(trx: Trx, resource: Resource, body: Values): Promise<void> {
  const { parent } = linkOf(resource)
  if (!resource.entity.properties[parent] || body[parent] === undefined) return
  await holdTree(trx, resource.entity.name)
}

/** Has this transaction be the only one that moves rows of an entity's tree. */
export async function holdTree(trx: QueryExecutorProvider, entity: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${treeLocks}, hashtext(${entity}))`.execute(trx)
}

/** A row of a tree must not come to stand below itself. @throws input.invalid */
export async function checkTree(
  trx: QueryExecutorProvider,
  resource: Resource,
  before: Values,
  values: Values,
): Promise<void> {
  const { entity } = resource
  const { parent, key } = linkOf(resource)
  const field = entity.properties[parent]
  if (!field || !values[parent]) return
  const [table, up, own] = [sql.raw(ident(tableOf(entity.name))), sql.raw(ident(parent)), sql.raw(ident(key))]
  const { rows } = await sql`WITH RECURSIVE above AS (
        SELECT ${own} AS key, ${up} AS parent FROM ${table} WHERE ${own} = ${values[parent]}
        UNION SELECT p.${own}, p.${up} FROM ${table} p JOIN above ON p.${own} = above.parent
      ) SELECT 1 AS hit FROM above WHERE key = ${before[key]}`.execute(trx)
  if (rows.length > 0) throw wrongInput([{ field: parent, msg: `${field.title}不能是自己或自己的下级` }])
}
