import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { programVersion } from '../config/config.ts'
import { type Queryable, readFound } from './found.ts'
import { clientBeside } from './hosts.ts'
import { reasonsAgainstOlder } from './older.ts'
import { type Difference, planLists, planRules, planTables, requiredName, restingClasses } from './plan.ts'
import { planUnused } from './unused.ts'
import { quoteName, type WantedTable } from './wanted.ts'

/** Tables that are made from definitions. */
export type TableSet = readonly WantedTable[]

/** How a database is brought to what the definitions say. */
export interface MigrateOptions {
  /** Bytes: indexes and rules of larger tables are made beside the work of others. */
  big?: number
  /** Brings the database back to the definitions of a program that it followed before those of a newer one. */
  evenOlder?: boolean
  /** Called with the rules that older rows break; such a rule is not added. */
  tell?: (difference: Difference) => void
}

/**
 * What became of a database: `changed`, `same` when nothing was to be done, or `newer`: a newer program has changed it since, in ways
 * that this one can work with, so nothing was done.
 */
export type Outcome = 'changed' | 'same' | 'newer'

/** A database cannot be brought to what the definitions say before somebody decides. */
class SchemaRefusal extends Error {
  override name = 'SchemaRefusal'
}

/** Any number that all processes share and nothing else uses. */
const migrationLock = 811_000_001

const bigTable = 64 * 1024 * 1024

