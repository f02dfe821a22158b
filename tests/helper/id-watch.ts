import pg from 'pg'

/** Logs keep what a call carried whatever becomes of it, and the audit log asks whose it is. */
const isLog = (text: string) =>
  /insert into "?(log_|auditlog|audit_)|AS "targetType"|SELECT DISTINCT held\.name/i.test(text)

interface Config {
  text?: string
  values?: readonly unknown[]
}

function partsOf([first, second]: readonly unknown[]): { text: string; values: readonly unknown[] } {
  const { text = '', values } = (typeof first === 'string' ? { text: first } : (first ?? {})) as Config
  return { text, values: values ?? (Array.isArray(second) ? second : []) }
}

/** Ids as they are made up by tests that watch: 19 digits that begin with 79. */
const madeUp = /\b79\d{17}\b/g

/**
 * Watches which made-up ids reach the database, in the text or the values of a statement. What a server never looks up can
 * give nothing away; what it looks up must be asked for with the id of somebody else's row.
 */
export function watchIds(): { seen: ReadonlySet<string>; stop: () => void } {
  const seen = new Set<string>()
  const { query } = pg.Client.prototype
  function watched(this: pg.Client, ...args: never[]): unknown {
    const { text, values } = partsOf(args)
    if (!isLog(text)) for (const id of `${text} ${JSON.stringify(values)}`.match(madeUp) ?? []) seen.add(id)
    return (query as (...all: never[]) => unknown).apply(this, args)
  }
  pg.Client.prototype.query = watched as typeof query
  const stop = () => {
    pg.Client.prototype.query = query
  }
  return { seen, stop }
}
