import type { FastifyInstance } from 'fastify'
import type { Resource } from '#engine'
import type { Trx } from '../platform/database/database.ts'
import type { LiveTrx } from '../platform/database/live.ts'
import type { Person } from '../platform/http/server/access.ts'
import type { Values } from './input.ts'
import { type Caller, listenersOf } from './rules.ts'

/** Something that has happened to rows of a resource, in a transaction that is not committed yet. */
export interface Happening {
  readonly app: FastifyInstance
  readonly trx: Trx
  readonly db: LiveTrx
  readonly caller: Caller
  readonly person: Person | null
  readonly now: Date
  readonly resource: Resource
  /** Name of the transition, `submit` or `remove`. */
  readonly event: string
  /** Each row before and after; null for a new row. */
  readonly pairs: readonly (readonly [before: Values | null, after: Values])[]
  readonly along?: Readonly<Record<string, readonly string[]>>
  readonly values?: Values
  readonly reason?: string
}

/** Runs the listeners one after the other, in the order of the modules. What one of them throws undoes everything. */
export async function announce({ resource, event, pairs, along = {}, values = {}, reason = '', ...who }: Happening) {
  const rows = pairs.map(([, after]) => after)
  const before = pairs.flatMap(([old]) => (old ? [old] : []))
  for (const { run } of listenersOf(who.app, resource, event))
    await run({ ...who, rows, before, along, values, reason } as never)
}
