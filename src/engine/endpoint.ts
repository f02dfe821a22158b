import type { Asked, List, Reply, Shape, Shapes, Wire } from './shape.ts'

/**
 * Who may make a call: anybody, anybody who is signed in, a role that may enter the console, a candidate, or whoever has one of
 * these permissions.
 */
export type EndpointAccess = 'public' | 'signed-in' | 'staff' | 'candidate' | readonly string[]

/** An answer that is a file instead of JSON. */
export interface Download {
  readonly shape: 'download'
  readonly of: null
  /** What it can be, as media types. */
  readonly types: readonly string[]
  /** It may also be made in the background: then the answer is the id of the task. */
  readonly background?: true
}

/** Media types by the ending people know. */
export const mediaTypes = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gzip: 'application/gzip',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  any: 'application/octet-stream',
} as const

/** The answer is a file of one of these kinds, `download('xlsx')`. */
export const download = (...endings: readonly (keyof typeof mediaTypes)[]): Download => ({
  shape: 'download',
  of: null,
  types: endings.map(ending => mediaTypes[ending]),
})

/** The answer is a file, or where it is large `{ taskId, background: 1 }` and the file is made later. */
export const backgroundDownload = (...endings: readonly (keyof typeof mediaTypes)[]): Download => ({
  shape: 'download',
  of: null,
  types: endings.map(ending => mediaTypes[ending]),
  background: true,
})

/** Files that a call takes; its other values are sent in the same form. */
export interface Upload {
  /** Files, at most. */
  readonly files: number
  /** KB of one file, at most. */
  readonly KB: number
  /** KB of all files together, at most. */
  readonly allKB?: number
  /** Fields beside the files, at most; 50 by default. */
  readonly fields?: number
  /** KB of one field, at most; 64 by default. */
  readonly fieldKB?: number
}

/** One workbook or bill to be taken in: 10 MB, as all imports. */
export const sheetUpload = { files: 1, KB: 10 * 1024 } as const satisfies Upload

/** What a call may say beside what it takes and answers. Everything has a default. */
export interface EndpointOptions {
  /** Further calls that do the same, `['GET /blade-exam/examination/releaseExam']`, for clients that make them. */
  readonly also?: readonly EndpointCall[]
  /**
   * The permission of a view of the resource does as well, and whoever has that alone meets the rows of the view: its queries go
   * through the scope of the resource.
   */
  readonly views?: true
  /** It takes a form with files. */
  readonly upload?: Upload
  /** Names of the body of which one list at least is given whole, `[['id'], ['examId']]`. */
  readonly anyOf?: readonly (readonly string[])[]
  /** KB of its JSON body, at most, where that is not what bodies are limited to. */
  readonly bodyKB?: number
  /** Further names in its body are left unread, as clients send them. */
  readonly openBody?: true
  /** It may come without any body, for example from a button that sends its ids in the address alone. */
  readonly emptyBody?: true
  /** The work that it does, of which nobody does much at once. */
  readonly work?: 'import' | 'print'
  /** It changes something although it is a GET: its use is logged. */
  readonly changes?: true
  /** Pages make it by themselves: while it succeeds it is no line in the log of calls. */
  readonly quiet?: true
  /** A list that candidates may read but not copy by asking again and again. */
  readonly scraped?: true
  /** May be made by somebody who has to change the password first. */
  readonly beforePasswordChange?: true
  /** Answers while the database does not. */
  readonly withoutDatabase?: true
  /** Answered also when more is asked of the server than it can do. */
  readonly essential?: true
  /** Name of the counter in which its calls are counted by their outcome. */
  readonly counted?: string
  /** The answer is the body itself, without `{ code, success, data, msg }` around it. */
  readonly bare?: true
}

/** Method and address of a call below `/api`, `GET /blade-signup/signup/detail`. */
export type EndpointCall = `${'GET' | 'POST'} /${string}`

/**
 * One call written by hand: who may make it, what it takes, what it answers. The route, its checks, the types of both sides,
 * the description and the tests of answers are read from it. Plain JSON.
 */
export interface Endpoint<Q = unknown, B = unknown, V = unknown, A = unknown> extends EndpointOptions {
  /** Name of the call, `<module>.<what>`; the `operationId` of its description. */
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** Address below `/api`. A part `:name` stands for the one of the loose values that has this name. */
  readonly path: string
  /** What it is called in the description and in the log of calls. */
  readonly title: string
  readonly access: EndpointAccess
  /** Null where the call looks at nothing in its address. */
  readonly query: Q | null
  readonly body: B | null
  readonly values: V | null
  /** Null where `data` is empty. */
  readonly answer: A | null
}

