import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { tableOf } from '#engine'
import { batchQueries } from '../platform/database/batch-queries.ts'
import { type Fragment, fixed, ident, statement } from './fragment.ts'
import { measuredParts } from './measure.ts'
import type { Read } from './read.ts'
import { isOwner, mayRead } from './readable.ts'
import { listedFields, selectList } from './reader.ts'
import { scopeOf } from './scope.ts'
import { joinsOf } from './step.ts'
import { viewpointOf } from './viewpoint.ts'

/** Rows of a list that somebody wants to see. */
interface Wanted {
  read: Read
  ids: readonly string[]
}

/** Answers the rows as JSON text of an array, in the order of their ids; without those that are no longer there for the person. */
type ListedRows = (wanted: Wanted) => Promise<string>

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Rows of lists whose ids were found by a statement of their own. Making rows into JSON takes long to plan, and filters, orders
     * and depths make many statements: this one is the same for all lists of a resource, and those of one moment share it.
     */
    listed: ListedRows
  }
}

const lists = new Map<string, Fragment>()

/** The select list of a resource's lists; the owner of rows sees only what is for owners. */
export function listOf({ resource, person }: Pick<Read, 'resource' | 'person'>): Fragment {
  const key = `${resource.name} ${isOwner(person)}`
  const known = lists.get(key)
  if (known) return known
  const list = fixed(selectList(resource, listedFields(resource), false, name => mayRead(person, resource, name)))
  lists.set(key, list)
  return list
}

async function load(app: FastifyInstance, wanted: readonly Wanted[]): Promise<string[]> {
  const [first] = wanted
  if (!first) return []
  const { resource, person } = first.read
  const table = sql.raw(ident(tableOf(resource.entity.name)))
  const now = app.now()
  const ids = [...new Set(wanted.flatMap(one => one.ids))]
  const measured = measuredParts({ ...first.read, now }, name => mayRead(person, resource, name))
  const { rows } = await app.pool.query<{ id: string; row: string }>(
    statement(sql`SELECT r.id, row_to_json(r)::text AS row FROM (SELECT ${listOf(first.read)}${measured} FROM ${table} t ${joinsOf(first.read, now)}
      WHERE t.id = ANY(${ids}::bigint[]) AND ${scopeOf(app, person, resource, now)}) r`),
  )
  const byId = new Map(rows.map(({ id, row }) => [id, row]))
  return wanted.map(one => `[${one.ids.flatMap(id => byId.get(id) ?? []).join(',')}]`)
}

/** Makes the reader of rows of lists. */
export function listedOf(app: FastifyInstance): ListedRows {
  const read = batchQueries<Wanted, string>(
    wanted => load(app, wanted),
    one => viewpointOf(one.read),
  )
  return async wanted => (wanted.ids.length === 0 ? '[]' : read(wanted))
}
