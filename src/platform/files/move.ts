import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { byKey, isKey, type Listed, type WholeStorage } from '../channels/storage/index.ts'
import type { OwnBucket } from '../channels/storage/own-bucket.ts'
import type { Reader } from '../database/database.ts'
import { fitBucket, type Places, storeRow, WrongStore } from './own-store.ts'
import { allKeys, namedKeys } from './stored-keys.ts'

/** What work on the files of an installation is given. */
export interface MoveRoom {
  db: Reader
  /** Connections whose sessions stay. */
  direct: pg.Pool
  places: Places
  now: () => Date
  /** Gets a line for whoever waits. */
  tell: (line: string) => void
}

/** Files that are done before it is noted how far the work is, and at the same time. */
const [portion, atOnce] = [100, 8]
/** How often a file is sent that did not arrive as it was. */
const tries = 3
/** Milliseconds for which a file may be without a row that names it: its bytes come first, or it is being sent. */
const unnamed = 86_400_000
/** Any number that these programs share and nothing else uses. */
const filesLock = 811_000_490

/** Does work that nobody else does at the same time, on whatever machine. @throws when somebody does */
async function alone<T>({ direct }: MoveRoom, work: () => Promise<T>): Promise<T> {
  const client = await direct.connect()
  // With the connection goes the lock, and sooner when it is given back.
  const end = () =>
    client
      .query('SELECT pg_advisory_unlock_all()')
      .catch(() => {})
      .finally(() => client.release(true))
  try {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [filesLock])
    if (!rows[0]?.mine) throw new Error('Another `npm run files` is at work on this installation.')
    return await work()
  } finally {
    await end()
  }
}

async function digestOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** The digest of a file; null when there is none. */
const digestIn = (storage: WholeStorage, key: string): Promise<string | null> =>
  digestOf(storage.open(key)).catch(error => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  })

