import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RawBuilder } from 'kysely'
import type {
  AnsweredBy,
  Entity,
  EntityName,
  EventOf,
  Given,
  GuardedBy,
  HandledBy,
  InputOf,
  NameOf,
  OutcomeOf,
  Reply,
  Resource,
  Row,
  Settable,
  TransitionInput,
  WireOf,
  WireRow,
} from '#engine'
import type { Reader, Trx } from '../platform/database/database.ts'
import type { Live, LiveTrx } from '../platform/database/live.ts'
import type { Person } from '../platform/http/server/access.ts'

/** Values of a row by field name. */
export type Values = Record<string, unknown>

/** What a hook has at hand. Everything it writes belongs to the same transaction as the row itself. */
export interface HookContext {
  trx: Trx
  /** The live handle of the caller, within the transaction: the rows of the tenant that are not removed. */
  db: LiveTrx
  app: FastifyInstance
  person: Person
  now: Date
  request: FastifyRequest
}

/** What a hook that only reads has at hand. */
export interface ReadContext extends Omit<HookContext, 'trx' | 'db' | 'request'> {
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

type DerivedValue<F> = F extends { readonly of: infer S } ? Reply<S> : WireOf<F>

/** The `derived` values of a row as code gives them for an answer, or undefined for a row without any. */
export type Derived<R> =
  R extends Resource<infer _E, infer _A, infer D> ? { readonly [K in keyof D]: DerivedValue<D[K]> | null } : never

/** Computes the `derived` values of rows that are about to be shown: one object for each row, in their order. */
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

/** What a measure has at hand. */
export interface MeasureContext {
  readonly app: Pick<FastifyInstance, 'extensions' | 'db' | 'now'>
  readonly person: Person
  readonly now: Date
  /** The values of fields that the rows are asked for by, as the call says them and nobody has checked them: what is counted may be fewer. */
  readonly asked: Readonly<Record<string, string>>
  /** Other measures of the row that the statement has worked out already, as SQL by name. */
  readonly known?: Readonly<Record<string, RawBuilder<unknown>>>
}

/** The SQL of one number of a row `t`. */
type MeasureOf = (ctx: MeasureContext) => RawBuilder<unknown>

/**
 * Works out derived numbers in the database: the SQL of those that a definition names as `measured`. Where there is no {@link Derive}
 * they are read with the rows.
 */
export type Measure<R extends Resource> = { readonly [K in DerivedName<R>]?: MeasureOf }

/**
 * For measured numbers that only some rows have, while all others have none or 0: those rows, as a query in brackets of `id` and `value`,
 * an id once. What counts rows by such a number, and named filters that ask for it, join them instead of working it out for each row.
 */
export type MeasureRows<R extends Resource> = { readonly [K in DerivedName<R>]?: MeasureOf }

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
  /** After the rows that the form holds beside this one are written, too: what must hold of all of them together. */
  afterRows?(ctx: HookContext, row: Row<E>): Promise<void>
  /** Before rows are removed, with the stored rows; they are locked. */
  beforeRemove?(ctx: HookContext, rows: readonly Row<E>[]): Promise<void>
  /**
   * Around a generated call: what goes on beyond the database, before the transaction of the call begins or after it is
   * committed. A POST that has this is under lease (`repetition.ts`).
   * @param call the last part of its address
   * @param make does what the call is for, in a transaction of its own
   */
  around?(request: FastifyRequest, call: string, make: () => Promise<unknown>): Promise<unknown>
  /** Works out the line in the header of the row's workspace, where its definition has one. */
  line?(ctx: ReadContext, row: WireRow<E>): Promise<unknown>
}

