import type { Entity, Fields, NameOf, Row, ValueOf } from './entity.ts'
import type { Resource } from './resource.ts'

/**
 * Groups of people whom something concerns, by names that the application has: `declare module '#engine' { interface Audiences { owner:
 * true } }`. The server has a query for each.
 */
export interface Audiences {}

/** Name of a group of people. */
export type AudienceName = keyof Audiences & string

/** Ways to people beside their inbox. */
export const channels = ['sms', 'mail', 'wechat'] as const

/** A way to people beside their inbox. */
export type ChannelName = (typeof channels)[number]

/** `must`: nobody can switch it off; true: on, false: off, unless somebody chooses otherwise. */
export type ChannelPreset = 'must' | boolean

/**
 * Templates of WeChat, of which an official account may have few: what has become of something, what is to be done by a time, how an exam
 * goes on, a score or a list, an account.
 */
export const wechatTemplates = ['result', 'todo', 'schedule', 'list', 'account'] as const

/** A template of WeChat. */
export type WechatTemplate = (typeof wechatTemplates)[number]

/** The same in both languages. */
export interface InBoth {
  readonly zh: string
  readonly en: string
}

/** InBoth for each of some values, put where the text names them: `{ next: { pay: { zh: '请缴费。', en: 'Please pay.' } } }`. */
export type Phrases = Readonly<Record<string, Readonly<Record<string, InBoth>>>>

/** What is kept of an event, as the wire has it. */
export type Facts = Readonly<Record<string, string | number | null>>

/**
 * Names that a text may use of any event, beside its own facts: `declare module '#engine' { interface CommonVariables { office: true } }`.
 */
export interface CommonVariables {}

/** References that are kept with an event where its row has them; registered likewise. */
export interface EventReferences {}

/** What happens to a row that somebody is told of. */
export interface EventDefinition<Name extends string = string> {
  /** What it is called among the settings of messages. */
  readonly label: string
  /** Whom it concerns. */
  readonly to: readonly AudienceName[]
  /** Fields of the row that are kept with it. */
  readonly fields?: readonly Name[]
  /** What else is kept with it: facts of the moment that no field holds. `until` is the time by which something can be done. */
  readonly data?: Fields
  /** InBoth for facts that are keys. */
  readonly phrases?: Phrases
  /** What stands where the text names a fact that has no value: `{ until: { zh: '规定时间', en: 'the time announced' } }`. */
  readonly otherwise?: Readonly<Record<string, InBoth>>
  /** Ways beside the inbox; a channel that is not named is not offered. */
  readonly by?: {
    readonly sms?: ChannelPreset
    readonly mail?: ChannelPreset
    /** The template by which it goes out unless somebody chooses otherwise. */
    readonly wechat?: WechatTemplate
  }
  /** One sentence or two; `{name}` stands for a field, a fact or one of {@link CommonVariables}. */
  readonly text: InBoth
  /** Page on which somebody acts on it; `:name` stands for a field that is kept, `:id` for the row. */
  readonly opens: `/${string}`
  /** Events of the same row, by name, whose messages are of no more concern once this has happened. */
  readonly settles?: readonly string[]
  /**
   * Events of the same exam, by name, whose messages to the same people are of no more concern: whoever is out of an exam is not asked
   * for its fee.
   */
  readonly ends?: readonly string[]
  /**
   * Events, by name, that say it, too, where they happen to the same person in the same transaction: the inbox has both, a text message
   * says the other one alone. That one is told after this one, waits as long, and is told to nobody where this one is settled before.
   */
  readonly joins?: readonly string[]
  /**
   * What goes out beside the inbox waits as many minutes as the exam says (`textDelay`): it is called off where the event is settled
   * meanwhile.
   */
  readonly delays?: true
  /** Seconds after which people are told, for what can be undone meanwhile: one that is settled until then is told to nobody. */
  readonly hold?: number
  /** Its `until` says only how long something lasts: nobody has to do anything by then. */
  readonly informs?: true
  /** Is told at night, too: whoever hears of it in the morning may be too late. */
  readonly urgent?: true
  /** Is told at the addresses of before, too, which are kept beside it: it says that they are others now. */
  readonly alsoFormer?: true
  /** Is told only where something that it settles has been told. */
  readonly corrects?: true
}

/** Names between the braces of a text. */
export type VariablesIn<T extends string> = T extends `${string}{${infer V}}${infer Rest}`
  ? V | VariablesIn<Rest>
  : never

/** Names that the texts of an event may use. */
export type Known<D> =
  | (D extends { readonly fields: readonly (infer F)[] } ? F : never)
  | (D extends { readonly data: infer F } ? keyof F : never)
  | keyof CommonVariables

/** What an event of this row has to be like beyond the type of its definition. */
type Sound<D> = {
  readonly text: {
    readonly [L in keyof InBoth]: D extends { readonly text: { readonly [K in L]: infer T extends string } }
      ? Exclude<VariablesIn<T>, Known<D>> extends never
        ? string
        : `unknown variable: ${Exclude<VariablesIn<T>, Known<D>> & string}`
      : string
  }
}

/** An event as it is kept: its definition under a name, with the facts that it is told with. */
export interface DomainEvent<E extends Entity = Entity, F extends string = string, D extends Fields = Fields>
  extends EventDefinition {
  /** `signup.returned`. */
  readonly name: string
  readonly resource: string
  readonly fields: readonly F[]
  readonly data: D
  /** The entity that the row is of. */
  readonly entity: E
}

type FieldsIn<D> = D extends { readonly fields: readonly (infer F extends string)[] } ? F : never
type DataIn<D> = D extends { readonly data: infer F extends Fields } ? F : Record<never, never>

/** The events of a resource, by name. */
export type EventsOf<E extends Entity, D> = {
  readonly [K in keyof D]: DomainEvent<E, FieldsIn<D[K]>, DataIn<D[K]>>
}

/** What is needed of the row that an event happens to. */
export type SubjectOf<V> =
  V extends DomainEvent<infer E, infer F, infer _D>
    ? { readonly id: string } & { readonly [K in (F | keyof EventReferences) & keyof Row<E>]: Row<E>[K] } & {
        readonly [K in Exclude<keyof EventReferences, keyof Row<E>>]?: string | null | undefined
      }
    : never

/** The facts that an event is told with beside the fields of its row. */
export type FactsOf<V> =
  V extends DomainEvent<infer _E, infer _F, infer D> ? { readonly [K in keyof D]: ValueOf<D[K]> } : never

/**
 * Says what people are told of the rows of a resource. Data only: who is told, in which words, by which ways and where it leads. Code
 * that changes a row emits the event in the same transaction.
 * @param of whose rows they are
 * @param definitions the events by their keys; the name of one is `<resource>.<key>`
 */
export function events<E extends Entity, const D extends Readonly<Record<string, EventDefinition<NameOf<E>>>>>(
  of: Pick<Resource<E>, 'name' | 'entity'>,
  definitions: D & { readonly [K in keyof D]: Sound<D[K]> },
): EventsOf<E, D> {
  return Object.fromEntries(
    Object.entries<EventDefinition>(definitions).map(([key, one]) => [
      key,
      { fields: [], data: {}, ...one, name: `${of.name}.${key}`, resource: of.name, entity: of.entity },
    ]),
  ) as never
}

/** The names between braces in a text, each once, in their order. */
export const variablesOf = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)),
]

/** Puts values where a text names them; a name without a value leaves nothing. */
export const wordsWith = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
