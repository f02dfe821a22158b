/**
 * A value as it counts: texts trimmed and in Unicode's composed form, and `undefined` for what holds nothing. Nothing is
 * missing, null, blank text, a list or an object of which nothing is left. Blank and absent are the same everywhere because
 * every comparison and every form go through here.
 */
export function settled(value: unknown): unknown {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value.normalize('NFC').trim() || undefined
  if (Array.isArray(value)) {
    const list = value.map(settled).filter(one => one !== undefined)
    return list.length > 0 ? list : undefined
  }
  if (typeof value !== 'object' || value instanceof Date) return value
  const entries = Object.entries(value).flatMap(([name, one]) => {
    const kept = settled(one)
    return kept === undefined ? [] : [[name, kept] as const]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** True when nothing was entered, see {@link settled}. */
export const isBlank = (value: unknown): boolean => settled(value) === undefined

/** A value as text that is the same for equal values: the database keeps the keys of objects in an order of its own. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join()}}`
  }
  return JSON.stringify(value ?? null)
}

/** Scalars are compared as texts: a number reads `5` from a sheet and 5 from a form, a moment is its time. */
const comparable = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : Array.isArray(value)
      ? value.map(comparable)
      : typeof value === 'object' && value !== null && !(value instanceof Date)
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, comparable(one)]))
        : value

/** Whether two values say the same, whatever shape their blanks have. */
export const isSame = (one: unknown, other: unknown): boolean =>
  canonical(comparable(settled(one))) === canonical(comparable(settled(other)))
