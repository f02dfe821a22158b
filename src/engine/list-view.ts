import type { Condition, Test } from './condition.ts'

/** A day by the server's calendar, counted back from today: `$today-7` is a week ago. */
export type DayWord = '$today' | `$today-${number}`

/** What one field of a row has to be: as in a condition, `$caller` for whoever asks, or a time since a day began. */
type ViewTest<V> = Test<V> | (NonNullable<V> extends Date ? { readonly since: DayWord } : never)

/** Which rows a named filter of a list has; every named field must pass its test. `{}` has all of them. */
export type ListView<Row = Record<string, string | number | null>> = { readonly [K in keyof Row]?: ViewTest<Row[K]> }

/** Named filters of a list, in the order in which they are shown. */
export type ListViews = Readonly<Record<string, ListView>>

/** What a named filter says of a field where it says more than a condition. */
export const sinceOf = (test: unknown): string | undefined =>
  typeof test === 'object' && test !== null && 'since' in test ? String(test.since) : undefined

/** How many days ago a {@link DayWord} is; undefined for what is none. */
export function daysAgo(word: string): number | undefined {
  const found = /^\$today(?:-(\d{1,4}))?$/.exec(word)
  return found ? Number(found[1] ?? 0) : undefined
}

/** Whether a named filter limits nothing. */
export const isEveryRow = (view: ListView | undefined): boolean => Object.keys(view ?? {}).length === 0

/** Name of the filter that a list opens with; undefined where it opens with all its rows. */
export function firstView({ views }: { readonly views: ListViews }): string | undefined {
  const [first] = Object.entries(views)
  return first && !isEveryRow(first[1]) ? first[0] : undefined
}

/** The part of a named filter that is a condition like any other, for whoever asks. */
export function plainTests(view: ListView, caller: string | null): Condition {
  const word = (value: unknown): unknown => (value === '$caller' ? caller : value)
  const filled = (test: unknown): unknown => {
    if (Array.isArray(test)) return test.map(word)
    if (typeof test === 'object' && test !== null && 'not' in test) return { not: filled(test.not) }
    return word(test)
  }
  const tests = Object.entries(view).filter(([, test]) => sinceOf(test) === undefined)
  return Object.fromEntries(tests.map(([name, test]) => [name, filled(test)])) as Condition
}
