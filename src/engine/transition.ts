import type { Action, Setting } from './action.ts'
import type { CallText } from './call.ts'
import type { Condition } from './condition.ts'
import type { Entered, Entity, Fields, FieldsOf, NameOf, Row } from './entity.ts'
import type { Entities, EntityName, Field } from './field.ts'

/** Rows of another entity that change with a transition: those whose field `by` names a row that changes. */
export type Along = {
  readonly [N in EntityName]?: {
    /** The field that refers to the row of the transition. */
    readonly by: NameOf<Entities[N]>
    /** Only rows that meet this. */
    readonly when?: Condition<Row<Entities[N]>>
    /** What is written into them. */
    readonly set: Setting<Entities[N]>
  }
}

/** One change of state of a resource: a button, a call and a permission, and no code. */
export interface Transition<E> extends Omit<Action<E>, 'call' | 'when' | 'upload' | 'download' | 'answer'> {
  /** The call, `POST release?id`. A transition without one has no button and is made by code alone. */
  readonly call?: CallText
  /** Rows it applies to: elsewhere the button is hidden and the server refuses with `refusal`, whoever is quicker. */
  readonly when: E extends Entity ? Condition<Row<E>> : never
  /**
   * What else has to be so, as a sentence for people; it stands in the list of what is missing. The server has a function of the
   * transition's name that refuses where it is not so.
   */
  readonly guard?: string
  /** Rows of other entities that change with it, in the same transaction. */
  readonly along?: Along
  /** Asks for a reason: `text('撤回原因', { maxLength: 200 })`. It is kept in the history, and `$reason` writes it into a field. */
  readonly reason?: Field<string>
  /** Name under which the call carries the reason; `reason` by default. */
  readonly reasonAs?: string
  /**
   * For selected rows that are judged one by one: what is said of those that it does not apply to. The answer names them beside
   * those that are as they were asked to be; a row that is not there refuses the call.
   */
  readonly skipped?: string
  /** What the answer counts as `num`: `rows`, the rows themselves, or an entity that changes along. */
  readonly num?: 'rows' | EntityName
  /** False: the history of an entity that keeps one has no entry of it. */
  readonly log?: false
}

/** A transition with what it sets. */
export type TransitionOf<E, S> = Transition<E> & {
  /** What the rows hold afterwards. */
  readonly set: S & Setting<E> & { readonly [K in Exclude<keyof S, keyof Row<E>>]: 'no field of the entity' }
}

/** A transition without the type of its entity, as crud reads it. */
export interface AnyTransition
  extends Omit<Transition<never>, 'when' | 'askWhen' | 'single' | 'input' | 'second' | 'begin' | 'along'> {
  readonly when: Condition
  readonly askWhen?: Condition
  readonly single?: Condition | false
  readonly set: Readonly<Record<string, unknown>>
  readonly input?: readonly string[]
  readonly second?: string
  readonly along?: Readonly<Record<string, AnyAlong>>
}

/** Rows that change along, whatever their entity. */
export interface AnyAlong {
  readonly by: string
  readonly when?: Condition
  readonly set: Readonly<Record<string, unknown>>
}

/** What code has to know of the transitions of a resource, by name. What a transition does not say is `unknown`. */
export type Transitions<S, G, I, Q, C> = {
  readonly [K in keyof S]: {
    readonly call: K extends keyof C ? C[K] : unknown
    readonly guard: K extends keyof G ? G[K] : unknown
    readonly input: K extends keyof I ? I[K] : unknown
    readonly ask: K extends keyof Q ? Q[K] : unknown
  }
}

/** The values of fields that are taken and of those that are asked for. */
export type InputsOf<E, I, Q> = (unknown extends I
  ? Record<never, never>
  : Entered<Pick<FieldsOf<E>, I & keyof FieldsOf<E>>>) &
  (unknown extends Q ? Record<never, never> : Entered<Q>)

/** Name of the input that carries the reason of a transition. */
export const reasonName = ({ reasonAs = 'reason' }: Pick<AnyTransition, 'reasonAs'>): string => reasonAs

/** The button and the call of a transition; null for one that code alone makes. */
export function buttonOf(transition: AnyTransition): Action<never> | null {
  const { call, set: _set, guard: _guard, along: _along, reason, num: _num, log: _log, ...others } = transition
  const { reasonAs: _as, skipped: _skipped, ...rest } = others
  const ask: Fields = { ...rest.ask, ...(reason && { [reasonName(transition)]: reason }) }
  if (!call) return null
  return { ...rest, call, ...(Object.keys(ask).length > 0 && { ask }) } as unknown as Action<never>
}
