import type { Entity, Fields } from './entity.ts'
import { type Field, type FieldOptions, filled, integer, json, type Kind, optional } from './field.ts'

/** Several values under names. Whatever else is sent or answered beside them is a mistake, unless it is `open`. */
export interface Group<P = unknown> {
  readonly shape: 'group'
  readonly of: P
  /** Further names may stand beside those given. */
  readonly open?: true
}

/**
 * Several values under names, and as `children` those that stand below, of the same kind. Leaves have no `children`: clients
 * tell them by that.
 */
export interface Tree<P = unknown> {
  readonly shape: 'tree'
  readonly of: P
  /** What the description calls it where it refers to itself. */
  readonly name: string
}

/** Any number of the same in their order. */
export interface List<S = unknown> {
  readonly shape: 'list'
  readonly of: S
  /** How many at most. */
  readonly max?: number
  /** How many at least. */
  readonly min?: number
}

/** A part of a list, `{ records, total, size, current, pages }`. */
export interface PageShape<S = unknown> {
  readonly shape: 'page'
  readonly of: S
}

/** The same under names that are not known before, such as the ids of rows. */
export interface Keyed<S = unknown> {
  readonly shape: 'keyed'
  readonly of: S
}

/** There, or the empty text where there is nothing. */
export interface Maybe<S = unknown> {
  readonly shape: 'maybe'
  readonly of: S
}

/** A name that may be missing altogether. */
export interface Sometimes<S = unknown> {
  readonly shape: 'sometimes'
  readonly of: S
}

/** Any of several shapes. */
export interface Either<S = unknown> {
  readonly shape: 'either'
  readonly of: S
}

/** One of a few words or numbers that belong to the call and to no dictionary. */
export interface Words<W = unknown> {
  readonly shape: 'words'
  readonly of: readonly W[]
  readonly title: string
}

/** Yes or no as JSON has it, `true` or `false`. */
export interface Truth {
  readonly shape: 'truth'
  readonly of: null
  readonly title: string
}

/** A number with decimals as JSON has it, such as a share. What has to be exact is a `decimal`. */
export interface Real {
  readonly shape: 'real'
  readonly of: null
  readonly title: string
}

/** What a call takes or answers: a field, or fields and shapes in groups and lists. Plain JSON. */
export type Shape = Field | Group | Tree | List | PageShape | Keyed | Maybe | Sometimes | Either | Words | Truth | Real

/** Shapes by name. */
export type Shapes = Readonly<Record<string, Shape>>

/** Whether what a call takes is a list instead of values by name. */
export const isList = (values: Shapes | List): values is List => values.shape === 'list'

/**
 * Several values under names, `group({ seats: count('座位数') })`.
 * @param of the shape of each, by its name on the wire
 */
export const group = <P extends Shapes>(of: P): Group<P> => ({ shape: 'group', of })

/** {@link group} beside which further names may stand: what a page keeps for itself, or what depends on who asks. */
export const openGroup = <P extends Shapes>(of: P): Group<P> => ({ shape: 'group', of, open: true })

/**
 * A group with others of its kind below it: `tree('Place', { code: text('编号') })` answers
 * `{ code, children?: [{ code, children?: … }] }`. For answers alone.
 * @param name what the description calls it: a name of its own, of letters, digits, `-` and `_`
 */
export const tree = <P extends Shapes>(name: string, of: P): Tree<P> => ({ shape: 'tree', of, name })

/**
 * Any number of the same.
 * @param limits how many a request may hold at least and at most
 */
export const list = <S extends Shape>(
  of: S,
  limits: { readonly min?: number; readonly max?: number } = {},
): List<S> => ({ shape: 'list', of, ...limits })

/** A part of a list of the same, with how many there are in all. */
export const pageOf = <S extends Shape>(of: S): PageShape<S> => ({ shape: 'page', of })

