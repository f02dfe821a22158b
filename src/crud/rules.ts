import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RawBuilder, Transaction } from 'kysely'
import type { Resource } from '#engine'
import type { entities } from '#schemas'
import type { Database } from '../platform/database/database.ts'
import type { Person } from '../platform/http/server/access.ts'

/** Name of a resource; it is the name of its entity. */
export type ResourceName = (typeof entities)[number]['name']

/** Values of a row by field name. */
export type Values = Record<string, unknown>

/** What a hook has at hand. Everything it writes belongs to the same transaction as the row itself. */
export interface HookContext {
  trx: Transaction<Database>
  app: FastifyInstance
  person: Person
  now: Date
  request: FastifyRequest
}

/** What a hook that only reads has at hand. */
export interface ReadContext extends Omit<HookContext, 'trx' | 'request'> {
  /** Null for a file: it is written alike for whoever asks, and perhaps long after he did. */
  request: FastifyRequest | null
}

/** Rules of one resource that a definition cannot say. Throwing a refusal undoes everything. */
export interface Hooks {
  /**
   * After validation, before writing. Values are typed (instants are Dates, JSON is parsed, sealed texts are plain) and hold
   * only what the caller may write; what is returned is written, server-filled fields and states included.
   * @param before the stored row when one is changed, null for a new one
   */
  beforeSubmit?(ctx: HookContext, values: Values, before: Values | null): Promise<Values>
  /** After writing, with the row as it is stored now. */
  afterSubmit?(ctx: HookContext, row: Values, before: Values | null): Promise<void>
  /** Before rows are removed, with the stored rows; they are locked. */
  beforeRemove?(ctx: HookContext, rows: readonly Values[]): Promise<void>
  /**
   * The `derived` values of rows that are about to be shown, one object for each, in their order.
   * @param rows as they go onto the wire
   */
  derive?(ctx: ReadContext, rows: readonly Values[]): Promise<readonly Values[]>
  /**
   * All `totals` of a resource that has derived ones among them, from one statement.
   * @param ids a query of the ids of every row that counts
   */
  total?(ctx: ReadContext, ids: RawBuilder<unknown>): Promise<Values>
}

/** True when hooks have a say in what is written; the others only read. */
export const haveSay = ({ beforeSubmit, afterSubmit }: Hooks): boolean => Boolean(beforeSubmit ?? afterSubmit)

/** Hooks by resource. */
export type HooksOf = Partial<Record<ResourceName, Hooks>>

/** What a handler of an action has at hand. Ids are as the caller gave them: meet rows through `scoped` only. */
export interface ActionContext {
  app: FastifyInstance
  person: Person
  now: Date
  request: FastifyRequest
  resource: Resource
  action: string
  ids: readonly string[]
  /** The action's inputs, typed and checked. */
  values: Values
}

/** Does an action; what it returns is the answer's data. */
export type Handler = (ctx: ActionContext) => Promise<unknown>

/** Handlers by resource and action. */
export type Handlers = Partial<Record<ResourceName, Readonly<Record<string, Handler>>>>

/** What is known of the resources beyond their definitions. */
export interface Rules {
  readonly hooks: HooksOf
  readonly handlers: Handlers
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Hooks and handlers of the generated half. */
    rules: Rules
  }
}
