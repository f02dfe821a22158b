import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type pg from 'pg'
import type { BackupWriter, ShapeColumn } from './backup-file.ts'
import { copyRowsOut } from './copy.ts'
import { countTables, type Installation, inSnapshot, quoted } from './installation.ts'
import { readShape } from './shape.ts'
import { type BackupOptions, type BackupTaken, writeBackup } from './take-backup.ts'

/** Bytes of rows that are compressed together. */
const portion = 2 * 1024 ** 2
/** How hard: the next levels take twice the time and save little. */
const level = 2

const gzip = promisify(zlib.gzip) as (bytes: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>

/** How values are written, whatever the database is set to. */
export const spelling = `SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL bytea_output = 'hex';
  SET LOCAL extra_float_digits = 1; SET LOCAL timezone = 'UTC'`

/** A list of columns for COPY. */
export const columnList = (columns: readonly Pick<ShapeColumn, 'name'>[]): string =>
  columns.map(({ name }) => quoted(name)).join(', ')

async function* portions(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [held, size]: [Buffer[], number] = [[], 0]
  for await (const chunk of bytes) {
    held.push(chunk)
    size += chunk.length
    if (size < portion) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held)
}

/** Writes the rows of a table: pieces that are compressed by themselves, which together are one compressed text. */
async function addTable(
  writer: BackupWriter,
  client: pg.ClientBase,
  table: string,
  columns: readonly ShapeColumn[],
): Promise<void> {
  const copy = copyRowsOut(client, `COPY (SELECT ${columnList(columns)} FROM ${quoted(table)}) TO STDOUT`)
  let number = 0
  let last: Promise<void> = Promise.resolve()
  // While one piece is compressed the next one arrives.
  const add = async (before: Promise<void>, packing: Promise<Buffer>) => {
    const packed = await packing
    await before
    const name = `tables/${table}/${String(++number).padStart(6, '0')}.copy.gz`
    const time = Math.floor(Date.now() / 1000)
    await writer.add({ name, type: 'file', mode: 0o600, time, size: packed.length, target: '' }, [packed])
  }
  for await (const rows of portions(copy)) {
    const before = last
    const adding = add(before, gzip(rows, { level }))
    adding.catch(() => {})
    await before
    last = adding
  }
  await last
}

/**
 * Copies the rows of a running installation as one snapshot of the database, its files and its key: for another major version of
 * PostgreSQL, another machine, or a database that may not be copied as a whole.
 * @throws with what to do when it cannot; then nothing is left
 */
export function takeRows(installation: Installation, options: BackupOptions): Promise<BackupTaken> {
  return writeBackup(installation, 'logical', options, (writer, client) =>
    inSnapshot(client, async () => {
      await client.query(spelling)
      const tables = await countTables(client)
      const { columns } = await readShape(client)
      writer.begin('tables')
      for (const [table, list] of Object.entries(columns)) await addTable(writer, client, table, list)
      // Numbers are given outside of snapshots: those of rows that were copied are given by now.
      return { tables, logical: await readShape(client) }
    }),
  )
}
