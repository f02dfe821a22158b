const shanghai = 8 * 3600_000

/** An instant as it travels, `yyyy-MM-dd HH:mm:ss` in Shanghai; `""` for none. */
export const wireTime = (at: Date | null | undefined): string =>
  at ? new Date(at.getTime() + shanghai).toISOString().slice(0, 19).replace('T', ' ') : ''

/** Anything as it travels: instants as text, what is missing as `""`. Goes into lists and objects. */
export function wire(value: unknown): unknown {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return wireTime(value)
  if (Array.isArray(value)) return value.map(wire)
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, wire(one)]))
  }
  return value
}
