const shanghai = 8 * 3600_000

/** An instant on the wire, `yyyy-MM-dd HH:mm:ss` in Shanghai; `""` for none. */
export const wireTime = (at: Date | null | undefined): string =>
  at ? new Date(at.getTime() + shanghai).toISOString().slice(0, 19).replace('T', ' ') : ''

/** Today's date in Shanghai, `yyyy-MM-dd`. */
export const wireDay = (at: Date): string => wireTime(at).slice(0, 10)

/** The first instant of a day in Shanghai. */
export const startOfDay = (at: Date): Date => new Date(`${wireDay(at)}T00:00:00+08:00`)

/** Anything on the wire: instants as text, what is missing as `""`. Goes into lists and objects. */
export function wire(value: unknown): unknown {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return wireTime(value)
  if (Array.isArray(value)) return value.map(wire)
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, wire(one)]))
  }
  return value
}

/** Reads an instant of a query, `yyyy-MM-dd HH:mm:ss` or a date; null when it is none. */
export function readTime(text: string | undefined): Date | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/.test(text)) return null
  const at = new Date(`${text.slice(0, 10)}T${text.slice(11) || '00:00:00'}+08:00`)
  return Number.isNaN(at.getTime()) ? null : at
}