/** Sends a file and counts its digest on the way; null when it has gone meanwhile. */
async function send(from: WholeStorage, to: WholeStorage, key: string): Promise<string | null> {
  const hash = createHash('sha256')
  async function* counted() {
    for await (const chunk of from.open(key)) {
      hash.update(chunk as Buffer)
      yield chunk
    }
  }
  try {
    await to.putStream(key, Readable.from(counted(), { objectMode: false }))
    return hash.digest('hex')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Brings a file to the bucket, reads it back and compares. The bytes of a key never change, so what is there and differs is
 * replaced. A file that is removed at the same time is removed there, too.
 * @param isThere tells whether the bucket has it already
 * @throws when it does not arrive as it was
 */
async function bring(
  folder: WholeStorage,
  bucket: WholeStorage,
  key: string,
  isThere: () => Promise<boolean>,
): Promise<void> {
  if (await isThere()) return
  for (let left = tries; ; left--) {
    const sent = await send(folder, bucket, key)
    if (sent === null || (await digestIn(bucket, key)) === sent) break
    await bucket.remove(key)
    if (left <= 1) throw new Error(`The file ${key} did not arrive as it was; it is still in the folder.`)
  }
  if ((await folder.size(key)) === null) await bucket.remove(key)
}

/** Does work for each of some files, several at a time. */
async function forEach(files: readonly Listed[], work: (file: Listed) => Promise<void>): Promise<void> {
  const waiting = [...files]
  const one = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) await work(file)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

/** The files of a folder in portions. */
async function* portionsOf(files: AsyncIterable<Listed>, isMeant: (file: Listed) => boolean): AsyncGenerator<Listed[]> {
  let held: Listed[] = []
  for await (const file of files) {
    if (!isMeant(file)) continue
    held.push(file)
    if (held.length === portion) {
      yield held
      held = []
    }
  }
  if (held.length > 0) yield held
}

const sizeText = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`

interface Count {
  files: number
  bytes: number
}

async function countOf(files: AsyncIterable<Listed>, isMeant: (file: Listed) => boolean): Promise<Count> {
  const count: Count = { files: 0, bytes: 0 }
  for await (const file of files)
    if (isMeant(file)) {
      count.files++
      count.bytes += file.size
    }
  return count
}

/** Brings all files behind the last that was noted. Ended at any moment, it goes on from there. */
async function bringAll({ db, places, tell }: MoveRoom, bucket: OwnBucket, row: { id: string; moved: string | null }) {
  const { files } = places.folder
  const isLeft = ({ key }: Listed) => row.moved === null || byKey(key, row.moved) > 0
  const left = await countOf(files.list(), isLeft)
  tell(`${left.files} files to be moved (${sizeText(left.bytes)}) from ${places.folder.place} to ${bucket.place}`)
  for await (const some of portionsOf(files.list(), isLeft)) {
    // Some of the first portion may have been sent before an end, and not been read back.
    const isSame = async (key: string) =>
      (await bucket.files.size(key)) !== null && (await digestIn(bucket.files, key)) === (await digestIn(files, key))
    await forEach(some, ({ key }) => bring(files, bucket.files, key, () => isSame(key)))
    const last = some.at(-1)
    await db
      .updateTable('file_store')
      .set({ moved: last?.key ?? null })
      .where('id', '=', row.id)
      .where('kind', '=', 'local')
      .execute()
    left.files = Math.max(0, left.files - some.length)
    left.bytes = Math.max(0, left.bytes - some.reduce((sum, { size }) => sum + size, 0))
    tell(`${left.files} files left (${sizeText(left.bytes)})`)
  }
}

/**
 * Brings what is not in the bucket although it is wanted: a row names it, or it is so young that one may come. What else is not
 * there was removed from it.
 * @returns files that were looked at
 */
async function bringMissing(
  room: MoveRoom,
  bucket: OwnBucket,
  since: Date,
  done?: (key: string) => Promise<void>,
): Promise<number> {
  const { db, places, now } = room
  const { files } = places.folder
  let seen = 0
  for await (const some of portionsOf(files.list(), ({ time }) => time >= since)) {
    const named = await namedKeys(
      db,
      some.map(({ key }) => key),
    )
    const youngest = now().getTime() - unnamed
    await forEach(some, async ({ key, time, size }) => {
      const isWanted = named.has(key) || time.getTime() > youngest
      if (isWanted) await bring(files, bucket.files, key, async () => (await bucket.files.size(key)) === size)
      await done?.(key)
    })
    seen += some.length
  }
  return seen
}

const needsBucket = () =>
  new Error('Set S3_ENDPOINT, S3_BUCKET and the other S3_ variables: files are moved into that bucket.')

/** The row of an installation whose files lie in the folder of this process. */
async function rowHere({ db, places }: MoveRoom) {
  const row = await storeRow(db)
  if (!row) throw new Error('This installation has not been started since it knows where its files are: start it once.')
  const isHere = (await places.folder.marker.read()) === row.id
  return { row, isHere }
}

/**
 * Moves the files of an installation from its folder into its bucket while servers run: in portions, each file read back and
 * compared. Ended at any moment and run again it goes on where it was. The folder stays as it is.
 * @throws {WrongStore} where the folder of this process is not that of the installation, or the bucket is another's
 */
export const moveFiles = (room: MoveRoom): Promise<void> =>
  alone(room, async () => {
    const { db, places, now, tell } = room
    const { folder, bucket } = places
    if (!bucket) throw needsBucket()
    const { row, isHere } = await rowHere(room)
    if (!isHere && row.kind === 's3') return tell(`All files are in ${row.place}; ${folder.place} holds none of them.`)
    if (!isHere)
      throw new WrongStore(
        `The files of this installation are in ${row.place}: run this where that folder is, with its DATA_DIR.`,
      )
    await fitBucket(db, row, places, bucket)
    const begin = now()
    if (row.kind === 'local') await bringAll(room, bucket, row)
    // What servers without the bucket have put into parts of the folder that were done already.
    await bringMissing(room, bucket, new Date(0))
    await db
      .updateTable('file_store')
      .set({ kind: 's3', place: bucket.place, since: now(), moved: null })
      .where('id', '=', row.id)
      .where('kind', '=', 'local')
      .execute()
    // And what they have put there until now, from when on they take none.
    await bringMissing(room, bucket, new Date(begin.getTime() - 60_000))
    tell(`All files are in ${bucket.place}. Servers start with the S3_ variables from now on, wherever they are.`)
    tell(`${folder.place} still holds the old files: \`npm run files -- move --remove\` removes them.`)
  })