/** {@link pageOf} with further values beside it, `pageWith(seat, { counts: group({ free: count('空位') }) })`. */
export const pageWith = <S extends Shape, M extends Shapes>(of: S, more: M) =>
  group({
    records: list(of),
    total: count('总数'),
    size: count('每页条数'),
    current: count('页码'),
    pages: count('页数'),
    ...more,
  })

/** The same under names that are not known before, `keyed(count('人数'))` for numbers by the id of a unit. */
export const keyed = <S extends Shape>(of: S): Keyed<S> => ({ shape: 'keyed', of })

/** A value, or the empty text where there is none: this wire knows no `null`. */
export const maybe = <S extends Shape>(of: S): Maybe<S> => ({ shape: 'maybe', of })

/** A name of a group that may be missing. */
export const sometimes = <S extends Shape>(of: S): Sometimes<S> => ({ shape: 'sometimes', of })

/** Any of several shapes, `either(rooms, problem)`. */
export const either = <const S extends readonly Shape[]>(...of: S): Either<S[number]> =>
  ({ shape: 'either', of }) as never

/**
 * One of a few words or numbers, `words('步长', 'day', 'hour')`. What a dictionary has is `dict` or `state` instead.
 * @param title what a person calls the value
 */
export const words = <const W extends string | number>(title: string, ...of: readonly W[]): Words<W> => ({
  shape: 'words',
  of,
  title,
})

/** `true` or `false`. What is stored is a `flag`, 1 or 0. */
export const truth = (title: string): Truth => ({ shape: 'truth', of: null, title })

/** A number with decimals, `real('百分比')`. What has to be exact, such as marks, is a `decimal`. */
export const real = (title: string): Real => ({ shape: 'real', of: null, title })

/** A number of people or things, from 0. */
export const count = (title: string) => integer(title, { minimum: 0 })

/** The id of a row: a positive number of 64 bits as text. */
export const id = (title: string): Field<string, 'ref'> => ({ kind: 'ref', title, type: 'string' })

/** A field of an entity, or a value that is computed, whose parts are known; see {@link structured}. */
export interface Structured<S = unknown> extends Field<Wire<S>, 'json'> {
  readonly of: S & object
  readonly filled: true
}

/**
 * JSON that the server writes and whose parts are known, as a field of an entity or as a derived value:
 * `structured('阶段', list(text('阶段')))`. Pages and the description take its type from here. What somebody enters is `json`,
 * because nothing looks into it.
 * @param of what it consists of. A stored value is answered as it was stored: nothing in it may be `null`
 */
export const structured = <S extends Shape>(title: string, of: S, options: FieldOptions = {}): Structured<S> => ({
  ...filled(json<Wire<S>>(title, options)),
  of,
})

/** Rows of one answer at most, and rows of one kind that a form holds beside its own. */
export const mostRows = 500

/** Which part of a list a request asks for; 0 is the default, as older clients send it. */
export const paging = {
  current: optional(integer('页码', { minimum: 0, maximum: 1_000_000 })),
  size: optional(integer('每页条数', { minimum: 0, maximum: mostRows })),
} as const

/** Some fields of an entity as one group; `pick(Signup, 'name').of` are the fields by themselves, to stand among others. */
export const pick = <F extends Fields, const N extends keyof F & string>(
  { properties }: Entity<string, F>,
  ...names: readonly N[]
): Group<Pick<F, N>> => ({
  shape: 'group',
  of: Object.fromEntries(names.map(name => [name, properties[name]])) as unknown as Pick<F, N>,
})

type Flat<T> = { [K in keyof T]: T[K] }

/** Names that may be missing from an answer. */
type Missing<P> = { [K in keyof P]: P[K] extends { readonly shape: 'sometimes' } ? K : never }[keyof P]

/** Names that may be left out of a request. */
type Open<P> = {
  [K in keyof P]: P[K] extends { readonly shape: 'sometimes' } | { readonly optional: true } ? K : never
}[keyof P]

