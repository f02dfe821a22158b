/** Escapes of JSON that stand for NUL or for half of a character. */
const suspicious = /\\u(?:0000|d[89a-f])/i

/** Whether a text can be stored: PostgreSQL takes neither NUL nor half of a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** A text with what cannot be stored left out or replaced. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Whether a body of JSON may hold such a text: a body that does not is not walked. */
const isSuspicious = (json: string): boolean => suspicious.test(json)

/** A text that holds JSON, as forms with files send it, is read by whoever takes it: what is in it counts too. */
function insideOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || !isSuspicious(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a list or an object holds, by name; a list's own numbers name nothing. */
const partsOf = (value: object): (readonly [name: string, one: unknown])[] =>
  Array.isArray(value) ? value.map(one => ['', one] as const) : Object.entries(value)

/** Name of the first value, at any depth, that cannot be stored, as `outer.inner`; undefined when all can. */
export function unstorableIn(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (!isStorable(value)) return ''
    const inside = insideOf(value)
    return inside === undefined ? undefined : unstorableIn(inside)
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return undefined
  for (const [name, one] of partsOf(value)) {
    const found = isStorable(name) ? unstorableIn(one) : ''
    if (found !== undefined) return [storable(name), found].filter(Boolean).join('.')
  }
  return undefined
}
