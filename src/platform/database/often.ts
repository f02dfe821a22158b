import { sql } from 'kysely'
import type pg from 'pg'

const mark = '/* often */'

/**
 * Stands at the end of a statement that is asked often and whose text is always the same: PostgreSQL parses it once for each
 * connection, and plans it once where one plan serves all values. Not for statements that answer `*`: what that is changes while an
 * older program still asks.
 */
export const often = sql.raw(mark)

const names = new Map<string, string>()

/** Texts that are kept at most, so that texts which are not always the same cannot fill a connection's memory. */
const mostNames = 200

/** The name under which a text is prepared; undefined where it is not to be. @throws for a text that answers `*` */
function nameOf(text: string): string | undefined {
  if (!text.endsWith(mark)) return undefined
  const known = names.get(text)
  if (known || names.size >= mostNames) return known
  if (/\bselect \*|\.\*|\breturning \*/i.test(text))
    throw new Error(`This statement answers *, so it cannot be prepared: ${text}`)
  const name = `often_${names.size}`
  names.set(text, name)
  return name
}

/** A statement that is asked {@link often}, for whoever asks a pool itself. */
export const oftenAsked = (text: string, values: unknown[]): pg.QueryConfig => asSent(`${text} ${mark}`, values)

/** A statement as the driver takes it: under a name where it is marked as asked {@link often}. */
export function asSent(text: string, values?: unknown[]): pg.QueryConfig {
  const name = nameOf(text)
  return { ...(name && { name }), text, ...(values && { values }) }
}
