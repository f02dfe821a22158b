import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RawBuilder, Transaction } from 'kysely'
import type { Entity, Given, HandledBy, InputOf, NameOf, Resource, Row, Settable, WireOf, WireRow } from '#engine'
import type { Database } from '../platform/database/database.ts'
import type { Person } from '../platform/http/server/access.ts'

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
  /** Null for a file: it is written alike for whoever asks, and perhaps long after. */
  request: FastifyRequest | null
}

/** What a hook before a submit has at hand. */
export interface SubmitContext<E> extends HookContext {
  /**
   * Writes values beside those given or in their place, server-filled fields and states included. A field set to `undefined` is
   * left as it is stored, whatever was given.
   */
  set(values: Settable<E>): void
}

/** The `derived` values of a row as they travel, or undefined for a row without any. */
export type Derived<R> =
  R extends Resource<infer _E, infer _A, infer D> ? { readonly [K in keyof D]: WireOf<D[K]> | null } : never

/** Works out the `derived` values of rows that are about to be shown: one object for each row, in their order. */
export type Derive<R extends Resource> = (
  ctx: ReadContext,
  rows: readonly WireRow<R['entity']>[],
) => Promise<readonly (Derived<R> | undefined)[]>

/**
 * All `totals` of a resource that has derived ones among them, from one statement.
 * @param ids a query of the ids of every row that counts
 */
export type Total<R extends Resource> = (
  ctx: ReadContext,
  ids: RawBuilder<unknown>,
) => Promise<{ readonly [K in NameOf<R['entity']> | DerivedName<R>]?: number }>

/** Rules of one entity's rows that a definition cannot say. Throwing a refusal undoes everything. */
export interface Hooks<E = Entity> {
  /**
   * After validation, before writing.
   * @param given what the caller may write and has given
   * @param before the stored row when one is changed, null for a new one
   */
  beforeSubmit?(ctx: SubmitContext<E>, given: Given<E>, before: Row<E> | null): Promise<void>
  /** After writing, with the row as it is stored now. */
  afterSubmit?(ctx: HookContext, row: Row<E>, before: Row<E> | null): Promise<void>
  /** Before rows are removed, with the stored rows; they are locked. */
  beforeRemove?(ctx: HookContext, rows: readonly Row<E>[]): Promise<void>
}

/** What a handler of an action has at hand. Ids are as the caller gave them: meet rows through `scoped` only. */
export interface ActionContext<V = Values> {
  app: FastifyInstance
  person: Person
  now: Date
  request: FastifyRequest
  resource: Resource
  action: string
  ids: readonly string[]
  /** The first of the ids; empty when the action takes none. */
  id: string
  /** The action's inputs, typed and checked. */
  values: V
}

/** Does an action; what it returns is the answer's data. `V` are the action's inputs. */
export type Handler<V = Values> = (ctx: ActionContext<V>) => Promise<unknown>

/** Does one action of a resource, by its name. */
export type HandlerOf<R, K extends string> = Handler<InputOf<R, K>>

/** A handler for each action of a resource that needs one, but for those that have a route (`W`). */
export type HandlersOf<R, W = never> = { readonly [K in Exclude<HandledBy<R>, W>]: HandlerOf<R, K> }

/** The hooks of a resource as they are run, by whoever knows no more of its rows than that they are rows. */
export interface StoredHooks {
  beforeSubmit?(ctx: SubmitContext<unknown>, given: Values, before: Values | null): Promise<void>
  afterSubmit?(ctx: HookContext, row: Values, before: Values | null): Promise<void>
  beforeRemove?(ctx: HookContext, rows: readonly Values[]): Promise<void>
  derive?(ctx: ReadContext, rows: readonly Values[]): Promise<readonly (Values | undefined)[]>
  total?(ctx: ReadContext, ids: RawBuilder<unknown>): Promise<Readonly<Record<string, number>>>
}

/** The rules of one resource, made by {@link rules}. */
export interface ResourceRules<N extends string = string> {
  readonly resource: N
  readonly hooks: StoredHooks
  readonly handlers: Readonly<Record<string, Handler>>
  /** Actions that a route written by hand answers. */
  readonly routed: readonly string[]
}

/** Names of the derived fields of a resource. */
type DerivedName<R> = R extends Resource<infer _E, infer _A, infer D> ? keyof D & string : never

type HooksFor<R extends Resource> = Hooks<R['entity']> &
  ([DerivedName<R>] extends [never] ? unknown : { derive: Derive<R>; total?: Total<R> })

/** The rules that a resource may have, and those that its definition asks for. */
type RulesFor<R extends Resource, W> = {
  /** Actions that a route written by hand answers; all other actions that change nothing by themselves need a handler. */
  readonly routed?: readonly W[]
} & ([DerivedName<R>] extends [never] ? { readonly hooks?: HooksFor<R> } : { readonly hooks: HooksFor<R> }) &
  ([Exclude<HandledBy<R>, W>] extends [never]
    ? { readonly handlers?: undefined }
    : { readonly handlers: HandlersOf<R, W> })

/**
 * Says what a definition cannot: hooks around what is stored, and a handler for each action that needs code.
 * @param resource the resource they belong to
 * @param given hooks, handlers, and the names of actions that have a route written by hand
 */
export function rules<R extends Resource, const W extends HandledBy<R> = never>(
  resource: R,
  given: RulesFor<R, W>,
): ResourceRules<R['name']> {
  const { hooks = {}, handlers = {}, routed = [] } = given as Partial<ResourceRules>
  return { resource: resource.name, hooks, handlers, routed }
}

/** Resources whose definition asks for rules: actions that need code, or derived values. */
export type RulesWanted<All> = {
  readonly [K in keyof All as All[K] extends Resource
    ? [HandledBy<All[K]> | DerivedName<All[K]>] extends [never]
      ? never
      : All[K]['name']
    : never]: All[K] extends Resource ? ResourceRules<All[K]['name']> : never
}

/** Rules by the name of their resource. @throws when a resource has two */
export function byResource<const L extends readonly ResourceRules[]>(
  list: L,
): { readonly [One in L[number] as One['resource']]: One } {
  const names = list.map(one => one.resource)
  const twice = names.filter((name, i) => names.indexOf(name) !== i)
  if (twice.length > 0) throw new Error(`These resources have rules twice: ${twice.join(', ')}`)
  return Object.fromEntries(list.map(one => [one.resource, one])) as never
}

/** Rules by the name of their resource. */
export type Rules = Readonly<Partial<Record<string, ResourceRules>>>

/** The hooks of a resource; none for one without rules. */
export const hooksOf = ({ rules }: FastifyInstance, { name }: Pick<Resource, 'name'>): StoredHooks =>
  rules[name]?.hooks ?? {}

/** True when hooks have a say in what is written; the others only read. */
export const hasWriteHooks = ({ beforeSubmit, afterSubmit }: StoredHooks): boolean =>
  Boolean(beforeSubmit ?? afterSubmit)

declare module 'fastify' {
  interface FastifyInstance {
    /** Hooks and handlers of the generated half. */
    rules: Rules
  }
}
