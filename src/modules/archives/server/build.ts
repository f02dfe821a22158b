import { createHash, type Hash, sign } from 'node:crypto'
import { Readable } from 'node:stream'
import { endingOf, type Stored, storeStream } from '../../../crud/stored-file.ts'
import { type ZipRecord, zipEnd, zipEntry, zipFile, zipStamp, zipStream } from '../../../platform/files/zip-parts.ts'
import { type ArchivedFile, type ArchiveOf, archiveKey, archiveUnits, readmeFile, type Unit } from './contents.ts'
import { volumesOf } from './volumes.ts'

/** A file of an archive as its list and its manifests have it. */
interface ArchiveRecord extends ZipRecord {
  readonly sha256: string
  readonly sm3: string
  readonly rows?: number
}

/** A finished part of an archive in the storage: its bytes, and what is in them. */
interface Segment {
  readonly key: string
  readonly listKey: string
  readonly size: number
  readonly post?: string
}

/** How far an archive is: what is kept from one try to the next. */
export interface ArchiveState {
  readonly segments: readonly Segment[]
  /** Bytes of a volume at most, as when the archive was begun. */
  readonly most: number
  /** Volumes that are whole; their parts are gone. */
  readonly volumes: readonly Stored[]
  /** Which tables it has: the parts of one that an older program began stand in another order. */
  readonly layout?: string
}

/** What the work on an archive is told while it goes on. */
interface Progress {
  readonly signal: AbortSignal
  /** Keeps how far it is, at once. */
  keep(state: ArchiveState): Promise<void>
  /** Says how far it is. */
  say(done: number, total: number): void
}

const algorithms = ['sha256', 'sm3'] as const

/** Takes the digests of bytes that come one after another. */
class Digests {
  readonly #hashes: readonly (readonly ['sha256' | 'sm3', Hash])[] = algorithms.map(name => [name, createHash(name)])

