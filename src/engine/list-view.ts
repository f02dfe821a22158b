import type { Condition, Test } from './condition.ts'

/** A day by the server's calendar, counted back from today: `$today-7` is a week ago. */
export type DayWord = '$today' | `$today-${number}`

/** What a time is compared with: the beginning of a day, or now. */
type TimeTest = { readonly since: DayWord | '$now' } | { readonly before: DayWord | '$now' }

/** What a day is compared with: another day. */
type DayTest = { readonly since: DayWord } | { readonly before: DayWord }

/** What a number is compared with: another number, or a field of the same row; nothing stored counts as 0. */
type NumberTest = { readonly below: number | string } | { readonly atLeast: number | string }

/** What one field of a row has to be: as in a condition, `$caller` for whoever asks, a time before or since, or a number by its size. */
type ViewTest<V> =
  | Test<V>
  | (NonNullable<V> extends Date ? TimeTest : never)
  | (NonNullable<V> extends string ? DayTest : never)
  | (NonNullable<V> extends number ? NumberTest : never)

/** Which rows a named filter of a list has; every named field must pass its test. `{}` has all of them. */
export type ListView<Row = Record<string, string | number | null>> = { readonly [K in keyof Row]?: ViewTest<Row[K]> }

/** Named filters of a list, in the order in which they are shown. */
export type ListViews = Readonly<Record<string, ListView>>

/** Words by which a named filter says more of a field than a condition. */
const wider = ['since', 'before', 'below', 'atLeast'] as const

/** What a named filter says of a field where it says more than a condition. */
export function widerTest(test: unknown): { readonly word: (typeof wider)[number]; readonly of: unknown } | undefined {
  if (typeof test !== 'object' || test === null) return undefined
  const word = wider.find(one => one in test)
  return word && { word, of: (test as Readonly<Record<string, unknown>>)[word] }
}

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
  const tests = Object.entries(view).filter(([, test]) => widerTest(test) === undefined)
  return Object.fromEntries(tests.map(([name, test]) => [name, filled(test)])) as Condition
}
