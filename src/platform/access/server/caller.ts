import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import { type Person, person } from '../../http/server/access.ts'
import type { Vault } from '../../vault/vault.ts'

/** Who asks, when the request arrived, and what is needed to answer. */
export interface Caller {
  db: Kysely<Database>
  vault: Vault
  person: Person
  /** When the request reached its handler: windows are judged by it, however long the rest takes. */
  now: Date
  ip: string
}

/** The caller of a request. Take it first in a handler, because it notes the time. */
export const callerOf = (app: FastifyInstance, request: FastifyRequest): Caller => ({
  db: app.db,
  vault: app.vault,
  person: person(request),
  now: app.now(),
  ip: request.ip,
})

/** The database, or a transaction on it. */
export type Db = Kysely<Database>

export type ExamRow = Selectable<Database['examination']>
export type SignupRow = Selectable<Database['signup']>
export type PositionRow = Selectable<Database['examitems']>
export type AttachRow = Selectable<Database['attach']>
