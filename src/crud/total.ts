import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import { batchQueries } from '../platform/database/batch-queries.ts'
import { compiled, type Fragment, statement } from './fragment.ts'

/** A total and the state of its table when it was counted. */
interface Total {
  readonly stamp: string
  readonly total: number
}

/** Totals a process remembers at most; the oldest goes first. */
const mostTotals = 2000

/** The sum that moves with every committed change of a table. */
const stampOf = (table: string) =>
  sql`(SELECT coalesce(sum(count), 0)::text FROM change_count WHERE "table" = ${table})`

/** A page somebody wants; whoever has the same key wants the same. */
interface WantedPage {
  table: string
  from: Fragment
  records: Fragment
  key: string
}

/** The rows of a page as JSON text, and how many there are in all. */
interface Page {
  total: number
  records: string
}

/** What a page statement answers; `total` is there when it was counted. */
interface PageRow {
  stamp: string
  records: string
  total: number | null
}

/**
 * Remembers totals of filtered lists. Each is kept with the change count of its table, read in the same statement, and holds
 * exactly while that count stands: what any process has committed is seen by the next list of every process.
 */
export class Totals {
  readonly #known = new Map<string, Total>()
  readonly #pool: pg.Pool
  /** The same page wanted by many at the same moment is read once. */
  readonly #shared: (wanted: WantedPage) => Promise<Page>

  constructor(pool: pg.Pool) {
    this.#pool = pool
    this.#shared = batchQueries(
      async wanted => {
        const [first] = wanted
        const page = first && this.#read(first)
        return Promise.all(wanted.map(() => page as Promise<Page>))
      },
      ({ key }) => key,
    )
  }

  /**
   * Reads the rows of a page and its total.
   * @param table name of the table, which must be the only one that the conditions read
   * @param from `FROM … WHERE …` of the list
   * @param records an expression that answers the page's rows as JSON text
   */
  read(table: string, from: Fragment, records: Fragment): Promise<Page> {
    const key = keyOf(records)
    return key === null ? this.#read({ table, from, records }) : this.#shared({ table, from, records, key })
  }

  async #read({ table, from, records }: Omit<WantedPage, 'key'>): Promise<Page> {
    const key = keyOf(from)
    const known = key === null ? undefined : this.#known.get(key)
    const count = known ? sql.raw('NULL::int') : sql`(SELECT count(*)::int ${from})`
    const { rows } = await this.#query<PageRow>(
      sql`SELECT ${stampOf(table)} AS stamp, ${count} AS total, ${records} AS records`,
    )
    const [row] = rows
    if (!row) throw new Error('A page statement answered no row.')
    const { stamp } = row
    if (known && known.stamp === stamp) return { total: known.total, records: row.records }
    const fresh = row.total === null ? await this.#count(table, from) : { stamp, total: row.total }
    if (key !== null) this.#keep(key, fresh)
    return { total: fresh.total, records: row.records }
  }

  async #count(table: string, from: Fragment): Promise<Total> {
    const { rows } = await this.#query<Total>(
      sql`SELECT ${stampOf(table)} AS stamp, (SELECT count(*)::int ${from}) AS total`,
    )
    return rows[0] as Total
  }

  #query<T extends pg.QueryResultRow>(fragment: Fragment): Promise<pg.QueryResult<T>> {
    return this.#pool.query<T>(statement(fragment))
  }

  #keep(key: string, total: Total): void {
    this.#known.delete(key)
    const [oldest] = this.#known.size >= mostTotals ? this.#known.keys() : []
    if (oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(key, total)
  }
}

/** Tells lists apart. Conditions that know the time hold for that moment only: null. */
function keyOf(fragment: Fragment): string | null {
  const { text, values } = compiled(fragment)
  return values.some(value => value instanceof Date) ? null : `${text}\n${JSON.stringify(values)}`
}

/** Counts of connections that are gone become one row; the sums stay as they are. */
const fold = `
  WITH gone AS (
    DELETE FROM change_count WHERE pid <> 0 AND pid NOT IN (SELECT pid FROM pg_stat_activity WHERE pid IS NOT NULL)
    RETURNING "table", count
  )
  INSERT INTO change_count ("table", pid, count) SELECT "table", 0, sum(count) FROM gone GROUP BY "table"
  ON CONFLICT ("table", pid) DO UPDATE SET count = change_count.count + excluded.count`

/** Any number that all processes share and nothing else uses. */
const foldLock = 811_000_031

/** Makes sure that every table of an entity is counted, now and with few rows to add up. */
export async function keepCounting(app: FastifyInstance): Promise<void> {
  await app.pool.query('SELECT count_changes()')
  const tidy = async () => {
    await app.db.transaction().execute(async trx => {
      const turn = sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(${foldLock}) AS mine`
      const { rows } = await turn.execute(trx)
      if (rows[0]?.mine) await sql.raw(fold).execute(trx)
    })
  }
  await tidy()
  const timer = setInterval(() => tidy().catch(err => app.log.warn({ err }, 'fold')), 600_000)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