type FieldWire<S, V> = S extends { readonly optional: true }
  ? (V extends Date ? string : V) | ''
  : V extends Date
    ? string
    : V

type GroupWire<P> = [Missing<P>] extends [never]
  ? { -readonly [K in keyof P]: Wire<P[K]> }
  : Flat<{ -readonly [K in Exclude<keyof P, Missing<P>>]: Wire<P[K]> } & { -readonly [K in Missing<P>]?: Wire<P[K]> }>

type TreeWire<P> = GroupWire<P> & { children?: TreeWire<P>[] }

/** Each kind of shape is computed only where it is met, which keeps the compiler's work small. */
interface WireBy<O> {
  group: GroupWire<O>
  tree: TreeWire<O>
  list: Wire<O>[]
  page: { records: Wire<O>[]; total: number; size: number; current: number; pages: number }
  keyed: Record<string, Wire<O>>
  maybe: Wire<O> | ''
  sometimes: Wire<O>
  either: Wire<O>
  words: O extends readonly (infer W)[] ? W : never
  truth: boolean
  real: number
}

/** A value of a shape as it is answered: instants are texts, and nothing is the empty text. */
export type Wire<S> =
  S extends Field<infer V, Kind>
    ? FieldWire<S, V>
    : S extends { readonly shape: infer N extends keyof WireBy<unknown>; readonly of: infer O }
      ? WireBy<O>[N]
      : never

type FieldReply<S, V> = S extends { readonly optional: true } ? V | Texts<V> | null | undefined | '' : V | Texts<V>
type Texts<V> = V extends Date ? string : never

type GroupReply<P> = [Missing<P>] extends [never]
  ? { readonly [K in keyof P]: Reply<P[K]> }
  : { readonly [K in Exclude<keyof P, Missing<P>>]: Reply<P[K]> } & {
      readonly [K in Missing<P>]?: Reply<P[K]> | undefined
    }

type TreeReply<P> = GroupReply<P> & { readonly children?: readonly TreeReply<P>[] | undefined }

interface ReplyBy<O> {
  group: GroupReply<O>
  tree: TreeReply<O>
  list: readonly Reply<O>[]
  page: { records: readonly Reply<O>[]; total: number; size: number; current: number; pages: number }
  keyed: Readonly<Record<string, Reply<O>>>
  maybe: Reply<O> | '' | null | undefined
  sometimes: Reply<O>
  either: Reply<O>
  words: O extends readonly (infer W)[] ? W : never
  truth: boolean
  real: number
}

/** A value of a shape as code gives it for an answer: instants may be Dates, and nothing `null`. */
export type Reply<S> =
  S extends Field<infer V, Kind>
    ? FieldReply<S, V>
    : S extends { readonly shape: infer N extends keyof ReplyBy<unknown>; readonly of: infer O }
      ? ReplyBy<O>[N]
      : never

interface AskedBy<O> {
  group: Asked<O>
  tree: never
  list: readonly AskedOf<O>[]
  page: never
  keyed: Readonly<Record<string, AskedOf<O>>>
  maybe: AskedOf<O> | ''
  sometimes: AskedOf<O>
  either: AskedOf<O>
  words: O extends readonly (infer W)[] ? W : never
  truth: boolean
  real: number
}

/** A value of a shape as a request carries it, once it has been checked. */
export type AskedOf<S> =
  S extends Field<infer V, Kind>
    ? V extends Date
      ? string
      : V
    : S extends { readonly shape: infer N extends keyof AskedBy<unknown>; readonly of: infer O }
      ? AskedBy<O>[N]
      : never

/** The values of a request: what is `optional` or there `sometimes` may be left out. */
export type Asked<P> = [Open<P>] extends [never]
  ? { readonly [K in keyof P]: AskedOf<P[K]> }
  : Flat<
      { readonly [K in Exclude<keyof P, Open<P>>]: AskedOf<P[K]> } & {
        readonly [K in Open<P>]?: AskedOf<P[K]> | undefined
      }
    >