type None = Record<never, never>

/** Names of the parts `:name` at the end of an address. */
type NameIn<C> = C extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NameIn<`/${More}`>
    : Rest
  : never

/** The loose values that stand in the address itself. */
type NamesIn<C> = [NameIn<C>] extends [never] ? unknown : { readonly values: { readonly [K in NameIn<C>]: Shape } }

/** What {@link endpoint} is given of a call. */
export interface EndpointAbout<Q, B, V, A> extends EndpointOptions {
  /** What it is called in the description and in the log of calls; Chinese. */
  readonly title: string
  readonly access: EndpointAccess
  /** Values in the address. Any other name is refused. */
  readonly query?: Q
  /** Values of the JSON body. Any other name is refused, unless there is `openBody`. */
  readonly body?: B
  /**
   * Values that clients send in the address or in the body, as they like, with whatever else. They arrive unchecked; the
   * handler reads them. What a part `:name` of the address says counts most. Pages send those of a POST in its body: one that
   * other servers look for in the address stands in `query`, too. A `list` is a body that is a list, of what is answered
   * elsewhere.
   */
  readonly values?: V
  /** What `data` of the answer holds; `{}` where nothing is said. */
  readonly answer?: A
}

/**
 * Defines one call written by hand.
 * @param id name of the call, `<module>.<what>`, as clients made from the description call it
 * @param call method and address below `/api`: a plain text, because the build of the pages reads it from the source.
 *   `GET /lamp/light/:colour` takes `colour` from the end of the address
 * @param about who may make it, what it takes and what it answers
 */
export function endpoint<
  Q extends Shapes = None,
  B extends Shapes = None,
  V extends Shapes | List = None,
  A extends Shape | Download | undefined = undefined,
  const C extends EndpointCall = EndpointCall,
>(id: string, call: C, about: EndpointAbout<Q, B, V, A> & NamesIn<C>): Endpoint<Q, B, V, A> {
  const [method, path = ''] = call.split(' ') as ['GET' | 'POST', string?]
  const { query = null, body = null, values = null, answer = null, ...rest } = about
  return { id, method, path, ...rest, query, body, values, answer: answer as A | null }
}

/** What a call takes in its address, checked. */
export type QueryOf<E> = E extends Endpoint<infer Q, infer _B, infer _V, infer _A> ? Asked<Q> : never

/** What a call takes as its body, checked. */
export type BodyOf<E> = E extends Endpoint<infer _Q, infer B, infer _V, infer _A> ? Asked<B> : never

/** The loose values of a call, as they come; a list that nobody has looked into, empty where something else came. */
export type LooseOf<E> =
  E extends Endpoint<infer _Q, infer _B, infer V, infer _A>
    ? V extends List
      ? readonly unknown[]
      : { readonly [K in keyof V]?: unknown }
    : never

type Loose<V> = V extends List<infer S> ? readonly Wire<S>[] : Asked<V>

/** What the handler of a call gives for its answer; never where that is a file or nothing. */
export type ReplyOf<E> =
  E extends Endpoint<infer _Q, infer _B, infer _V, infer A> ? (A extends Shape ? Reply<A> : never) : never

declare const taken: unique symbol
declare const answered: unique symbol

/** A generated call of a resource as a page makes it, `callOf(role, 'detail')`: `V` is what it takes, `A` what it answers. */
export interface ResourceCall<V = unknown, A = unknown> extends Pick<Endpoint, 'method' | 'path' | 'query'> {
  readonly [taken]?: V
  readonly [answered]?: A
}

/** What a page can call: a call of a contract, or a generated one of a resource. */
export type Callable = Endpoint | ResourceCall

/** What a page gets for its call. */
export type AnswerOf<E> =
  E extends Endpoint<infer _Q, infer _B, infer _V, infer A>
    ? A extends Shape
      ? Wire<A>
      : Record<string, never>
    : E extends ResourceCall<infer _V, infer A>
      ? A
      : never

/** What a page gives for its call: the values of address and body, which have no name in common. */
export type ValuesOf<E> =
  E extends Endpoint<infer Q, infer B, infer V, infer _A>
    ? Asked<Q> & Asked<B> & Loose<V>
    : E extends ResourceCall<infer V, infer _A>
      ? V
      : never
