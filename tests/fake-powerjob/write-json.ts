/** JSON as Java writes it: a `bigint` is a number of all its digits, which `JSON.stringify` cannot write. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_name, one: unknown) => (typeof one === 'bigint' ? `bigint:${one}` : one)).replace(
    /"bigint:(\d+)"/g,
    '$1',
  )