/** Tables of one channel stand in its folder. */
const files = import.meta.glob<string>(['./migrations/*.sql', '../channels/*/*/*.sql'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const migrations = Object.entries(files)
  .map(([path, sql]) => ({ name: path.replace(/^.*\//, '').replace(/\.sql$/, ''), sql }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

const hashes = new WeakMap<TableSet, string>()

/** The digest of definitions and numbered files, which a database keeps that follows them. */
export function hashOf(tables: TableSet): string {
  const known = hashes.get(tables)
  if (known !== undefined) return known
  const hash = createHash('sha256')
    .update(JSON.stringify([tables, migrations]))
    .digest('hex')
  hashes.set(tables, hash)
  return hash
}

/**
 * Brings the database to what this program expects, under a lock that several starting processes respect. SQL files named
 * `NNN-what.before.sql` run before the tables of the entities are made (renames, functions used in defaults), files named
 * `NNN-what.sql` after (tables of our own, back-fills). All that is one transaction, undone as a whole when something is
 * refused. Indexes and rules of big tables follow, one by one. Nothing happens when nothing changed, nor when a newer program has changed
 * the tables in ways that leave this one working.
 * @throws {SchemaRefusal} when a newer program has changed the database otherwise, or it differs in a way that somebody must decide on
 */
export async function migrate(pool: pg.Pool, tables: TableSet, options: MigrateOptions = {}): Promise<Outcome> {
  const hash = hashOf(tables)
  const done = doneOf(await readState(pool), hash, options)
  if (done) return done
  // Settings of this work are not for those who have the connections of the pool.
  const client = clientBeside(pool, { query_timeout: 0, connectionTimeoutMillis: 60_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('SET statement_timeout = 0')
    await lock(client)
    const state = await readState(client)
    const doneMeanwhile = doneOf(state, hash, options)
    if (doneMeanwhile) return doneMeanwhile
    refuseNewer(state, hash, options)
    const { slow, changed } = await inTransaction(client, () => applyAtOnce(client, tables, state, options))
    for (const sql of slow) await runAlone(client, sql)
    if (state.hash !== hash) await remember(client, hash)
    return changed || slow.length > 0 || state.hash !== hash ? 'changed' : 'same'
  } finally {
    await client.end()
  }
}

/**
 * Drops the columns and tables that no definition asks for any more and that hold nothing; programs older than this one, which may
 * know them, cannot start on the database afterwards.
 * @returns what was dropped
 * @throws {SchemaRefusal} when the database is not as this program's definitions say
 */
export async function dropUnused(pool: pg.Pool, tables: TableSet): Promise<readonly Difference[]> {
  const client = clientBeside(pool, { query_timeout: 0, connectionTimeoutMillis: 60_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('SET statement_timeout = 0')
    await lock(client)
    return await inTransaction(client, () => dropWithin(client, tables))
  } finally {
    await client.end()
  }
}

async function dropWithin(client: pg.ClientBase, tables: TableSet): Promise<readonly Difference[]> {
  const hash = hashOf(tables)
  if ((await readState(client)).hash !== hash)
    throw new SchemaRefusal(
      'The database is not as this program has it: nothing was dropped. Run `npm run schema -- apply` first.',
    )
  const names = tables.map(({ name }) => name)
  const planning = async () => ({ on: client, tables, big: Infinity, found: await readFound(client, names) })
  const locks = (await planUnused(await planning())).map(
    ({ table }) => `LOCK TABLE ${quoteName(table)} IN ACCESS EXCLUSIVE MODE`,
  )
  if (locks.length === 0) return []
  await client.query([...new Set(locks)].join(';\n'))
  // What a server has written until now is seen by this second look.
  const unused = await planUnused(await planning())
  if (unused.length === 0) return []
  await client.query(unused.flatMap(({ sql }) => sql).join(';\n'))
  // Indexes that only keys of dropped tables needed.
  await run(client, await planTables(await planning()))
  await client.query('UPDATE schema_past SET "goesOn" = false WHERE hash <> $1', [hash])
  return unused
}

/**
 * Waits for the lock by asking: a statement that waits would itself be waited for by an index that is built beside the work of
 * others.
 */
async function lock(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [migrationLock])
    if (rows[0]?.mine) return
    await sleep(100)
  }
}

/** What the database remembers of programs that have changed it. */
interface State {
  /** Digest of the definitions and files that it was brought to last. */
  hash?: string
  /** Version of the program that brought it there, where that is kept. */
  program?: string
  /** Digests of all that it was ever brought to, and whether a program with these definitions can work with it as it is. */
  past: ReadonlyMap<string, boolean>
  /** Names of the files that have run. */
  files: ReadonlySet<string>
  /** Rules that rows of before break. */
  open: ReadonlySet<string>
}

/**
 * Whether a database has been brought to what this program expects, by itself or by one before a newer one: a process that runs
 * already serves on until it is replaced.
 * @param hash of this program's definitions, see {@link hashOf}
 */
export async function fits(on: Queryable, hash: string): Promise<boolean> {
  const { past, ...state } = await readState(on)
  return state.hash === hash || past.has(hash)
}

/** What a start finds done already, if anything. */
function doneOf(
  state: State,
  hash: string,
  { evenOlder }: MigrateOptions = {},
): Exclude<Outcome, 'changed'> | undefined {
  if (state.hash === hash) return state.open.size === 0 ? 'same' : undefined
  return state.past.get(hash) && !evenOlder ? 'newer' : undefined
}

async function readState(on: Queryable): Promise<State> {
  const { rows } = await on.query<{ one: boolean; both: boolean }>(
    `SELECT to_regclass('migration') IS NOT NULL AS one, to_regclass('schema_open') IS NOT NULL AS both`,
  )
  if (!rows[0]?.one) return { past: new Map(), files: new Set(), open: new Set() }
  const ran = await on.query<{ name: string; hash: string }>('SELECT name, hash FROM migration')
  const hash = ran.rows.find(({ name }) => name === 'definitions')?.hash
  const ask = async <Row extends object>(sql: string) => (rows[0]?.both ? (await on.query<Row>(sql)).rows : [])
  // The columns `goesOn` and `program` came after the table.
  const past = await ask<{ hash: string; goesOn?: boolean; program?: string | null }>('SELECT * FROM schema_past')
  const program = past.find(one => one.hash === hash)?.program
  const open = await ask<{ rule: string }>('SELECT rule FROM schema_open')
  return {
    ...(hash !== undefined && { hash }),
    ...(program && { program }),
    past: new Map(past.map(one => [one.hash, one.goesOn === true])),
    files: new Set(ran.rows.map(({ name }) => name)),
    open: new Set(open.map(({ rule }) => rule)),
  }
}

/** @throws {SchemaRefusal} when a newer program has changed the database */
function refuseNewer(state: State, hash: string, { evenOlder }: MigrateOptions): void {
  const known = new Set(migrations.map(({ name }) => name))
  const theirs = state.program ? `, which version ${state.program} has changed last` : ''
  const older = `This program, version ${programVersion}, is older than the database${theirs}`
  const unknown = [...state.files].filter(name => /^\d{3}-/.test(name) && !known.has(name)).sort()
  if (unknown.length > 0)
    throw new SchemaRefusal(
      `${older}: a newer one has run ${unknown.join(', ')}, which this one does not have. Start the newer program, or restore a backup from before it.`,
    )
  if (state.hash !== hash && state.past.has(hash) && !evenOlder)
    throw new SchemaRefusal(
      `${older}: its tables were as this program has them, and a newer program has since changed them in ways that this one cannot work with. Start the newer program; if this one is meant, run \`npm run schema -- apply --older\` once.`,
    )
}

/**
 * Milliseconds that a statement waits for a lock. Others wait behind it meanwhile, so it gives up before anybody is refused, and
 * before the database looks for a deadlock and ends one of them.
 */
const lockWait = 200
/** How often a transaction that found a table locked is tried again, and after how many milliseconds. */
const tries = 60
const pause = 500

async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      await client.query('BEGIN')
      await client.query(`SET LOCAL lock_timeout = ${lockWait}`)
      const done = await work()
      await client.query('COMMIT')
      return done
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      if ((error as { code?: string }).code !== '55P03' || left <= 1) throw error
      await sleep(pause)
    }
  }
}

/** Everything that is done in one transaction; answers the statements that must follow by themselves. */
async function applyAtOnce(
  client: pg.ClientBase,
  tables: TableSet,
  state: State,
  { big = bigTable, evenOlder, tell }: MigrateOptions,
): Promise<{ slow: string[]; changed: boolean }> {
  await client.query(`CREATE TABLE IF NOT EXISTS migration (
    name varchar(100) PRIMARY KEY, hash varchar(64) NOT NULL, "time" timestamptz NOT NULL DEFAULT now())`)
  const waiting = migrations.filter(({ name }) => !state.files.has(name))
  for (const one of waiting) if (one.name.endsWith('.before')) await runFile(client, one)
  const names = tables.map(({ name }) => name)
  const against = reasonsAgainstOlder({
    found: await readFound(client, names),
    tables,
    open: state.open,
    files: waiting.map(({ sql }) => sql),
  })
  const planning = async () => ({ on: client, tables, big, found: await readFound(client, names) })
  const structure = await planTables(await planning())
  await run(client, structure)
  for (const one of waiting) if (!one.name.endsWith('.before')) await runFile(client, one)
  const rules = await planRules(await planning(), state)
  await run(client, rules)
  const open = rules.filter(one => one.class === 'open')
  for (const one of open) tell?.(one)
  const stillOpen = open.map(openName)
  await client.query('DELETE FROM schema_open WHERE NOT rule = ANY($1)', [stillOpen])
  await client.query('INSERT INTO schema_open (rule) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [stillOpen])
  // Known before the first slow statement: one that is interrupted there has changed the tables, too.
  if (evenOlder || against.length > 0) await client.query('UPDATE schema_past SET "goesOn" = false')
  const all = [...structure, ...rules]
  return {
    slow: all.filter(one => one.class === 'slow').flatMap(({ sql }) => sql),
    changed: waiting.length > 0 || all.some(one => one.class === 'safe'),
  }
}

/** How an open rule is remembered: a constraint by its name, a required column by table and column. */
const openName = ({ table, name }: Difference): string =>
  name && /^[cf]_/.test(name) ? name : requiredName(table, name ?? '')

/** @throws {SchemaRefusal} naming everything that somebody must decide on */
async function run(client: pg.ClientBase, differences: readonly Difference[]): Promise<void> {
  const refused = differences.filter(one => one.class === 'refused')
  if (refused.length > 0)
    throw new SchemaRefusal(
      ['The database cannot follow the definitions. Nothing was changed.', ...refused.map(sentence)].join('\n'),
    )
  const sql = differences.filter(one => one.class !== 'slow').flatMap(one => one.sql)
  if (sql.length > 0) await client.query(sql.join(';\n'))
}

/** A difference as a line to read. */
export const sentence = ({ table, name, says }: Difference): string => `${name ? `${table}.${name}` : table}: ${says}`

/** One statement outside a transaction. An index may wait for as long as it must, since nobody waits for it. */
async function runAlone(client: pg.ClientBase, sql: string): Promise<void> {
  for (let left = tries; ; left--) {
    try {
      await client.query(`SET lock_timeout = ${sql.includes('CONCURRENTLY') ? 0 : lockWait}`)
      await client.query(sql)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03' || left <= 1)
        throw new Error(`${(error as Error).message}\n${sql}\nThe next start goes on from here.`, { cause: error })
      await sleep(pause)
    }
  }
}

async function remember(client: pg.ClientBase, hash: string): Promise<void> {
  await client.query(
    `INSERT INTO migration (name, hash) VALUES ('definitions', $1)
     ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, "time" = now()`,
    [hash],
  )
  await client.query(
    `INSERT INTO schema_past (hash, "goesOn", program) VALUES ($1, true, $2)
     ON CONFLICT (hash) DO UPDATE SET "goesOn" = true, "time" = now(), program = excluded.program`,
    [hash, programVersion],
  )
}

async function runFile(client: pg.ClientBase, { name, sql }: { name: string; sql: string }): Promise<void> {
  try {
    await client.query(sql)
  } catch (error) {
    const told = new Error(`Migration ${name}.sql failed: ${(error as Error).message}`, { cause: error })
    throw Object.assign(told, { code: (error as { code?: string }).code })
  }
  const hash = createHash('sha256').update(sql).digest('hex')
  await client.query('INSERT INTO migration (name, hash) VALUES ($1, $2)', [name, hash])
}

/**
 * Makes sure that the database is as this program has it, and changes nothing.
 * @param tell called with the rules that older rows break
 * @throws {SchemaRefusal} naming all that is to be done
 */
export async function requireSchema(
  pool: pg.Pool,
  tables: TableSet,
  { tell }: Pick<MigrateOptions, 'tell'> = {},
): Promise<Exclude<Outcome, 'changed'>> {
  const done = doneOf(await readState(pool), hashOf(tables))
  if (done) return done
  const { files, differences } = await planSchema(pool, tables)
  const toDo = [
    ...files.map(name => `${name}.sql has not run`),
    ...differences.filter(one => !restingClasses.has(one.class)).map(sentence),
  ]
  if (toDo.length > 0)
    throw new SchemaRefusal(
      [
        'The database is not as this program needs it, and with SCHEMA=check a start changes nothing. Run `npm run schema -- apply`.',
        ...toDo,
      ].join('\n'),
    )
  for (const one of differences) if (one.class === 'open') tell?.(one)
  return 'same'
}

/** What {@link planSchema} finds. */
export interface SchemaPlan {
  /** SQL files that are to run; what follows was found without them. */
  readonly files: readonly string[]
  readonly differences: readonly Difference[]
}

/**
 * Looks in what a database differs from the definitions and changes nothing.
 * @throws {SchemaRefusal} when the database is newer than this program
 */
export async function planSchema(
  pool: pg.Pool,
  tables: TableSet,
  { big = bigTable }: MigrateOptions = {},
): Promise<SchemaPlan> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN TRANSACTION READ ONLY')
    await client.query('SET LOCAL statement_timeout = 0')
    const state = await readState(client)
    if (doneOf(state, hashOf(tables)) === 'newer') return { files: [], differences: [] }
    refuseNewer(state, hashOf(tables), {})
    const found = await readFound(
      client,
      tables.map(({ name }) => name),
    )
    const planning = { on: client, tables, big, found }
    const structure = await planTables(planning)
    return {
      files: migrations.map(({ name }) => name).filter(name => !state.files.has(name)),
      differences: [
        ...structure,
        ...(await planRules(planning, state)),
        ...(await planUnused(planning)),
        ...(await planLists(planning)),
      ],
    }
  } finally {
    await client.query('ROLLBACK').catch(() => {})
    client.release()
  }
}