  add(bytes: Buffer): Buffer {
    for (const [, hash] of this.#hashes) hash.update(bytes)
    return bytes
  }

  end(): Pick<ArchiveRecord, 'sha256' | 'sm3'> {
    return Object.fromEntries(this.#hashes.map(([name, hash]) => [name, hash.digest('hex')])) as never
  }
}

/** The bytes of a file in the archive. @param done called with its record once all have come */
async function* packed(
  { name, bytes, compress = true, rows }: ArchivedFile,
  { offset, stamp }: { offset: number; stamp: number },
  done: (record: ArchiveRecord) => void,
): AsyncGenerator<Buffer> {
  const digests = new Digests()
  const end = (record: ZipRecord) => done({ ...record, ...digests.end(), ...(rows && { rows: rows() }) })
  if (Buffer.isBuffer(bytes)) {
    const made = zipFile({ name, bytes: digests.add(bytes), compress, stamp }, offset)
    yield* made.bytes
    return end(made.record)
  }
  async function* summed(parts: AsyncIterable<Buffer>) {
    for await (const part of parts) yield digests.add(part)
  }
  yield* zipStream({ name, bytes: summed(bytes), compress, stamp }, offset, end)
}

/** Puts the files of one part of the work into the storage, one after another: never more than one is in memory. */
async function storeUnit(of: ArchiveOf, { post, files }: Unit, signal: AbortSignal): Promise<Segment> {
  const { app, caller } = of
  const records: ArchiveRecord[] = []
  const stamp = zipStamp(caller.now)
  async function* bytes() {
    let offset = 0
    for await (const file of files())
      for await (const part of packed(file, { offset, stamp }, record => records.push(record))) {
        signal.throwIfAborted()
        offset += part.length
        yield part
      }
  }
  const { tenantId } = caller.person
  const place = await app.storage.place(tenantId, 'part')
  const { size } = await storeStream(app.storage, place, Readable.from(bytes(), { objectMode: false }))
  const list = await app.storage.place(tenantId, 'part')
  await app.storage.put(list.key, Buffer.from(JSON.stringify(records)))
  return { key: place.key, listKey: list.key, size, ...(post !== undefined && { post }) }
}

async function recordsOf({ app }: ArchiveOf, { listKey }: Segment): Promise<ArchiveRecord[]> {
  return JSON.parse((await app.storage.get(listKey)).toString('utf8')) as ArchiveRecord[]
}

/** What says what the archive is, the counts of tables, and the manifests over all other files with the signature. */
async function* closing(of: ArchiveOf, segments: readonly Segment[], most: number): AsyncGenerator<ArchivedFile> {
  const counts: Record<string, number> = {}
  const lists = { sha256: '', sm3: '' }
  const enter = (one: Pick<ArchiveRecord, 'name' | 'sha256' | 'sm3'>) => {
    for (const algorithm of algorithms) lists[algorithm] += `${one[algorithm]}  ${one.name}\n`
  }
  for (const segment of segments)
    for (const record of await recordsOf(of, segment)) {
      enter(record)
      if (record.rows !== undefined) counts[record.name.replace(/^tables\/(.*)\.jsonl$/, '$1')] = record.rows
    }
  const posts = volumesOf(segments, most).map(parts => [...new Set(parts.map(one => one.post ?? ''))])
  const own = [
    await readmeFile(of, posts),
    { name: 'tables/counts.json', bytes: Buffer.from(JSON.stringify(counts, null, 2)) },
  ]
  for (const { name, bytes } of own) {
    const digests = new Digests()
    yield { name, bytes: digests.add(bytes) }
    enter({ name, ...digests.end() })
  }
  const listed = Buffer.from(lists.sha256)
  yield { name: 'MANIFEST.sha256', bytes: listed }
  yield { name: 'MANIFEST.sm3', bytes: Buffer.from(lists.sm3) }
  const signature = sign(null, listed, archiveKey(of.app).privateKey).toString('base64')
  yield { name: 'MANIFEST.sig', bytes: Buffer.from(`${signature}\n`) }
}

/** A volume: the bytes of its parts, then its list of contents. */
async function* whole(of: ArchiveOf, segments: readonly Segment[]): AsyncGenerator<Buffer> {
  for (const { key } of segments) yield* of.app.storage.open(key) as AsyncIterable<Buffer>
  const start = segments.reduce((sum, one) => sum + one.size, 0)
  let [begin, size, count] = [0, 0, 0]
  for (const segment of segments) {
    for (const record of await recordsOf(of, segment)) {
      const entry = zipEntry(record, begin)
      size += entry.length
      count++
      yield entry
    }
    begin += segment.size
  }
  yield zipEnd(count, size, start)
}

/** The parts of each volume. The last one, which lists all others, is in the first volume, whatever its length. */
function divided(segments: readonly Segment[], most: number): Segment[][] {
  const last = segments.at(-1)
  const [first = [], ...others] = volumesOf(segments.slice(0, -1), most)
  return [last ? [...first, last] : first, ...others]
}

/**
 * Makes an archive part by part, then its volumes; what is finished stays when it is begun again with the state that was kept.
 * @returns the state, with the volumes
 */
export async function buildArchive(
  of: ArchiveOf,
  name: string,
  begun: ArchiveState,
  { signal, keep, say }: Progress,
): Promise<ArchiveState> {
  let state = begun
  const advance = async (next: Partial<ArchiveState>, total: number) => {
    state = { ...state, ...next }
    await keep(state)
    say(state.segments.length + state.volumes.length, total)
  }
  const units = await archiveUnits(of)
  const parts = units.length + 1
  while (state.segments.length < parts) {
    signal.throwIfAborted()
    const { segments } = state
    const unit = units[segments.length] ?? { files: () => closing(of, segments, state.most) }
    await advance({ segments: [...segments, await storeUnit(of, unit, signal)] }, parts + 1)
  }
  const all = divided(state.segments, state.most)
  for (const volume of all.slice(state.volumes.length)) {
    signal.throwIfAborted()
    const place = await of.app.storage.place(of.caller.person.tenantId, endingOf(name))
    const stored = await storeStream(of.app.storage, place, Readable.from(whole(of, volume), { objectMode: false }))
    await advance({ volumes: [...state.volumes, stored] }, parts + all.length)
    // There is never more on the disk than the archive once and one volume.
    await dropParts(of, { segments: volume })
  }
  return state
}

/** Removes parts of an archive: they stand in a volume, or are not wanted any more. */
export async function dropParts(
  { app }: Pick<ArchiveOf, 'app'>,
  { segments }: Pick<ArchiveState, 'segments'>,
): Promise<void> {
  for (const key of segments.flatMap(one => [one.key, one.listKey]))
    await app.storage.remove(key).catch(error => app.log.warn({ err: error, key }, 'a part of an archive stays'))
}

/** Removes an archive that is given up: its parts and its volumes. */
export async function dropArchive({ app }: Pick<ArchiveOf, 'app'>, { segments, volumes }: ArchiveState): Promise<void> {
  await dropParts({ app }, { segments })
  for (const { key } of volumes)
    await app.storage.remove(key).catch(error => app.log.warn({ err: error, key }, 'a volume of an archive stays'))
}
