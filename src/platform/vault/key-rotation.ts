import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { keyLock, tellNewKey } from './key-follow.ts'
import { type SealedColumn, sealedColumns } from './sealed-columns.ts'
import type { Secrets } from './secrets.ts'

/** What a rotation works with. */
export interface KeyRoom {
  pool: pg.Pool
  /** Past a pooler: whoever rotates holds a lock of a session. */
  direct: pg.Pool
  secrets: Secrets
  vault: { seal(text: string): string; open(sealed: string): string }
}

/** Texts of a column that are sealed with one version of the key. */
export interface SealedCount extends SealedColumn {
  version: number
  count: number
}

/** Rows that one statement seals again; whoever wants one of them meanwhile waits for milliseconds. */
const portion = 500
/** How long servers have to take a new key, in milliseconds; they need a few. */
const patience = 60_000
const rotationLock = 811_000_172

const quote = (name: string) => `"${name}"`

/** How many texts are sealed with which version, column by column. */
export async function countSealed({ pool }: Pick<KeyRoom, 'pool'>): Promise<SealedCount[]> {
  const found: SealedCount[] = []
  for (const one of sealedColumns) {
    const { rows } = await pool.query<{ version: number; count: number }>(
      `SELECT substring(${quote(one.column)} FROM '^v(\\d{1,9}):')::int AS version, count(*)::int AS count
       FROM ${quote(one.table)} WHERE ${quote(one.column)} ~ '^v\\d{1,9}:' GROUP BY 1 ORDER BY 1`,
    )
    found.push(...rows.map(row => ({ ...one, ...row })))
  }
  return found
}

/** Those of {@link countSealed} that an older version has sealed. */
export async function countOld(room: KeyRoom): Promise<SealedCount[]> {
  const version = room.secrets.version('vault')
  return (await countSealed(room)).filter(one => one.version < version)
}

/** Waits until no process is left that knows an older generation of the keys only. */
async function untilKnown({ pool, secrets }: KeyRoom): Promise<void> {
  await tellNewKey(pool)
  await secrets.reload()
  const until = performance.now() + patience
  for (;;) {
    const { rows } = await pool.query<{ late: number }>(
      `SELECT count(*)::int AS late FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND classid = $1::int::oid AND objid::int8 < $2`,
      [keyLock, secrets.generation('vault')],
    )
    const late = rows[0]?.late ?? 0
    if (late === 0) return
    if (performance.now() > until) throw new Error(`${late} servers have not taken the new key. Try again.`)
    await sleep(50)
  }
}

/** Makes a new version known to all processes, then has all use it; goes on where one that was ended has stopped. */
async function bringKey(room: KeyRoom): Promise<void> {
  const { pool, secrets } = room
  await secrets.reload()
  if (secrets.generation('vault') === 2 * secrets.version('vault')) await secrets.add('vault')
  await untilKnown(room)
  await pool.query(`UPDATE secret SET "inUse" = true WHERE name = 'vault'`)
  await untilKnown(room)
}

interface SealedRow {
  key: string
  text: string
}

/** The next rows of a column, in the order of their key, that another version than the given has sealed. */
async function oldRows(
  { pool }: KeyRoom,
  { table, key, keyType, column }: SealedColumn,
  version: number,
  after: string | null,
) {
  const { rows } = await pool.query<SealedRow>(
    `SELECT ${quote(key)}::text AS key, ${quote(column)} AS text FROM ${quote(table)}
     WHERE ${quote(column)} ~ '^v\\d{1,9}:' AND NOT starts_with(${quote(column)}, $1)
       ${after === null ? '' : `AND ${quote(key)} > $2::${keyType}`} ORDER BY ${quote(key)} LIMIT ${portion}`,
    [`v${version}:`, ...(after === null ? [] : [after])],
  )
  return rows
}

/** Errors of a statement that met others at the same rows, and may be tried again. */
const busy = ['55P03', '40P01']

/**
 * Puts newly sealed texts in the place of the old ones. What somebody has written since it was read stays: the statement
 * finds another text there. @returns how many it has replaced
 */
async function replace(room: KeyRoom, one: SealedColumn, rows: readonly SealedRow[], sealed: readonly string[]) {
  const { table, key, keyType, column } = one
  const statement = `UPDATE ${quote(table)} t SET ${quote(column)} = n.sealed
    FROM unnest($1::${keyType}[], $2::text[], $3::text[]) n (key, old, sealed)
    WHERE t.${quote(key)} = n.key AND t.${quote(column)} = n.old`
  const values = [rows.map(row => row.key), rows.map(row => row.text), sealed]
  for (let tries = 1; ; tries++) {
    try {
      return (await room.pool.query(statement, values)).rowCount ?? 0
    } catch (error) {
      if (tries === 20 || !busy.includes((error as { code?: string }).code ?? '')) throw error
      await sleep(100)
    }
  }
}

/** The text sealed again; null for one that does not open, which stays as it is. */
function resealed({ vault }: KeyRoom, text: string): string | null {
  try {
    return vault.seal(vault.open(text))
  } catch {
    return null
  }
}

/** Seals everything again that another version has sealed, column by column. @returns how many texts */
async function resealAll(room: KeyRoom): Promise<number> {
  const version = room.secrets.version('vault')
  let changed = 0
  for (const one of sealedColumns) {
    let after: string | null = null
    for (;;) {
      const rows: SealedRow[] = await oldRows(room, one, version, after)
      const pairs = rows.flatMap(row => {
        const text = resealed(room, row.text)
        return text === null ? [] : [{ row, text }]
      })
      const [old, fresh] = [pairs.map(({ row }) => row), pairs.map(({ text }) => text)]
      if (pairs.length > 0) changed += await replace(room, one, old, fresh)
      if (rows.length < portion) break
      after = rows.at(-1)?.key ?? null
    }
  }
  return changed
}

/** Until a round finds nothing: a call that began before the new key was in use may have written after the first one. */
async function resealRounds(room: KeyRoom): Promise<number> {
  let sum = 0
  for (let changed = -1; changed !== 0; ) {
    changed = await resealAll(room)
    sum += changed
  }
  return sum
}

/** What a rotation has done. */
export interface Rotation {
  /** Whether there is a new version; false when it went on with what an earlier one had left. */
  isNew: boolean
  version: number
  /** Texts that were sealed again. */
  changed: number
}

/**
 * Gives the vault a new key and seals everything with it while servers run; or, when there is something that an older version
 * has sealed, finishes that first and does no more. May be ended at any moment and called again.
 * @throws when another one is running, or servers do not take the new key within a minute
 */
export async function rotateKeys(room: KeyRoom): Promise<Rotation> {
  const client = await room.direct.connect()
  try {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [rotationLock])
    if (!rows[0]?.mine) throw new Error('Another rotation is running.')
    const left = await resealRounds(room)
    if (left > 0) return { isNew: false, version: room.secrets.version('vault'), changed: left }
    await bringKey(room)
    return { isNew: true, version: room.secrets.version('vault'), changed: await resealRounds(room) }
  } finally {
    // The lock goes with the connection.
    client.release(true)
  }
}