/**
 * Removes the files of the folder that are in the bucket, once all are.
 * @throws when they have not been moved yet
 */
export const removeMoved = (room: MoveRoom): Promise<void> =>
  alone(room, async () => {
    const { db, places, tell } = room
    const { folder, bucket } = places
    if (!bucket) throw needsBucket()
    const { row, isHere } = await rowHere(room)
    if (row.kind !== 's3') throw new Error('Not all files are in the bucket yet: run `npm run files -- move` first.')
    if (!isHere) return tell(`${folder.place} holds no files of this installation.`)
    await fitBucket(db, row, places, bucket)
    const removed = await bringMissing(room, bucket, new Date(0), key => folder.files.remove(key))
    await folder.marker.remove()
    tell(`${removed} files removed from ${folder.place}; they are in ${bucket.place}.`)
  })

/** Counts which files of the database are not at a place. */
async function countLost(db: Reader, files: WholeStorage): Promise<{ all: number; lost: number }> {
  const found = { all: 0, lost: 0 }
  for await (const keys of allKeys(db)) {
    found.all += keys.length
    const listed = keys.map(key => ({ key, size: 0, time: new Date(0) }))
    await forEach(listed, async ({ key }) => {
      if (!isKey(key) || (await files.size(key)) === null) found.lost++
    })
  }
  return found
}

/**
 * Makes the place of this process that of the installation: the bucket where one is configured, else the folder.
 * @param evenLost goes on when files that the database names are not there: nobody can read those any more
 * @returns whether it is now
 */
export const adoptPlace = (room: MoveRoom, evenLost: boolean): Promise<boolean> =>
  alone(room, async () => {
    const { db, places, now, tell } = room
    const { folder, bucket } = places
    const row = await storeRow(db)
    if (bucket && row?.kind === 'local' && (await folder.marker.read()) === row.id) {
      tell(
        `The files are in ${row.place}, which is here: \`npm run files -- move\` brings them into the bucket, and none is lost.`,
      )
      return false
    }
    const target = bucket ?? folder
    const { all, lost } = await countLost(db, target.files)
    if (lost > 0) tell(`${lost} of ${all} files that the database names are not in ${target.place}.`)
    if (lost > 0 && !evenLost) {
      tell(
        'Nobody could read those any more: who asks for one is told that it is not there. `npm run files -- adopt --yes` goes on all the same.',
      )
      return false
    }
    const id = await target.marker.write((await target.marker.read()) ?? randomUUID())
    const kind = bucket ? ('s3' as const) : ('local' as const)
    const entry = { id, kind, place: target.place, since: now(), moved: null }
    await db
      .insertInto('file_store')
      .values(entry)
      .onConflict(conflict => conflict.column('one').doUpdateSet(entry))
      .execute()
    tell(`The files of this installation are in ${target.place} from now on; ${all - lost} of ${all} are there.`)
    tell('Servers that run with another place take no new files until they are started anew.')
    return true
  })

/** Tells where the files are, and what this process could reach of them. */
export async function tellStore({ db, places, tell }: MoveRoom): Promise<void> {
  const row = await storeRow(db)
  if (!row) return tell('This installation has not been started since it knows where its files are: start it once.')
  let named = 0
  for await (const keys of allKeys(db)) named += keys.length
  tell(`The files are in ${row.place}, since ${row.since.toISOString()}. The database names ${named}.`)
  if (row.moved !== null)
    tell(`They are being moved into a bucket: \`npm run files -- move\` goes on after ${row.moved}.`)
  const { folder, bucket } = places
  for (const one of [folder, ...(bucket ? [bucket] : [])]) {
    const marked = await one.marker.read()
    const whose =
      marked === null ? 'has no marker' : marked === row.id ? 'is of this installation' : 'is of another installation'
    const { files, bytes } = await countOf(one.files.list(), () => true)
    tell(`${one.place} ${whose} and holds ${files} files (${sizeText(bytes)}).`)
  }
}
