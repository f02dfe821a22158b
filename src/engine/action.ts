import type { CallText } from './call.ts'
import type { Condition } from './condition.ts'
import type { BaseName, Entity, Fields, NameOf, Row } from './entity.ts'
import type { PlainRefusalName } from './refusal.ts'
import type { Shape } from './shape.ts'

/** Values a transition may set that are known only when it is made: the server's time, the caller's id, the reason given. */
export type SetWord = '$now' | '$caller' | '$reason'

/** What a transition writes into rows: field → value, `$now`, `$caller` or `$reason`. */
export type Setting<E> = E extends Entity
  ? { readonly [K in NameOf<E>]?: (K extends keyof Row<E> ? Row<E>[K] : never) | SetWord }
  : never

/** What takes an action back. */
export interface Undo {
  /** The call of another action that stands in the same place and asks for nothing, `POST enable?ids`. */
  readonly call: CallText
  /** For how long, from 1 to 60; {@link undoSeconds} by default. */
  readonly seconds?: number
}

/** How long something that was just done can be taken back. */
export const undoSeconds = 10

/** One action of a resource: a button, a call and a permission. The server has a handler or a route of its name. */
export interface Action<E> {
  /** Text of the button. */
  readonly label: string
  /**
   * Where the button stands: at each row, above the table for selected rows, above the table for none, or where the list has no rows
   * and `empty.next` names it. There nothing is asked: its `input` is what the list is filtered by. Default `row`.
   */
  readonly on?: 'row' | 'rows' | 'toolbar' | 'empty'
  /**
   * The call, `POST releaseExam?id`. Row actions take `id`, actions on rows `ids`. Several of one address are told apart by a value
   * that each fixes: `POST change?id,enable=1`.
   */
  readonly call: CallText
  /** Question asked before. */
  readonly confirm?: string
  /**
   * What is said once it is done, `'{{name}} 已停用'`, where `{{name}}` is what the row is called, or how many there are. By default the
   * label and the name.
   */
  readonly done?: string
  /** What takes it back: what is said then offers it for a few seconds to whoever may make the call. */
  readonly undo?: Undo
  /** Rows it applies to: elsewhere the button is hidden and the server refuses with `refusal`. */
  readonly when?: E extends Entity ? Condition<Row<E>> : never
  /**
   * Fields of the entity asked for in a dialog before; required as in the schema unless `optional`. A transition writes them with
   * what it sets.
   */
  readonly input?: readonly NameOf<E>[]
  /** Further inputs that are no fields of the entity, for a handler. */
  readonly ask?: Fields
  /** Rows of which the further inputs are asked for, and have to be given then; of others nothing is asked. By default all rows. */
  readonly askWhen?: E extends Entity ? Condition<Row<E>> : never
  /**
   * Of an action on selected rows: at which rows it stands in their own menu, too; `false` for none. By default those it applies to.
   * Where an action of a row has the same label, that one alone stands there.
   */
  readonly single?: (E extends Entity ? Condition<Row<E>> : never) | false
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
  /** The answer is a file; a route sends it. */
  readonly download?: true
  /**
   * What `data` of the answer of its handler holds, in the shapes of an endpoint: `numberedShape`, `group({ … })`. Without it the
   * handler answers nothing. The answer of a route stands in its contract.
   */
  readonly answer?: Shape
  /**
   * Opens a page of our own instead of calling: a path with `:id` for the row, and `:field` for a value of it; above the table for
   * what the list is filtered by.
   */
  readonly open?: string
  /** What it has made is looked at next: the address of a page, with `:name` for a value of the answer, which is not told then. */
  readonly leads?: string
  /** Last part of the permission code `<resource>_<code>`; the name of the action by default. */
  readonly code?: string
  /**
   * Whether it is offered in a place where nothing is changed any more (`still` of a workspace). By default a call that reads is, and one
   * that writes is not. A transition that says so is made there, too; others are refused.
   */
  readonly still?: boolean
  /** Drawn as dangerous. */
  readonly danger?: true
}

/** Names of fields an action, a column or a search may use: the entity's own and the base columns. */
export type AnyName<E> = NameOf<E> | BaseName
