import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { NamedScope } from '#engine'
import type { Person } from '../platform/http/server/access.ts'
import type { Fragment } from './fragment.ts'

/** What somebody is about to do with the rows: meet them, or change them. */
export type Purpose = 'meet' | 'change'

/** Who asks, for what, and how the table is called in the statement. */
export interface ScopeContext {
  readonly app: Scopes
  readonly person: Person
  readonly now: Date
  readonly alias: string
  readonly purpose: Purpose
  /** How many other rows lie between the table and this one. */
  readonly depth: number
}

/** What a scope that definitions name means: the condition on the rows that a limited person meets, or may change. */
export type ScopeRule = (scope: NamedScope, context: ScopeContext) => Fragment

/** The rows of a person's tenant that are not removed: for other tables that a rule looks into, which no live handle limits. */
export const ownRows = ({ tenantId }: Pick<Person, 'tenantId'>, alias: string): Fragment =>
  sql`${sql.raw(alias)}."tenantId" = ${tenantId} AND ${sql.raw(alias)}."isDeleted" = 0`

/** What knows the rules of named scopes. */
export type Scopes = Pick<FastifyInstance, 'extensions'>

/** The same with the present, which scopes depend on. */
export type ScopesNow = Pick<FastifyInstance, 'extensions' | 'now'>

declare module '../platform/http/server/extensions.ts' {
  interface Extensions {
    /** The rules of scopes, by the name that definitions use (`scope('exam', …)`). */
    scopes: Readonly<Record<string, ScopeRule>>
  }
}
