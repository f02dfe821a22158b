import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import { batchQueries } from '../platform/database/batch-queries.ts'
import { inBackground } from '../platform/database/request-transaction.ts'
import { compiled, type Fragment, identityOf, join, statement } from './fragment.ts'

/** A total and the state of its table when it was counted. */
interface Total {
  readonly stamp: string
  readonly total: number
}

/** A list whose rows are counted by several conditions at once. */
export interface CountedList {
  /** Name of the table. */
  readonly table: string
  /** `FROM … WHERE …` of the list. */
  readonly from: Fragment
  /** What is counted: together in one look through the list, or apart where an index finds the few rows that meet it. */
  readonly of: readonly { readonly condition: Fragment; readonly isApart: boolean }[]
}

/** The numbers of rows that meet each of some conditions, and the state of the table when they were counted. */
interface Counts {
  readonly stamp: string
  readonly counts: readonly number[]
}

/** Totals a process remembers at most; the oldest goes first. */
const mostTotals = 2000

/** What a page is a part of. */
export interface Listed {
  /** Name of the table, which must be the only one that the conditions read. */
  readonly table: string
  /** Whose rows the conditions leave; null where the rows belong to the whole installation. */
  readonly tenantId: string | null
  /** Whether they are all living rows of the tenant, or of the installation. */
  readonly isWhole: boolean
  /** Whether one plan suits the list whatever values it is filtered by. */
  readonly isExact: boolean
  /** `FROM … WHERE …` of the list. */
  readonly from: Fragment
  /** A query that answers the ids of the page, in its order. */
  readonly ids: Fragment
}

/** A page: which rows stand on it, and how many there are in all. */
export interface Page {
  readonly total: number
  readonly ids: readonly string[]
}

/** What a page statement answers; `total` is there when it was counted. */
interface PageRow {
  stamp: string
  /** The text of an array. */
  ids: string
  total: number | null
}

/** The sum that moves with every committed change of a table. */
const stampOf = ({ table }: Pick<Listed, 'table'>): Fragment =>
  sql`SELECT coalesce(sum(count), 0)::text AS stamp FROM change_count WHERE "table" = ${table}`

/** The ids of a page as the text of an array, and that text read. */
const idsOf = ({ ids }: Listed): Fragment => sql`ARRAY(${ids})::text`
const listOf = (text: string): readonly string[] => (text === '{}' ? [] : text.slice(1, -1).split(','))

/** How many rows live, as their table has it kept; counted where it was not yet counted. */
function livingOf({ table, tenantId, from }: Listed): Fragment {
  const ofTenant = tenantId === null ? sql`` : sql`AND "tenantId" = ${tenantId}`
  return sql`(CASE WHEN EXISTS (SELECT FROM counted_table WHERE "table" = ${table})
    THEN (SELECT coalesce(sum(living), 0) FROM living_count WHERE "table" = ${table} ${ofTenant})
    ELSE (SELECT count(*) ${from}) END)::int`
}

/**
 * Totals of lists. That of a whole list is kept by its table. Those of filtered lists are remembered, each with the change count
 * of its table, read in the same statement, and hold exactly while that count stands: what any process has committed is seen by
 * the next list of every process.
 */
export class Totals {
  readonly #known = new Map<string, Total>()
  readonly #counts = new Map<string, Counts>()
  /** Counts under way: who wants the same meanwhile does not begin another. */
  readonly #counting = new Map<string, Promise<Total>>()
  readonly #pool: pg.Pool
  /** The same page wanted by many at the same moment is read once. */
  readonly #shared: (wanted: Listed & { key: string }) => Promise<Page>

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

  /** Reads which rows stand on a page, and its total. */
  read(listed: Listed): Promise<Page> {
    const key = keyOf(listed.ids)
    return key === null ? this.#read(listed) : this.#shared({ ...listed, key })
  }

