import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { tableOf } from '#engine'
import { batchQueries } from '../platform/database/batch-queries.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { badParameter } from './filter.ts'
import { type Fragment, fixed, ident, statement } from './fragment.ts'
import { byKey } from './key.ts'
import { measuredParts } from './measure.ts'
import type { Query, Read } from './read.ts'
import { isOwner, mayRead } from './readable.ts'
import { farColumns, selectList, unsealText } from './reader.ts'
import { scopeOf } from './scope.ts'
import { joinsOf } from './step.ts'
import { viewpointOf } from './viewpoint.ts'

/** One row somebody wants to see. */
interface Wanted {
  read: Read
  /** The id, or the value of the entity's own key. */
  key: string
}

/** Answers the row as JSON text, undefined when it is not there for the person. */
type Details = (wanted: Wanted) => Promise<string | undefined>

declare module 'fastify' {
  interface FastifyInstance {
    /** Single rows, those wanted at the same moment in one statement. */
    details: Details
  }
}

const lists = new Map<string, Fragment>()

/** The select list of a detail; the owner of a row reads its own numbers whole, and only what is for owners. */
function listOf({ resource, person }: Read): Fragment {
  const whole = isOwner(person)
  const key = `${resource.name} ${whole}`
  const known = lists.get(key)
  if (known) return known
  const { properties } = resource.entity
  const own = Object.keys(properties).filter(name => !properties[name]?.hidden)
  const fields = [...own, ...farColumns(resource)]
  const list = fixed(selectList(resource, fields, whole, name => mayRead(person, resource, name)))
  lists.set(key, list)
  return list
}

interface Found {
  id: string
  key: string
  row: string
}

async function load(app: FastifyInstance, wanted: readonly Wanted[]): Promise<(string | undefined)[]> {
  const [first] = wanted
  if (!first) return []
  const { resource, person } = first.read
  const table = sql.raw(ident(tableOf(resource.entity.name)))
  const now = app.now()
  const list = listOf(first.read)
  const measured = measuredParts({ ...first.read, now }, name => mayRead(person, resource, name))
  const key = sql.raw(`r.${ident(resource.entity.key)}`)
  const keys = byKey(resource, [...new Set(wanted.map(one => one.key))])
  const { rows } = await app.pool.query<Found>(
    statement(sql`SELECT r.id, ${key} AS key, row_to_json(r)::text AS row FROM (SELECT ${list}${measured} FROM ${table} t ${joinsOf(first.read, now)}
      WHERE ${keys} AND ${scopeOf(app, person, resource, now)}) r`),
  )
  const byId = new Map(rows.map(({ id, row }) => [id, row]))
  const byOwnKey = new Map(rows.map(one => [one.key, one.row]))
  return wanted.map(one => byId.get(one.key.replace(/^0+/, '')) ?? byOwnKey.get(one.key))
}

/** Makes the reader of single rows. */
export const detailsOf = (app: FastifyInstance): Details =>
  batchQueries(
    wanted => load(app, wanted),
    one => viewpointOf(one.read),
  )

/** One row as JSON text. @throws row.notFound when it is not there for this person */
export async function readDetail(read: Read, query: Query): Promise<string> {
  const { app, resource } = read
  const { key } = resource.entity
  const value = query[key] || query.id
  if (!value) throw badParameter(key, '缺少必要的请求参数')
  const row = await app.details({ read, key: value })
  if (row === undefined) throw refuse('row.notFound')
  return unsealText(row, resource.entity, app.vault, isOwner(read.person))
}
