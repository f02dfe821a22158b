import pg from 'pg'
import { clientBeside } from './hosts.ts'

/** Settings of a session, by their names, as `SHOW` gives them. */
type Settings = Readonly<Record<string, string>>

/**
 * A connection whose statements have no names: behind a pooler in transaction mode the next statement may meet another session,
 * which does not know the name, or knows another statement by it.
 */
export class Unnamed extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const query = this.query.bind(this) as (...given: unknown[]) => unknown
    const unnamed = (first: unknown, ...rest: unknown[]) => {
      const isNamed = typeof first === 'object' && first !== null && 'name' in first && !('submit' in first)
      return query(isNamed ? { ...first, name: undefined } : first, ...rest)
    }
    this.query = unnamed as typeof this.query
  }
}

/** What a pool of {@link Unnamed} clients is opened with besides: a pooler takes no options of a session. */
export const throughPooler: pg.PoolConfig = { options: undefined }

/** Guards the settings of a role: PostgreSQL refuses to change them in two sessions at once. */
const settingsLock = 811_000_006

/**
 * Makes settings those with which sessions of our role in this database begin, which are all that the pooler opens from then on.
 * @param direct leads past the pooler
 */
export async function setForRole(direct: pg.Pool, settings: Settings): Promise<void> {
  const client = await direct.connect()
  try {
    const name = (text: string) => client.escapeIdentifier(text)
    await client.query('BEGIN')
    await client.query(`SET LOCAL lock_timeout = '1min'`)
    await client.query('SELECT pg_advisory_xact_lock($1)', [settingsLock])
    const { rows } = await client.query<{ database: string }>('SELECT current_database() AS database')
    for (const [setting, value] of Object.entries(settings))
      await client.query(
        `ALTER ROLE CURRENT_USER IN DATABASE ${name(rows[0]?.database ?? '')} SET ${name(setting)} = ${client.escapeLiteral(value)}`,
      )
    await client.query('COMMIT')
  } finally {
    // A transaction that failed goes with its connection.
    client.release(true)
  }
}

/**
 * Makes sure that sessions of the pooler have the settings of the role.
 * @param pool leads through the pooler
 * @throws with what to do when it has sessions from before {@link setForRole}, which have other settings
 */
export async function requireSettings(pool: pg.Pool, settings: Settings): Promise<void> {
  const names = Object.keys(settings)
  const { rows } = await pool.query<{ name: string; value: string }>(
    'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name',
    [names],
  )
  const wrong = rows.filter(({ name, value }) => value !== settings[name])
  if (wrong.length === 0) return
  const found = wrong.map(({ name, value }) => `${name} is ${value} instead of ${settings[name]}`).join(', ')
  throw new Error(
    `Sessions of the pooler at DATABASE_URL were opened before their settings were made: ${found}. Say RECONNECT at the console of the pooler, and start again.`,
  )
}

/** What is to be set where one of the two addresses leads to a pooler in transaction mode. */
const cures = {
  DATABASE_URL: 'set DATABASE_DIRECT_URL to the address of the same database past the pooler',
  DATABASE_DIRECT_URL: 'set it to the address of the same database past the pooler',
} as const

/**
 * Makes sure that statements of one connection meet one session.
 * @param variable which names where the pool leads
 * @throws when there is a pooler in transaction mode, with what to set
 */
export async function requireSessions(pool: pg.Pool, variable: keyof typeof cures = 'DATABASE_URL'): Promise<void> {
  const unannounced = (cause?: Error): Error =>
    new Error(`${variable} leads to a pooler in transaction mode: ${cures[variable]}.`, { cause })
  const one = await pool.connect().catch((error: Error) => {
    // Some poolers in transaction mode take no options of a session at all.
    throw /unsupported startup parameter/.test(error.message) ? unannounced(error) : error
  })
  // Beside the pool, which may have no room for another.
  const other = clientBeside(pool)
  other.on('error', () => {})
  try {
    await other.connect()
    const pid = async () => (await one.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
    const pids = new Set([await pid()])
    await other.query('BEGIN')
    try {
      // Poolers that give each transaction the session which has waited for longest may come back to the first.
      for (let n = 0; n < 3; n++) pids.add(await pid())
    } finally {
      await other.query('ROLLBACK')
    }
    if (pids.size === 1) return
  } finally {
    one.release()
    other.end().catch(() => {})
  }
  throw unannounced()
}
