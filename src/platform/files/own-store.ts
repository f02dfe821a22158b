import { randomUUID } from 'node:crypto'
import os from 'node:os'
import { Readable } from 'node:stream'
import type { ColumnType } from 'kysely'
import { isKey, type Marker, type Storage, type WholeStorage } from '../channels/storage/index.ts'
import type { OwnBucket } from '../channels/storage/own-bucket.ts'
import type { Reader } from '../database/database.ts'
import { liveAcross } from '../database/live.ts'

/** Where the files of an installation are. */
export interface FileStoreTable {
  one: ColumnType<boolean, never, never>
  /** The number that the marker there repeats. */
  id: string
  kind: 'local' | 's3'
  /** Which folder on which host, or which bucket, in words. */
  place: string
  since: Date
  /** The last file that was brought to the bucket. */
  moved: string | null
}

declare module '../database/tables.ts' {
  interface InternalTables {
    file_store: FileStoreTable
  }
}

/** The places in which this process could keep files. */
export interface Places {
  folder: { place: string; files: WholeStorage; marker: Marker }
  /** Undefined where no bucket is configured. */
  bucket: OwnBucket | undefined
}

/** The files of this installation, as this process reaches them. */
export interface OwnStore {
  /** The number of the store. */
  id: string
  /** `both`: new files go to the bucket, older ones are still in the folder. */
  mode: 'local' | 'both' | 's3'
}

/** The files are not where this process looks for them. */
export class WrongStore extends Error {
  override name = 'WrongStore'
}

/** A folder, in words that tell it from one of the same name elsewhere. */
export const folderPlace = (dir: string): string => `${dir} on host ${os.hostname()}`

/** The row; undefined in an installation that has not been started since there is one. */
export const storeRow = (db: Reader) =>
  db.selectFrom('file_store').select(['id', 'kind', 'place', 'since', 'moved']).executeTakeFirst()

type Row = NonNullable<Awaited<ReturnType<typeof storeRow>>>

/** Files that are looked for before a place is taken for that of an installation. */
const probes = 20

/** Keys of files that the database names, the newest first. */
async function someKeys(db: Reader): Promise<string[]> {
  const rows = await liveAcross(db, { now: () => new Date() })
    .selectFrom('attach')
    .select('name')
    .where('name', '<>', '')
    .where('name', 'not like', 'oss-%')
    .orderBy('id', 'desc')
    .limit(probes)
    .execute()
  return rows.map(row => row.name).filter(isKey)
}

/** Whether a place holds any of some files. */
async function holdsAny(files: WholeStorage, keys: readonly string[]): Promise<boolean> {
  for (const key of keys) if ((await files.size(key)) !== null) return true
  return false
}

async function isEmpty(files: WholeStorage): Promise<boolean> {
  for await (const _ of files.list()) return false
  return true
}

const when = (time: Date): string => time.toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' }).slice(0, 16)

const adopting = 'run `npm run files -- adopt` when the old ones are lost'

function elsewhere({ place, since, kind }: Row, { folder, bucket }: Places): WrongStore {
  const told = `(${place}, since ${when(since)})`
  const settings = 'S3_ENDPOINT, S3_BUCKET and the other S3_ variables'
  if (kind === 'local')
    return new WrongStore(
      `The files of this installation are in another folder ${told}. Mount that folder at ${folder.place}, set ${settings} when its files are to be moved into a bucket, or ${adopting}.`,
    )
  const here = bucket ? `, and this process looks into ${bucket.place}` : ''
  return new WrongStore(
    `The files of this installation are in a bucket ${told}${here}. Set ${settings} to that bucket, or ${adopting}.`,
  )
}

/** A folder or bucket that holds none of the files that the database names cannot be that of the installation. */
const unknownPlace = (where: string): WrongStore =>
  new WrongStore(
    `The database names files, and ${where} holds none of them. Mount the folder that does, set S3_ENDPOINT, S3_BUCKET and the other S3_ variables to the bucket that does, or ${adopting}.`,
  )

/** Writes the row unless there is one. @returns the row that is there now */
async function enter(db: Reader, row: Pick<Row, 'id' | 'kind' | 'place' | 'since'>): Promise<Row> {
  await db
    .insertInto('file_store')
    .values({ ...row, moved: null })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const found = await storeRow(db)
  if (!found) throw new Error('The row of the files went away while this process started.')
  return found
}