/** What a handler of an action has at hand. Ids are as the caller gave them: meet rows through `scoped` only. */
export interface ActionContext<V = Values> {
  app: FastifyInstance
  /** The live handle of the caller: the rows of the tenant that are not removed. */
  db: Live
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

/** Does an action. `V` are the action's inputs, `A` is the answer's data: nothing where the action says no answer. */
export type Handler<V = Values, A = undefined> = (ctx: ActionContext<V>) => Promise<A extends undefined ? void : A>

/** Does one action of a resource, by its name, and answers as its definition says. */
export type HandlerOf<R, K extends string> = Handler<InputOf<R, K>, OutcomeOf<R, K>>

/** A handler, whatever its action. */
export type StoredHandler = Handler<Values, unknown>

/** A handler for each action of a resource that needs one, but for those that have a route (`W`). */
export type HandlersOf<R, W = never> = { readonly [K in Exclude<HandledBy<R>, W>]: HandlerOf<R, K> }

/** The hooks of a resource as they are run, by whoever knows no more of its rows than that they are rows. */
export interface StoredHooks {
  beforeSubmit?(ctx: SubmitContext<unknown>, given: Values, before: Values | null): Promise<void>
  afterSubmit?(ctx: HookContext, row: Values, before: Values | null): Promise<void>
  afterRows?(ctx: HookContext, row: Values): Promise<void>
  beforeRemove?(ctx: HookContext, rows: readonly Values[]): Promise<void>
  around?(request: FastifyRequest, call: string, make: () => Promise<unknown>): Promise<unknown>
  derive?(ctx: ReadContext, rows: readonly Values[]): Promise<readonly (Values | undefined)[]>
  total?(ctx: ReadContext, ids: RawBuilder<unknown>): Promise<Readonly<Record<string, number>>>
  measure?: Readonly<Record<string, MeasureOf>>
  measureRows?: Readonly<Record<string, MeasureOf>>
  line?(ctx: ReadContext, row: Values): Promise<unknown>
}

/** Who makes something happen. */
export interface Caller {
  readonly userId: string
  readonly tenantId: string
}

/** What a guard has at hand. It only reads: it may be asked beforehand, too, whether a transition could be made. */
export interface GuardContext<E = Entity, V = Values> {
  readonly app: FastifyInstance
  readonly trx: Reader
  /** The live handle of the caller, within the transaction: the rows of the tenant that are not removed. */
  readonly db: Live
  readonly caller: Caller
  /** Whoever calls, with roles and permissions; null where code makes the transition, or asks beforehand. */
  readonly person: Person | null
  readonly now: Date
  /** The rows that are about to change, as they are stored; locked where the transition is made. */
  readonly rows: readonly Row<E>[]
  /** The inputs of the transition, read and checked. */
  readonly values: V
  readonly reason: string
}

/** Refuses a transition by throwing a refusal. */
export type GuardOf<R extends Resource, K> = (
  ctx: GuardContext<R['entity'], TransitionInput<R, K>>,
) => Promise<void> | void

/** What a listener has at hand. What it writes belongs to the transaction of the event. */
export interface EventContext<E = Entity, V = Values> extends GuardContext<E, V> {
  readonly trx: Trx
  readonly db: LiveTrx
  /** The rows as they are stored now. */
  readonly rows: readonly Row<E>[]
  /** The same rows as they were before, in the same order; none of a new row. */
  readonly before: readonly Row<E>[]
  /** Ids of the rows that changed along, by their entity. */
  readonly along: { readonly [N in EntityName]?: readonly string[] }
}

/** A guard, whatever its transition. */
export type StoredGuard = (ctx: GuardContext<Entity, never>) => Promise<void> | void

/** A listener to an event of a resource. */
export interface Listener {
  readonly event: string
  readonly run: (ctx: never) => Promise<unknown> | unknown
}

declare const given: unique symbol

/** What somebody has written for one resource, or a part of it. */
interface Written<N extends string> {
  readonly resource: N
  readonly hooks: StoredHooks
  readonly handlers: Readonly<Record<string, StoredHandler>>
  /** Actions that a route written by hand answers. */
  readonly routed: readonly string[]
  readonly guards: Readonly<Record<string, StoredGuard>>
  readonly listeners: readonly Listener[]
}

/** Names of guards and of what is answered, so that one of both is told from the other. */
type GivenName<G extends string, H extends string> = `guard ${G}` | `answer ${H}`

/**
 * A part of the rules of one resource. `G` are the guards that it gives, `H` the actions that it answers, `derive` among them
 * where it computes what is derived.
 */
export interface RulesPart<N extends string = string, G extends string = string, H extends string = string>
  extends Written<N> {
  readonly [given]?: GivenName<G, H>
}

/** All rules of one resource, joined by {@link byResource}. */
export interface ResourceRules<N extends string = string, G extends string = string, H extends string = string>
  extends Written<N> {
  readonly [given]?: Readonly<Record<GivenName<G, H>, true>>
}

/** Names of the derived fields of a resource. */
type DerivedName<R> = R extends Resource<infer _E, infer _A, infer D> ? keyof D & string : never

/** What has to be answered by code: actions, and `derive` where values are derived. */
type Answered<R> = HandledBy<R> | ([DerivedName<R>] extends [never] ? never : 'derive')

/** What works out derived values: code, or the database alone where all of them are measured. */
type DeriveHooks<R extends Resource> = { total?: Total<R>; measureRows?: MeasureRows<R> } & (
  | { derive: Derive<R>; measure?: Measure<R> }
  | { derive?: never; measure: { readonly [K in DerivedName<R>]: MeasureOf } }
)

type HooksFor<R extends Resource, L> = Hooks<R['entity']> &
  ([DerivedName<R>] extends [never] ? unknown : 'derive' extends NoInfer<L> ? unknown : DeriveHooks<R>)

/** The rules that a resource may have, and those that its definition asks for. */
type RulesFor<R extends Resource, W, L> = {
  /** Actions that a route written by hand answers, as its contract says; all other actions need a handler. */
  readonly routed?: readonly W[]
  /** What a later module gives: actions whose {@link handler} it has, or `derive` for what is {@link derived}. */
  readonly later?: readonly L[]
} & (Exclude<Answered<R>, L | HandledBy<R>> extends never
  ? { readonly hooks?: HooksFor<R, L> }
  : { readonly hooks: HooksFor<R, L> }) &
  ([Exclude<HandledBy<R>, W | L>] extends [never]
    ? { readonly handlers?: undefined }
    : { readonly handlers: HandlersOf<R, NoInfer<W | L>> })

/**
 * Says what a definition cannot: hooks around what is stored, and a handler for each action that needs code.
 * @param resource the resource they belong to
 * @param given hooks, handlers, the names of actions that have a route written by hand, and what later modules give
 */
export function rules<
  R extends Resource,
  const W extends Exclude<HandledBy<R>, AnsweredBy<R>> = never,
  const L extends Answered<R> = never,
>(resource: R, given: RulesFor<R, W, L>): RulesPart<R['name'], never, Exclude<Answered<R>, L>> {
  const { hooks = {}, handlers = {}, routed = [] } = given as Partial<RulesPart>
  return { ...noRules(resource.name), hooks, handlers, routed }
}

const noRules = <N extends string>(resource: N) => ({
  resource,
  hooks: {},
  handlers: {},
  routed: [],
  guards: {},
  listeners: [],
})

/**
 * Guards a transition: whoever makes it, and whoever asks beforehand, is told what is missing.
 * @param name a transition whose definition has a `guard`
 * @param run throws the refusal
 */
export const guard = <R extends Resource, const K extends GuardedBy<R>>(
  resource: R,
  name: K,
  run: GuardOf<R, K>,
): RulesPart<R['name'], K, never> => ({
  ...noRules(resource.name),
  guards: { [name]: run as unknown as StoredGuard },
})

/** Answers an action that the module of the resource leaves to a later one. */
export const handler = <R extends Resource, const K extends HandledBy<R>>(
  resource: R,
  name: K,
  run: HandlerOf<R, K>,
): RulesPart<R['name'], never, K> => ({
  ...noRules(resource.name),
  handlers: { [name]: run as unknown as StoredHandler },
})

/** Computes what is derived of a resource whose module leaves it to a later one. */
export const derived = <R extends Resource>(
  resource: R,
  hooks: DeriveHooks<R>,
): RulesPart<R['name'], never, 'derive'> => ({ ...noRules(resource.name), hooks: hooks as never })

/**
 * Listens to a transition, a submit or a removal of a resource, in the same transaction: what it throws undoes everything.
 * @param event name of the transition, `submit` or `remove`
 */
export const on = <R extends Resource, const K extends EventOf<R>>(
  resource: R,
  event: K,
  run: (ctx: EventContext<R['entity'], TransitionInput<R, K>>) => Promise<unknown> | unknown,
): RulesPart<R['name'], never, never> => ({
  ...noRules(resource.name),
  listeners: [{ event, run: run as Listener['run'] }],
})

/** What of the rules of a resource its definition asks for. */
type WantedOf<R> = Answered<R> | GuardedBy<R>

/** The name of a resource whose definition asks for rules; views, which have none of their own, have no literal name. */
type RuledName<R> = R extends Resource
  ? string extends R['name']
    ? never
    : [WantedOf<R>] extends [never]
      ? never
      : R['name']
  : never

/** Resources whose definition asks for rules: actions that need code, derived values, guards of transitions. */
export type RulesWanted<All> = {
  readonly [K in keyof All as RuledName<All[K]>]: All[K] extends Resource
    ? ResourceRules<All[K]['name'], GuardedBy<All[K]>, Answered<All[K]>>
    : never
}

/** Rules by the name of their resource, each joined from the parts that several modules give. */
export type Joined<P extends RulesPart> = {
  readonly [N in P['resource']]: Written<N> & {
    readonly [given]?: Readonly<Record<NonNullable<Extract<P, { readonly resource: N }>[typeof given]>, true>>
  }
}

/**
 * Joins the parts that modules give: guards, handlers and hooks of one name are given once, listeners run in the order of
 * the list.
 * @throws when two parts of a resource give the same
 */
export function byResource<const L extends readonly RulesPart[]>(list: L): Joined<L[number]> {
  const joined = new Map<string, Written<string>>()
  const twice: string[] = []
  for (const part of list) {
    const before = joined.get(part.resource) ?? noRules(part.resource)
    const merge = <T extends object>(one: T, other: T): T => {
      twice.push(
        ...Object.keys(other)
          .filter(name => name in one)
          .map(name => `${part.resource}.${name}`),
      )
      return { ...one, ...other }
    }
    joined.set(part.resource, {
      resource: part.resource,
      hooks: merge(before.hooks, part.hooks),
      handlers: merge(before.handlers, part.handlers),
      guards: merge(before.guards, part.guards),
      routed: [...before.routed, ...part.routed],
      listeners: [...before.listeners, ...part.listeners],
    })
  }
  if (twice.length > 0) throw new Error(`These rules are given twice: ${twice.join(', ')}`)
  return Object.fromEntries(joined) as never
}

/** Rules by the name of their resource. */
export type Rules = Readonly<Partial<Record<string, Written<string>>>>

/** The guard of a transition. */
export const guardOf = ({ rules }: FastifyInstance, { name }: Pick<Resource, 'name'>, transition: string) =>
  rules[name]?.guards[transition]

/** The listeners to an event of a resource. */
export const listenersOf = ({ rules }: FastifyInstance, { name }: Pick<Resource, 'name'>, event: string) =>
  (rules[name]?.listeners ?? []).filter(one => one.event === event)

/** The hooks of a resource; none for one without rules. */
export const hooksOf = ({ rules }: Pick<FastifyInstance, 'rules'>, { name }: Pick<Resource, 'name'>): StoredHooks =>
  rules[name]?.hooks ?? {}

/** True when hooks have a say in what is written; the others only read. */
export const hasWriteHooks = ({ beforeSubmit, afterSubmit, afterRows }: StoredHooks): boolean =>
  Boolean(beforeSubmit ?? afterSubmit ?? afterRows)

declare module 'fastify' {
  interface FastifyInstance {
    /** Hooks and handlers of the generated half. */
    rules: Rules
  }
}
