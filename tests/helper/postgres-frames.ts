/** A message of PostgreSQL's protocol, as it goes over the line. */
export interface Frame {
  /** One letter; empty for the first message of a connection, which has none. */
  type: string
  bytes: Buffer
}

/**
 * Cuts what arrives into messages.
 * @param isUntyped the first message has no letter, as the first of a client
 * @returns takes bytes, answers the messages that are whole by now
 */
export function frames(isUntyped: boolean): (bytes: Buffer) => Frame[] {
  let rest: Buffer = Buffer.alloc(0)
  let head = isUntyped ? 0 : 1
  return bytes => {
    rest = Buffer.concat([rest, bytes])
    const made: Frame[] = []
    while (rest.length >= head + 4 && rest.length >= head + rest.readInt32BE(head)) {
      const size = head + rest.readInt32BE(head)
      made.push({ type: rest.toString('latin1', 0, head), bytes: rest.subarray(0, size) })
      rest = rest.subarray(size)
      head = 1
    }
    return made
  }
}

/** A message with its letter and length. */
export function frame(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)))
  const head = Buffer.alloc(type.length + 4)
  head.write(type, 'latin1')
  head.writeInt32BE(body.length + 4, type.length)
  return Buffer.concat([head, body])
}

/** An error as a server sends it. */
export const errorFrame = (code: string, message: string): Buffer =>
  frame('E', `SERROR\0VERROR\0C${code}\0M${message}\0\0`)

/** Where the SQL stands in a message that has one. */
function sqlPlace({ type, bytes }: Frame): [start: number, end: number] | undefined {
  if (type === 'Q') return [5, bytes.indexOf(0, 5)]
  // Parse: the name of the statement stands before.
  if (type !== 'P') return undefined
  const start = bytes.indexOf(0, 5) + 1
  return [start, bytes.indexOf(0, start)]
}

/** The SQL in a message of a client, if it has any. */
export function sqlOf(one: Frame): string | undefined {
  const place = sqlPlace(one)
  return place && one.bytes.toString('utf8', ...place)
}

/** The same message with other SQL. */
export function withSql(one: Frame, sql: string): Buffer {
  const [start, end] = sqlPlace(one) ?? [5, 5]
  return frame(one.type, one.bytes.subarray(5, start), sql, one.bytes.subarray(end))
}
