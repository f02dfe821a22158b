import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Live, LiveDatabase } from '../../database/live.ts'
import { type Person, person } from '../../http/server/access.ts'
import { liveAs } from '../../http/server/live.ts'
import type { Meter } from '../../metrics/meter.ts'
import type { Vault } from '../../vault/vault.ts'

/** Who asks, when the request arrived, and what is needed to answer. */
export interface Caller {
  db: Live
  vault: Vault
  person: Person
  /** When the request reached its handler: windows are judged by it, however long the rest takes. */
  now: Date
  ip: string
  meter: Meter
}

/** The caller of a request. Take it first in a handler, because it notes the time. */
export const callerOf = (app: FastifyInstance, request: FastifyRequest): Caller => ({
  db: liveAs(app, person(request)),
  vault: app.vault,
  person: person(request),
  now: app.now(),
  ip: request.ip,
  meter: app.meter,
})

/** The database, or a transaction on it. */
export type Db = Live

export type ExamRow = Selectable<LiveDatabase['examination']>
export type SignupRow = Selectable<LiveDatabase['signup']>
export type PositionRow = Selectable<LiveDatabase['examitems']>
export type AttachRow = Selectable<Database['attach']>
