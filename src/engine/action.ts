import type { CallText } from './call.ts'
import type { Condition } from './condition.ts'
import type { BaseName, Entity, Fields, NameOf, Row } from './entity.ts'
import type { PlainRefusalName } from './refusal.ts'

/** Values an action may set that are known only when it runs. */
export type SetWord = '$now' | '$caller'

/** What an action writes into the rows it moves: field → value, `$now` (the server's time) or `$caller` (the user id). */
export type Setting<E> = E extends Entity
  ? { readonly [K in NameOf<E>]?: (K extends keyof Row<E> ? Row<E>[K] : never) | SetWord }
  : never

/** One action of a resource: a button, a call and a permission. */
export interface Action<E> {
  /** Text of the button. */
  readonly label: string
  /** Where the button stands: at each row, above the table for selected rows, above the table for none. Default `row`. */
  readonly on?: 'row' | 'rows' | 'toolbar'
  /** The call, `POST releaseExam?id`. Row actions take `id`, actions on rows `ids`. */
  readonly call: CallText
  /** Question asked before. */
  readonly confirm?: string
  /** Rows it applies to: elsewhere the button is hidden and the server refuses with `refusal`. */
  readonly when?: E extends Entity ? Condition<Row<E>> : never
  /** Fields of the entity asked for in a dialog before; required as in the schema unless `optional`. They are written with `set`. */
  readonly input?: readonly NameOf<E>[]
  /** Further inputs that are no fields of the entity, for a handler. */
  readonly ask?: Fields
  /** What the dialog begins with where it is for one row alone: the value asked for → the field of the row. */
  readonly begin?: Readonly<Record<string, NameOf<E>>>
  /**
   * For a second person: the field names the first one, who neither sees the button nor may do it (row.sameApprover).
   * Handlers that wait for locks look again under them.
   */
  readonly second?: AnyName<E>
  /** Refusal when `when` does not hold. Default row.wrongState. */
  readonly refusal?: PlainRefusalName
  /** A file is chosen first; the value lists the endings accepted, `.xlsx`. */
  readonly upload?: string
  /** The answer is a file. */
  readonly download?: true
  /** Opens a page of our own instead of calling: a path with `:id` for the row, and `:field` for a value of it. */
  readonly open?: string
  /** Last part of the permission code `<resource>_<code>`; the name of the action by default. */
  readonly code?: string
  /** Drawn as dangerous. */
  readonly danger?: true
}

/**
 * An action whose state change is data: one `UPDATE … WHERE id = ANY(…) AND <when>` decides and changes at once, so it
 * cannot be raced. Without `set` the server must have a handler of the same name.
 */
export type ActionOf<E, S> = Action<E> & {
  readonly set?: S & Setting<E> & { readonly [K in Exclude<keyof S, keyof Row<E>>]: 'no field of the entity' }
}

/** Names of fields an action, a column or a search may use: the entity's own and the base columns. */
export type AnyName<E> = NameOf<E> | BaseName
