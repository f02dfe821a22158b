import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { fieldOf, type NamedScope, type Resource, type ThroughScope, tableOf, waysOf } from '#engine'
import type { Reader } from '../platform/database/database.ts'
import { ident } from './fragment.ts'
import { resourceOf } from './lookup.ts'

/** Refuses a write to rows that belong to one which accepts none any more. @param ids of the rows they belong to */
export type OwningRowGuard = (on: Reader, ids: readonly unknown[]) => Promise<void>

declare module '../platform/http/server/extensions.ts' {
  interface Extensions {
    /** By the name of the scope that says to which row another belongs. */
    owningRows: Readonly<Record<string, OwningRowGuard>>
  }
}

type Values = Readonly<Record<string, unknown>>

const named = (scope: Resource['scope']): readonly NamedScope[] =>
  waysOf(scope).flatMap(way => ('by' in way && way.field !== 'id' ? [way] : []))

/** The other resources through which rows belong to a row, with the way there. */
const others = ({ entity, scope }: Resource): readonly (readonly [ThroughScope, Resource])[] =>
  waysOf(scope).flatMap(way =>
    'through' in way ? [[way, resourceOf(way.to ?? fieldOf(entity, way.through)?.ref ?? '')] as const] : [],
  )

/** Whether rows of a resource belong, directly or through other rows, to rows that may accept none. */
export const hasOwningRows = (resource: Resource): boolean =>
  named(resource.scope).length > 0 || others(resource).some(([, other]) => hasOwningRows(other))

/**
 * Refuses a write to rows that belong, directly or through other rows, to a row which accepts none.
 * @param rows as they are stored, and as they would be
 * @throws what the guard of their scope refuses with
 */
export async function checkOwningRows(
  app: Pick<FastifyInstance, 'extensions'>,
  on: Reader,
  resource: Resource,
  rows: readonly Values[],
): Promise<void> {
  const ways = named(resource.scope)
  for (const name of new Set(ways.map(({ by }) => by))) {
    const fields = ways.filter(({ by }) => by === name).map(({ field }) => field)
    await app.extensions.owningRows[name]?.(
      on,
      fields.flatMap(field => rows.map(row => row[field])),
    )
  }
  for (const [way, other] of others(resource)) {
    if (!hasOwningRows(other)) continue
    const owners = await ownersOf(on, way, other, rows)
    if (owners.length > 0) await checkOwningRows(app, on, other, owners)
  }
}

/** The rows of another resource that rows belong to, removed ones among them. */
async function ownersOf(
  on: Reader,
  { through: field, key = 'id' }: ThroughScope,
  other: Resource,
  rows: readonly Values[],
): Promise<readonly Values[]> {
  const keys = [...new Set(rows.map(row => row[field]).filter(Boolean))]
  if (keys.length === 0) return []
  const table = sql.raw(ident(tableOf(other.entity.name)))
  const found = await sql<Values>`SELECT * FROM ${table} WHERE ${sql.raw(ident(key))} IN (${sql.join(keys)})`.execute(
    on,
  )
  return found.rows
}
