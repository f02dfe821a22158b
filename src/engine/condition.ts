type Scalar = string | number | null

/** What one field must be: a value, any of several values, or anything but a value or values. `null` means empty. */
export type Test<V = Scalar> = V | readonly V[] | { readonly not: V | readonly V[] }

/**
 * A condition on a row, as data: every named field must pass its test. It hides a button in the browser and makes the
 * server refuse, both from the same object.
 */
export type Condition<Row = Record<string, Scalar>> = { readonly [K in keyof Row]?: Test<Row[K]> }

const among = (value: unknown, of: unknown): boolean =>
  Array.isArray(of)
    ? of.some(one => among(value, one))
    : value === of || ((value === undefined || value === '') && of === null)

const isAny = (value: unknown, of: unknown): boolean =>
  Array.isArray(value) ? value.some(one => among(one, of)) : among(value, of)

/**
 * Whether a row meets a condition. A missing value and an empty text count as `null`; a list is what any of its members
 * is.
 */
export function matches(row: Readonly<Record<string, unknown>>, condition: Condition | undefined): boolean {
  return Object.entries(condition ?? {}).every(([field, test]) => {
    if (typeof test === 'object' && test !== null && 'not' in test) return !isAny(row[field], test.not)
    return isAny(row[field], test)
  })
}
