import type { decidedShape, numberedShape } from './answers.ts'
import { readCall } from './call.ts'
import type { ResourceCall } from './endpoint.ts'
import type { FieldsOf, Given } from './entity.ts'
import type { historyEntryShape } from './history-answer.ts'
import type { Resource } from './resource.ts'
import type { RowShape } from './row-shape.ts'
import type { Asked, AskedOf, PageShape, Wire } from './shape.ts'

/** Which values the rows of a list have. */
type Filtering<E> = { readonly [K in keyof FieldsOf<E>]?: AskedOf<FieldsOf<E>[K]> | string }

/** What a list is asked for: which part of it, in which order, and which values its rows have. */
type Asking<E> = {
  readonly current?: number
  readonly size?: number
  readonly ascs?: string
  readonly descs?: string
  /** Name of a filter of the list. */
  readonly chip?: string
  /** What the box of the list searches for. */
  readonly keyword?: string
} & Filtering<E>

/** The fields that people fill in. */
type Entering<E> = { readonly [K in keyof Given<E>]-?: FieldsOf<E>[K & keyof FieldsOf<E>] }

/** What a submit takes: a row with all that it has to have, or an id with what is changed of its row. */
type Submitting<E> =
  | ({ readonly id?: string; readonly version?: number } & Emptied<Asked<Entering<E>>>)
  | ({ readonly id: string; readonly version?: number } & Partial<Emptied<Asked<Entering<E>>>>)

/** What several rows take at once: their ids and versions with commas between them, and the values that all of them get. */
type Changing<E> = { readonly ids: string; readonly versions?: string } & Partial<Emptied<Asked<Entering<E>>>>

/** An optional value may be emptied. */
type Emptied<A> = { readonly [K in keyof A]: undefined extends A[K] ? A[K] | null : A[K] }

/** Names of the parameters of a call, `id` of `POST change?id,enable=1`; see `readCall`. */
type ParamsOf<C> = C extends `${string}?${infer P}` ? NamesIn<P> : never
type NamesIn<P> = P extends `${infer A},${infer B}`
  ? NamesIn<A> | NamesIn<B>
  : P extends `${string}=${string}`
    ? never
    : P

/** The rows that a call is for: one id, or several with commas between them. */
type Ids<C> = { readonly [K in ParamsOf<C> & ('id' | 'ids' | 'userIds')]: string }

type Nothing = Record<string, never>

/** What an action or a transition asks for, among them fields of its entity. */
type Inputs<E, I, Q> = (unknown extends I ? unknown : Asked<Pick<FieldsOf<E>, I & keyof FieldsOf<E>>>) &
  (unknown extends Q ? unknown : Asked<Q>)

/** The calls that every resource has, by the last part of their address. */
interface Calls<E, D> {
  page: ResourceCall<Asking<E>, Wire<PageShape<RowShape<E, D>>>>
  totals: ResourceCall<Filtering<E>, { readonly [K in keyof FieldsOf<E> | keyof D]?: number }>
  views: ResourceCall<Filtering<E>, Readonly<Record<string, number>>>
  detail: ResourceCall<{ readonly id: string }, Wire<RowShape<E, D>>>
  submit: ResourceCall<Submitting<E>, Nothing>
  remove: ResourceCall<{ readonly ids: string }, Nothing>
  arrange: ResourceCall<{ readonly ids: string }, Nothing>
  change: ResourceCall<Changing<E>, Wire<typeof numberedShape>>
  history: ResourceCall<Readonly<Record<string, string>>, Wire<typeof historyEntryShape>[]>
}

type ActionCall<E, A> = A extends {
  readonly call: infer C
  readonly input: infer I
  readonly ask: infer Q
  readonly answer: infer S
}
  ? ResourceCall<Ids<C> & Inputs<E, I, Q>, unknown extends S ? unknown : Wire<S>>
  : never

/** A transition answers how many rows it changed, or which and which not, or nothing. */
interface Changed {
  readonly num?: number
  readonly changed?: number
  readonly total?: number
  readonly ok?: readonly string[]
  readonly skipped?: Wire<typeof decidedShape>['skipped']
}

type TransitionCall<E, T> = T extends { readonly call: infer C; readonly input: infer I; readonly ask: infer Q }
  ? ResourceCall<Ids<C> & { readonly reason?: string } & Inputs<E, I, Q>, Changed>
  : never

/** Names of the calls of a resource: those that every resource has, its actions and its transitions. */
export type CallName<R> =
  R extends Resource<infer _E, infer A, infer _D, infer T>
    ? keyof Calls<unknown, unknown> | ((keyof A | keyof T) & string)
    : never

/** One call of a resource, by its name. */
export type CallOf<R, W> =
  R extends Resource<infer E, infer A, infer D, infer T>
    ? W extends keyof A
      ? ActionCall<E, A[W]>
      : W extends keyof T
        ? TransitionCall<E, T[W]>
        : W extends keyof Calls<E, D>
          ? Calls<E, D>[W]
          : never
    : never

const textOf = ({ calls, actions }: Resource, name: string) => {
  const action = (actions as Readonly<Record<string, { call: typeof calls.list }>>)[name]
  if (action) return action.call
  if (name === 'detail' || name === 'submit' || name === 'remove') return calls[name]
  return name === 'arrange' || name === 'change' ? (`POST ${name}` as const) : (`GET ${name}` as const)
}

/**
 * A generated call of a resource, to be made like one of a contract: `useEndpoint(callOf(role, 'detail'), { id })`,
 * `useSend(callOf(ticketnotice, 'remind'))`.
 * @param name one that every resource has, an action or a transition
 */
export function callOf<R extends Resource, const W extends CallName<R>>(resource: R, name: W): CallOf<R, W> {
  const { method, path, params, fixed } = readCall(textOf(resource as Resource, name))
  const query = Object.fromEntries(params.map(param => [param, true]))
  const end = fixed ? `?${new URLSearchParams(fixed)}` : ''
  return { method, path: `${resource.path}/${path}${end}`, query } as unknown as CallOf<R, W>
}