/** The first start: the place that holds the files, or any where there are none yet, becomes that of the installation. */
async function firstRow(db: Reader, places: Places, now: Date): Promise<Row> {
  const { folder, bucket } = places
  const marked = await folder.marker.read()
  const known = await someKeys(db)
  const hasOld = await holdsAny(folder.files, known)
  const isInFolder = !bucket || hasOld || (known.length === 0 && !(await isEmpty(folder.files)))
  if (isInFolder) {
    if (known.length > 0 && !hasOld) throw unknownPlace(folder.place)
    // The marker first: whatever ends this process, the next start finds none, or one that it can take.
    const id = await folder.marker.write(marked ?? randomUUID())
    const row = await enter(db, { id, kind: 'local', place: folder.place, since: now })
    // Another process with another folder was first.
    if (row.id !== id && marked === null) await folder.marker.remove()
    return row
  }
  if (known.length > 0 && !(await holdsAny(bucket.files, known)))
    throw unknownPlace(`neither ${folder.place} nor ${bucket.place}`)
  const id = (await bucket.marker.read()) ?? randomUUID()
  return enter(db, { id, kind: 's3', place: bucket.place, since: now })
}

/** The marker of the bucket must be that of the row; an empty bucket of the same address gets it. */
export async function fitBucket(db: Reader, row: Row, places: Places, bucket: OwnBucket): Promise<void> {
  const marked = await bucket.marker.read()
  if (marked === row.id) return
  // While files are moved, and after an end between the row and the marker.
  const isOurs = row.kind === 'local' || row.place === bucket.place
  if (marked !== null || !isOurs) {
    if (row.kind === 's3') throw elsewhere(row, places)
    throw new WrongStore(
      `The bucket ${bucket.place} holds the files of another installation: give S3_BUCKET another, or S3_PREFIX.`,
    )
  }
  const known = row.kind === 's3' ? await someKeys(db) : []
  if (known.length > 0 && !(await holdsAny(bucket.files, known))) throw elsewhere(row, places)
  await bucket.marker.write(row.id)
}

/**
 * Finds out whether the files of the installation are where this process keeps its own, and enters the place at the first start.
 * @throws {WrongStore} when they are elsewhere, with what helps
 */
export async function fitStore(db: Reader, places: Places, now: Date): Promise<OwnStore> {
  const row = (await storeRow(db)) ?? (await firstRow(db, places, now))
  const { folder, bucket } = places
  if (row.kind === 's3') {
    if (!bucket) throw elsewhere(row, places)
    await fitBucket(db, row, places, bucket)
    return { id: row.id, mode: 's3' }
  }
  if ((await folder.marker.read()) !== row.id) {
    if (!bucket) throw elsewhere(row, places)
    throw new WrongStore(
      `The files of this installation are still in a folder (${row.place}, since ${when(row.since)}) and not all in the bucket. Mount that folder at ${folder.place}, run \`npm run files -- move\` where it is, or ${adopting}.`,
    )
  }
  if (!bucket) return { id: row.id, mode: 'local' }
  await fitBucket(db, row, places, bucket)
  return { id: row.id, mode: 'both' }
}

/** Whether a row is still that of a store; the files may have been moved, or given up, since this process started. */
export const isStill = (row: Row | undefined, { id, mode }: OwnStore): boolean =>
  row?.id === id && (mode === 'both' || row.kind === (mode === 's3' ? 's3' : 'local'))

/** The places as one storage. While files are moved each is looked for in the bucket first, then in the folder. */
export function storageOf({ folder, bucket }: Places, mode: OwnStore['mode']): Storage {
  if (mode === 'local' || !bucket) return folder.files
  if (mode === 's3') return bucket.files
  return inBoth(bucket.files, folder.files)
}

/** New files go to the one; older ones that are not there are read from the other. */
function inBoth(fresh: WholeStorage, old: Storage): Storage {
  const of = async (key: string): Promise<Storage> => ((await fresh.size(key)) === null ? old : fresh)
  return {
    put: fresh.put,
    putStream: fresh.putStream,
    get: async key => (await of(key)).get(key),
    open(key) {
      async function* bytes() {
        yield* (await of(key)).open(key)
      }
      return Readable.from(bytes(), { objectMode: false })
    },
    // In this order a file that is just being moved does not stay: whoever moves it looks whether it is still in the folder.
    async remove(key) {
      await old.remove(key)
      await fresh.remove(key)
    },
  }
}
