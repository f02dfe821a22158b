/** An id in a request: a positive 64-bit number as text. */
export const id = { type: 'string', pattern: '^([1-9][0-9]{0,17}|[1-8][0-9]{18})$' } as const

/** A query of exactly these parameters; the first ones may be required. */
export const query = (properties: Record<string, object>, required: readonly string[] = []) => ({
  querystring: { type: 'object', additionalProperties: false, properties, required },
})
