/** One refusal: the code of the body, the HTTP status, and what a person reads in Chinese and in English. */
export type RefusalEntry = readonly [code: number, status: number, chinese: string, english: string]

/** Refusals of an area by name, `<area>.<what>`. `{name}` in a text is a value given when it is thrown; both texts have the same. */
export type RefusalTable<Area extends string = string> = Readonly<Record<`${Area}.${string}`, RefusalEntry>>

/**
 * Every refusal by name. Each area adds its table, so that a refusal that does not exist, or lacks a value of its text, does not
 * compile: `declare module '#engine' { interface Refusals extends SignupRefusals {} }`.
 */
export interface Refusals {}

/** Name of a refusal, for example `signup.closed`. */
export type RefusalName = keyof Refusals & string

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** Names of the values in the text of a refusal. */
export type RefusalValue<N extends RefusalName> = N extends unknown
  ? Refusals[N] extends readonly [number, number, infer Chinese, string]
    ? NamesIn<Chinese>
    : never
  : never

/** Names of refusals whose text needs no value. */
export type PlainRefusalName = {
  [N in RefusalName]: [RefusalValue<N>] extends [never] ? N : never
}[RefusalName]

type AreaOf<N> = N extends `${infer Area}.${string}` ? Area : never
type CodeOf<Entry> = Entry extends readonly [infer Code, ...unknown[]] ? Code : never

/** The codes of all refusals by area and name: `codes.signup.closed`. */
export type RefusalCodes = {
  readonly [A in AreaOf<RefusalName>]: {
    readonly [N in RefusalName as N extends `${A}.${infer What}` ? What : never]: CodeOf<Refusals[N]>
  }
}
