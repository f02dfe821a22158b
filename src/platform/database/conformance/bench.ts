import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'

/** A database answers otherwise than PostgreSQL does. */
export class Differs extends Error {
  override name = 'Differs'
}

/** What a probe works with: sessions in a schema of its own. */
export interface Bench {
  /** The schema, quoted as it needs to be. */
  readonly schema: string
  /** A session of its own, ended with the probe. @param more how it is connected besides */
  session(more?: pg.ClientConfig): Promise<Session>
}

/** A session in the schema of the probes. */
export interface Session {
  readonly client: pg.Client
  /** Sends a statement and answers its rows. */
  rows(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  /**
   * Sends a statement that must be refused with one of some codes.
   * @returns the refusal
   * @throws {Differs} when it is not refused, or otherwise
   */
  refused(codes: readonly string[], sql: string, values?: readonly unknown[]): Promise<pg.DatabaseError>
  end(): Promise<void>
}

/**
 * Opens sessions in a schema.
 * @param connection how the database is connected to
 * @returns opens one more; and ends all
 */
export function openBench(connection: pg.PoolConfig, schema: string): Bench & { end(): Promise<void> } {
  const open = new Set<pg.Client>()
  const Client = (connection.Client as typeof pg.Client | undefined) ?? pg.Client
  return {
    schema,
    async session(more = {}) {
      const client = new Client({ ...connection, application_name: 'juxian-check', ...more })
      client.on('error', () => {})
      open.add(client)
      await client.connect()
      if (!('replication' in more)) await client.query(`SET search_path TO ${schema}`)
      return sessionOf(client)
    },
    async end() {
      // One that waits for an answer is cut off.
      await Promise.allSettled([...open].map(client => client.end()))
      open.clear()
    },
  }
}

const sessionOf = (client: pg.Client): Session => ({
  client,
  async rows(sql, values = []) {
    return (await client.query(sql, [...values])).rows
  },
  async refused(codes, sql, values = []) {
    try {
      await client.query(sql, [...values])
    } catch (error) {
      const { code = '' } = error as pg.DatabaseError
      if (codes.includes(code)) return error as pg.DatabaseError
      if (!code) throw error
      throw new Differs(`is refused with ${code} instead of ${codes.join(' or ')}`)
    }
    throw new Differs(`is not refused with ${codes.join(' or ')}`)
  },
  end: () => client.end(),
})

/** @throws {Differs} when something is not as it must be */
export function agree(what: string, found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted))
    throw new Differs(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
}
