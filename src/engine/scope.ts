import type { Condition } from './condition.ts'

/** Rows that are met by a rule of the application, such as an appointment to the exam that a field names. */
export interface NamedScope<F extends string = string> {
  /** Name of the rule; the server says what it means. */
  readonly by: string
  /** The entity that the field points at. Whatever refers to it, directly or through other rows, has to be scoped. */
  readonly of: string
  readonly field: F
  /** What the rule wants to know besides. */
  readonly options: Readonly<Record<string, unknown>>
}

/** Rows that belong to a row of another resource: whoever meets that one meets them. */
export interface ThroughScope<F extends string = string> {
  readonly through: F
  /** The other resource, where the field is no reference to it. */
  readonly to?: string
  /** The field of the other resource that the value is found in; its id by default. */
  readonly key?: string
  /** Also while the other row is removed. */
  readonly evenRemoved?: true
  /** How rows are met whose field is empty or names no row at all; without it by nobody who is limited. */
  readonly unknown?: Scope
}

/** Rows that everybody of the tenant meets who may make the call. */
export interface WideScope {
  /** Why they are limited to nobody. */
  readonly wide: string
  /** Only holders of one of these roles. */
  readonly roles?: readonly string[]
}

/** Rows of several kinds, each with its own scope. A row that fits no case is met by those alone whom nothing limits. */
export interface CasesScope<F extends string = string> {
  readonly cases: readonly { readonly when: Condition; readonly scope: Scope<F> }[]
}

/** Rows that are met in any of several ways. */
export interface AnyScope<F extends string = string> {
  readonly any: readonly Scope<F>[]
}

/** Which rows of a resource staff meet, as data: lists, details, totals, choices, files, actions and calls by hand obey it. */
export type Scope<F extends string = string> = NamedScope<F> | ThroughScope<F> | WideScope | CasesScope<F> | AnyScope<F>

/**
 * Makes a word for definitions: `const byExam = scope('exam', 'examination')`, then `scope: byExam('examId')`.
 * @param by name of the rule
 * @param of the entity that the field of each resource points at
 */
export const scope =
  <Options extends Readonly<Record<string, unknown>>>(by: string, of: string) =>
  <const F extends string>(field: F, options: Options): NamedScope<F> => ({ by, of, field, options })

/**
 * Rows are met by whoever meets the row that a field points at.
 * @param field the reference
 * @param more what else than the id of the referenced entity finds the other row
 */
export const through = <const F extends string>(
  field: F,
  more: Omit<ThroughScope, 'through'> = {},
): ThroughScope<F> => ({ through: field, ...more })

/**
 * Rows are met by everybody of the tenant who may make the call.
 * @param reason why that is right; read by whoever reviews the definition
 * @param roles only holders of one of these roles
 */
export const wide = (reason: string, roles?: readonly string[]): WideScope => ({
  wide: reason,
  ...(roles && { roles }),
})

/** One kind of rows: those that meet a condition, and their scope. */
export const when = <const F extends string = never>(condition: Condition, then: Scope<F>) => ({
  when: condition,
  scope: then,
})

/** Rows of several kinds, made by {@link when}. */
export const cases = <const F extends string = never>(
  ...list: readonly { readonly when: Condition; readonly scope: Scope<F> }[]
): CasesScope<F> => ({ cases: list })

/** Rows are met in any of these ways. */
export const anyOf = <const F extends string = never>(...ways: readonly Scope<F>[]): AnyScope<F> => ({ any: ways })

/** Every way by itself that a scope consists of. */
export function waysOf(scope: Scope | null): readonly (NamedScope | ThroughScope | WideScope)[] {
  if (!scope) return []
  if ('cases' in scope) return scope.cases.flatMap(one => waysOf(one.scope))
  if ('any' in scope) return scope.any.flatMap(waysOf)
  return 'through' in scope && scope.unknown ? [scope, ...waysOf(scope.unknown)] : [scope]
}
