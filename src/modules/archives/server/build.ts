import { createHash, sign } from 'node:crypto'
import { Readable } from 'node:stream'
import { endingOf, type Stored, storeStream } from '../../../crud/stored-file.ts'
import { type ZipRecord, zipEnd, zipEntry, zipFile, zipStamp } from '../../../platform/files/zip-parts.ts'
import { type ArchivedFile, type ArchiveOf, archiveKey, archiveUnits, type Unit } from './contents.ts'

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
}

/** How far an archive is: what is kept from one try to the next. */
export interface ArchiveState {
  readonly segments: readonly Segment[]
}

/** What the work on an archive is told while it goes on. */
interface Progress {
  readonly signal: AbortSignal
  /** Keeps how far it is, at once. */
  keep(state: ArchiveState): Promise<void>
  /** Says how far it is. */
  say(done: number, total: number): void
}

const hex = (algorithm: 'sha256' | 'sm3', bytes: Buffer): string => createHash(algorithm).update(bytes).digest('hex')

/** Puts the files of one part of the work into the storage, one after another: never more than one is in memory. */
async function storeUnit(of: ArchiveOf, unit: Unit, signal: AbortSignal): Promise<Segment> {
  const { app, caller } = of
  const records: ArchiveRecord[] = []
  const stamp = zipStamp(caller.now)
  async function* bytes() {
    let offset = 0
    for await (const { name, bytes: body, compress = true, rows } of unit()) {
      signal.throwIfAborted()
      const made = zipFile({ name, bytes: body, compress, stamp }, offset)
      const digests = { sha256: hex('sha256', body), sm3: hex('sm3', body) }
      records.push({ ...made.record, ...digests, ...(rows !== undefined && { rows }) })
      for (const part of made.bytes) {
        offset += part.length
        yield part
      }
    }
  }
  const { tenantId } = caller.person
  const place = await app.storage.place(tenantId, 'part')
  const { size } = await storeStream(app.storage, place, Readable.from(bytes(), { objectMode: false }))
  const list = await app.storage.place(tenantId, 'part')
  await app.storage.put(list.key, Buffer.from(JSON.stringify(records)))
  return { key: place.key, listKey: list.key, size }
}

async function recordsOf({ app }: ArchiveOf, { listKey }: Segment): Promise<ArchiveRecord[]> {
  return JSON.parse((await app.storage.get(listKey)).toString('utf8')) as ArchiveRecord[]
}

/** The counts of tables, and the manifests over all other files with the signature. */
async function* closing(of: ArchiveOf, segments: readonly Segment[]): AsyncGenerator<ArchivedFile> {
  const records: ArchiveRecord[] = []
  for (const segment of segments) records.push(...(await recordsOf(of, segment)))
  const counts = records.flatMap(({ name, rows }) =>
    rows === undefined ? [] : [[name.replace(/^tables\/(.*)\.jsonl$/, '$1'), rows] as const],
  )
  const bytes = Buffer.from(JSON.stringify(Object.fromEntries(counts), null, 2))
  const own = { name: 'tables/counts.json', bytes }
  yield own
  const all = [...records, { name: own.name, sha256: hex('sha256', bytes), sm3: hex('sm3', bytes) }]
  const manifest = (algorithm: 'sha256' | 'sm3') =>
    Buffer.from(all.map(one => `${one[algorithm]}  ${one.name}\n`).join(''))
  const listed = manifest('sha256')
  yield { name: 'MANIFEST.sha256', bytes: listed }
  yield { name: 'MANIFEST.sm3', bytes: manifest('sm3') }
  const signature = sign(null, listed, archiveKey(of.app).privateKey).toString('base64')
  yield { name: 'MANIFEST.sig', bytes: Buffer.from(`${signature}\n`) }
}

/** The archive as one: its parts, then the list of contents. */
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

/**
 * Makes an archive part by part; parts that are finished stay when it is begun again with the state that was kept.
 * @returns the stored archive, and the number of its files
 */
export async function buildArchive(
  of: ArchiveOf,
  name: string,
  state: ArchiveState,
  { signal, keep, say }: Progress,
): Promise<{ stored: Stored; state: ArchiveState }> {
  const units = await archiveUnits(of)
  let segments = [...state.segments]
  const total = units.length + 1
  for (let i = segments.length; i <= units.length; i++) {
    signal.throwIfAborted()
    const before = segments
    segments = [...before, await storeUnit(of, units[i] ?? (() => closing(of, before)), signal)]
    await keep({ segments })
    say(segments.length, total)
  }
  const place = await of.app.storage.place(of.caller.person.tenantId, endingOf(name))
  const stored = await storeStream(of.app.storage, place, Readable.from(whole(of, segments), { objectMode: false }))
  return { stored, state: { segments } }
}

/** Removes the parts of an archive: it is whole, or not wanted any more. */
export async function dropParts({ app }: Pick<ArchiveOf, 'app'>, { segments }: ArchiveState): Promise<void> {
  for (const key of segments.flatMap(one => [one.key, one.listKey]))
    await app.storage.remove(key).catch(error => app.log.warn({ err: error, key }, 'a part of an archive stays'))
}
