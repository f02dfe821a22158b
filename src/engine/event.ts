import type { Resource } from './resource.ts'
import type { AnyTransition, InputsOf } from './transition.ts'

/** Names of the transitions of a resource. */
export type TransitionName<R> = R extends Resource<infer _E, infer _A, infer _D, infer T> ? keyof T & string : never

/** Names of the transitions that a function of the server guards. */
export type GuardedBy<R> =
  R extends Resource<infer _E, infer _A, infer _D, infer T>
    ? { [K in keyof T]: T[K] extends { readonly guard: infer G } ? (unknown extends G ? never : K) : never }[keyof T] &
        string
    : never

/** What a transition is made with: the fields it takes and those it asks for, read and checked. */
export type TransitionInput<R, K> =
  R extends Resource<infer E, infer _A, infer _D, infer T>
    ? K extends keyof T
      ? T[K] extends { readonly input: infer I; readonly ask: infer Q }
        ? InputsOf<E, I, Q>
        : never
      : never
    : never

/** What happens to the rows of a resource: a transition, a submit or a removal. */
export type EventOf<R> = TransitionName<R> | 'submit' | 'remove'

/** A transition of a resource by its name. @throws when there is none */
export function transitionOf(resource: Pick<Resource, 'name' | 'transitions'>, name: string): AnyTransition {
  const found = transitionsOf(resource)[name]
  if (!found) throw new Error(`${resource.name} has no transition ${name}.`)
  return found
}

/** The transitions of a resource by name. */
export const transitionsOf = (resource: Pick<Resource, 'transitions'>): Readonly<Record<string, AnyTransition>> =>
  resource.transitions as Readonly<Record<string, AnyTransition>>
