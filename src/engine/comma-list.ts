/**
 * The members of a list that is written or sent as text joined by commas, or sent as a list: trimmed, without empty ones, in order.
 * @returns none of nothing
 */
export const commaList = (value: unknown): string[] =>
  (Array.isArray(value) ? value : String(value ?? '').split(',')).map(one => String(one).trim()).filter(Boolean)
