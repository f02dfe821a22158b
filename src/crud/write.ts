import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Resource, tableOf } from '#engine'
import type { Reader, Trx } from '../platform/database/database.ts'
import { type LiveTrx, raw } from '../platform/database/live.ts'
import { person as callerOf } from '../platform/http/server/access.ts'
import { liveAs } from '../platform/http/server/live.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { type Fragment, ident } from './fragment.ts'
import { type HookContext, hooksOf, type StoredHooks } from './rules.ts'
import { scopeOf } from './scope.ts'
import { namingUnique } from './unique.ts'

/** One write of a resource on behalf of a person. */
export interface Write extends HookContext {
  resource: Resource
  table: Fragment
  scope: Fragment
  hooks: StoredHooks
}

/** Rows of the whole installation, such as regions and menus, belong to its administrators. */
function mayWrite({ resource, person }: Write): void {
  if (resource.entity.tenant || person.roles.includes('administrator')) return
  throw refuse('request.forbidden')
}

/**
 * A write of a resource for whoever calls.
 * @param trx the transaction of the write, or the pool for one that is a single statement
 * @throws request.forbidden for what belongs to the whole installation and is not the caller's to write
 */
export function writeOf(request: FastifyRequest, resource: Resource, trx: Reader): Write {
  const app = request.server
  const person = callerOf(request)
  const now = app.now()
  const table = sql.raw(ident(tableOf(resource.entity.name)))
  const hooks = hooksOf(app, resource)
  const scope = scopeOf(app, person, resource, now, 't', 'change')
  const db = liveAs(app, person, trx as Trx)
  const write = { resource, table, app, db, person, now, request, scope, hooks, trx: trx as Trx }
  mayWrite(write)
  return write
}

/** A write in a transaction that somebody has begun already, see {@link writeOf}. */
export const writeWithin = (request: FastifyRequest, resource: Resource, trx: LiveTrx): Write =>
  writeOf(request, resource, raw(trx))

/** Does a write in a transaction of its own. @throws row.codeTaken and its kind when a unique rule is broken */
export function inWrite<T>(
  request: FastifyRequest,
  resource: Resource,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  const { db } = request.server
  const done = db.transaction().execute(trx => work(writeOf(request, resource, trx)))
  return namingUnique(resource, done)
}
