import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sql } from 'kysely'
import { type Resource, tableOf } from '#engine'
import { resources } from '#resources'
import { AttachVisible, UserType } from '#schemas/dictionaries'
import { oftenAsked } from '../platform/database/often.ts'
import type { Person } from '../platform/http/server/access.ts'
import { compiled, type Fragment, ident, join } from './fragment.ts'
import { isId } from './input.ts'
import { scopeOf } from './scope.ts'
import type { Scopes } from './scope-rule.ts'

/** Fewest digits of an id that is made here; shorter numbers are keys and counts. */
const idLength = 15

/** Ids of one request that are looked up at most. */
const mostIds = 50

/** Every id that a request carries in its address or at the top of its body. */
function idsOf({ query, body }: FastifyRequest): string[] {
  const values = [query, body].flatMap(part => (typeof part === 'object' && part !== null ? Object.values(part) : []))
  const texts = values.flat().flatMap(value => (typeof value === 'string' ? value.split(',') : []))
  return [...new Set(texts)].filter(text => text.length >= idLength && isId(text)).slice(0, mostIds)
}

const tenantRows = resources.filter(({ entity }) => entity.tenant)

/** Rows of a resource, not deleted, that a person must not meet. */
function foreignTo(app: Scopes, caller: Person, resource: Resource, now: Date): Fragment {
  const { tenantId, userId, userType } = caller
  // A file belongs to whoever uploaded it; who may see it otherwise is known where it is read.
  if (resource.name === 'attach')
    return sql`(t."tenantId" <> ${tenantId} OR (t.visible = ${sql.lit(AttachVisible.ownerAndStaff)} AND t."createUser" IS DISTINCT FROM ${userId}))`
  if (userType === UserType.candidate && !resource.owner) return sql`t."tenantId" <> ${tenantId}`
  return sql`NOT coalesce((${scopeOf(app, caller, resource, now)}), false)`
}

/**
 * Asks which resources have rows of some ids, deleted ones too: only the primary key serves that, however small a table was when the
 * statement was planned. Its text is always the same, and its cost does not depend on the ids, so that it is planned once for all:
 * planning a part for each table takes far longer than looking.
 */
const holders = `SELECT DISTINCT held.name FROM unnest((SELECT $1::bigint[])) wanted(id) CROSS JOIN LATERAL (
  ${tenantRows
    .map(({ name, entity }) => `SELECT '${name}' AS name FROM ${ident(tableOf(entity.name))} t WHERE t.id = wanted.id`)
    .join(' UNION ALL ')}) held`

interface Found {
  targetType: string
  targetId: string
}

/** The first of some ids that is a row which a person must not meet. */
async function findForeign(app: FastifyInstance, caller: Person, ids: readonly string[]): Promise<Found | undefined> {
  const held = await app.pool.query<{ name: string }>(oftenAsked(holders, [ids]))
  const names = new Set(held.rows.map(row => row.name))
  const parts = tenantRows
    .filter(({ name }) => names.has(name))
    .map(
      resource => sql`SELECT ${resource.name}::text AS "targetType", t.id::text AS "targetId"
      FROM ${sql.raw(ident(tableOf(resource.entity.name)))} t
      WHERE t.id = ANY(${ids}::bigint[]) AND t."isDeleted" = 0 AND ${foreignTo(app, caller, resource, app.now())}`,
    )
  if (parts.length === 0) return undefined
  const { rows } = await app.pool.query<Found>(compiled(sql`${join(parts, ' UNION ALL ')} LIMIT 1`))
  return rows[0]
}

/**
 * Tells the audit log when somebody asks for a row that is there, but that the caller may not meet. The answer is as if it were
 * missing, and this happens after the answer: neither its words nor its time show a difference.
 */
export default fp(
  async app => {
    app.addHook('onResponse', async (request, reply) => {
      const { person } = request
      if (reply.statusCode !== 404 || request.is404 || !person) return
      const ids = idsOf(request)
      if (ids.length === 0) return
      app.behindAnswers.begin(async () => {
        const found = await findForeign(app, person, ids)
        if (found) app.audit.denied(request, 404, found)
      })
    })
  },
  { name: 'foreign', dependencies: ['audit', 'permissions'] },
)