  #read(wanted: Listed): Promise<Page> {
    if (wanted.isWhole) return this.#whole(wanted)
    const key = keyOf(wanted.from)
    return key === null ? this.#once(wanted) : this.#filtered(wanted, key)
  }

  #whole(wanted: Listed): Promise<Page> {
    return this.#page(wanted, sql`SELECT ${livingOf(wanted)} AS total, ${idsOf(wanted)} AS ids`)
  }

  /** Conditions that hold for this moment only: nothing is remembered. */
  #once(wanted: Listed): Promise<Page> {
    return this.#page(wanted, sql`SELECT (SELECT count(*)::int ${wanted.from}) AS total, ${idsOf(wanted)} AS ids`)
  }

  async #filtered(wanted: Listed, key: string): Promise<Page> {
    const counting = this.#counting.get(key)
    if (!counting) return this.#counted(wanted, key)
    const { stamp, ids } = this.#one(
      await this.#query<PageRow>(
        wanted,
        sql`SELECT s.stamp, NULL::int AS total, ${idsOf(wanted)} AS ids FROM (${stampOf(wanted)}) s`,
      ),
    )
    // A count that began before is of use when nothing has changed since.
    const other = await counting.catch(() => undefined)
    for (const one of [other, this.#known.get(key)])
      if (one?.stamp === stamp) return { total: one.total, ids: listOf(ids) }
    return this.#counted(wanted, key)
  }

  /** Reads a page, and counts in the same statement unless the table is as it was. */
  async #counted(wanted: Listed, key: string): Promise<Page> {
    const known = this.#known.get(key)
    const row = this.#query<PageRow>(
      wanted,
      sql`SELECT s.stamp, CASE WHEN s.stamp = ${known?.stamp ?? ''} THEN NULL ELSE (SELECT count(*)::int ${wanted.from}) END AS total,
        ${idsOf(wanted)} AS ids FROM (${stampOf(wanted)}) s`,
    ).then(result => this.#one(result))
    const count = row.then(({ stamp, total }): Total => ({ stamp, total: total ?? known?.total ?? 0 }))
    this.#counting.set(key, count)
    try {
      const fresh = await count
      if (fresh.stamp !== known?.stamp) this.#keep(key, fresh)
      return { total: fresh.total, ids: listOf((await row).ids) }
    } finally {
      if (this.#counting.get(key) === count) this.#counting.delete(key)
    }
  }

  /** How many rows of a list meet each of some conditions: one statement, and none beyond the stamp while the table is as it was. */
  async counts({ table, from, of }: CountedList): Promise<readonly number[]> {
    const together = of.flatMap(({ condition, isApart }) => (isApart ? [] : [condition]))
    const each = of.map(({ condition, isApart }) =>
      isApart
        ? sql`(SELECT count(*) ${from} AND ${condition})`
        : sql.raw(`g.counts[${together.indexOf(condition) + 1}]`),
    )
    const filtered = join(
      together.map(condition => sql`count(*) FILTER (WHERE ${condition})`),
      ', ',
    )
    const group = together.length > 0 ? sql`FROM (SELECT ARRAY[${filtered}] AS counts ${from}) g` : sql``
    const counted = sql`(SELECT ARRAY[${join(each, ', ')}]::int[] ${group})`
    const key = keyOf(counted)
    const known = key === null ? undefined : this.#counts.get(key)
    const row = this.#one(
      await this.#pool.query<{ stamp: string; counts: number[] | null }>(
        compiled(sql`SELECT s.stamp, CASE WHEN s.stamp = ${known?.stamp ?? ''} THEN NULL ELSE ${counted} END AS counts
          FROM (${stampOf({ table })}) s`),
      ),
    )
    const counts = row.counts ?? known?.counts ?? []
    if (key !== null && row.counts) remember(this.#counts, key, { stamp: row.stamp, counts })
    return counts
  }

  async #page(wanted: Listed, fragment: Fragment): Promise<Page> {
    const { total, ids } = this.#one(await this.#query<{ total: number; ids: string }>(wanted, fragment))
    return { total, ids: listOf(ids) }
  }

  #one<T extends pg.QueryResultRow>({ rows }: pg.QueryResult<T>): T {
    const [row] = rows
    if (!row) throw new Error('A page statement answered no row.')
    return row
  }

  /** Without a name a statement is planned for its values. */
  #query<T extends pg.QueryResultRow>({ isExact }: Listed, fragment: Fragment): Promise<pg.QueryResult<T>> {
    return this.#pool.query<T>(isExact ? statement(fragment) : compiled(fragment))
  }

  #keep(key: string, total: Total): void {
    remember(this.#known, key, total)
  }
}

function remember<One>(known: Map<string, One>, key: string, one: One): void {
  known.delete(key)
  const [oldest] = known.size >= mostTotals ? known.keys() : []
  if (oldest !== undefined) known.delete(oldest)
  known.set(key, one)
}

/** Tells lists apart. Conditions that know the time hold for that moment only: null. */
function keyOf(fragment: Fragment): string | null {
  const { text, values } = identityOf(fragment)
  return values.some(value => value instanceof Date) ? null : `${text}\n${JSON.stringify(values)}`
}

/** Shares of connections that are gone become one row; the sums stay as they are. */
const foldOf = (table: string, key: string, sum: string): string => `
  WITH gone AS (
    DELETE FROM ${table} WHERE pid <> 0 AND pid NOT IN (SELECT pid FROM pg_stat_activity WHERE pid IS NOT NULL)
    RETURNING ${key}, ${sum}
  )
  INSERT INTO ${table} AS c (${key}, pid, ${sum}) SELECT ${key}, 0, sum(${sum}) FROM gone GROUP BY ${key}
  ON CONFLICT (${key}, pid) DO UPDATE SET ${sum} = c.${sum} + excluded.${sum}`

const folds = [foldOf('change_count', '"table"', 'count'), foldOf('living_count', '"table", "tenantId"', 'living')]

/** Any number that all processes share and nothing else uses. */
const foldLock = 811_000_031

/** Adds up the shares of connections that are gone; one process at a time. */
async function fold({ db }: Pick<FastifyInstance, 'db'>): Promise<void> {
  await db.transaction().execute(async trx => {
    const turn = sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(${foldLock}) AS mine`
    const { rows } = await turn.execute(trx)
    if (rows[0]?.mine) for (const one of folds) await sql.raw(one).execute(trx)
  })
}

/** Counts the rows of tables that were not counted yet, each by itself: a large one takes its time, and is counted by its lists until then. */
async function countLiving({ db }: Pick<FastifyInstance, 'db'>): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT uncounted_tables() AS name`.execute(db)
  for (const { name } of rows)
    await db.transaction().execute(async trx => void (await sql`SELECT count_living(${name})`.execute(trx)))
}

/** Counts what was not counted yet, and adds up the shares of connections that are gone. */
export const tidyCounts = (app: Pick<FastifyInstance, 'db'>): Promise<void> =>
  inBackground(async () => {
    await countLiving(app)
    await fold(app)
  })

/** Makes sure that every table of an entity is counted, now and with few rows to add up. */
export async function keepCounting(app: FastifyInstance): Promise<void> {
  await app.pool.query('SELECT count_changes()')
  const tidy = () => tidyCounts(app).catch(err => app.log.warn({ err }, 'counts'))
  // Nobody waits for it: what is not counted yet is counted by each list.
  let last = tidy()
  const timer = setInterval(() => {
    last = tidy()
  }, 600_000)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await app.finish('the count of rows', last)
  })
}
