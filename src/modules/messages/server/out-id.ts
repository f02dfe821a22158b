import { type RawBuilder, sql } from 'kysely'

/** A message with how often it was tried anew. */
interface Tried {
  readonly id: string
  readonly retryNum: number | null
}

/** The number a message goes out under; each try has its own, so that a retry is not taken for a repetition. */
export const outId = ({ id, retryNum }: Tried): string => `${id}-${retryNum ?? 0}`

/** The message and its try, by the number that it went out under; null for numbers of others. */
export function readOutId(number: string): { id: string; retryNum: number } | null {
  const [, id, retryNum] = /^(\d+)-(\d+)$/.exec(number) ?? []
  return id === undefined ? null : { id, retryNum: Number(retryNum) }
}

/** {@link readOutId} in a statement: the id of the message, null for numbers of others. */
export const messageIdIn = (number: RawBuilder<string>): RawBuilder<string | null> =>
  sql`CASE WHEN ${number} ~ '^[0-9]{1,19}-[0-9]+$' THEN split_part(${number}, '-', 1)::bigint END`
