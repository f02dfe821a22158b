import { createHash } from 'node:crypto'
import type pg from 'pg'
import { copyOut } from './copy.ts'
import { ByteReader, type OpenEntry, readTar } from './tar.ts'

/** From where to where the log of a copy reaches, as `16/B374D848`, and on which timeline. */
export interface CopySpan {
  start: string
  end: string
  timeline: number
}

/** A copy of a running cluster, file by file. */
export interface BaseBackup {
  /** Its files as they arrive, PostgreSQL's own manifest last. */
  readonly entries: AsyncIterable<OpenEntry>
  /** When all has arrived. @throws when a file is not what PostgreSQL says it sent */
  span(): CopySpan
}

interface OwnManifest {
  Files: readonly { Path?: string; 'Encoded-Path'?: string; Checksum?: string }[]
}

/** What PostgreSQL puts before each portion. */
const mark = { archive: 0x6e, data: 0x64, manifest: 0x6d }

/** The command that sends the whole cluster, with the log that it needs, and what each file must be. */
const command = `BASE_BACKUP (LABEL 'juxian', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`

/**
 * Begins a copy of a running cluster.
 * @param client a connection for replication
 */
export function baseBackup(client: pg.Client): BaseBackup {
  const copy = copyOut(client, command)
  const digests = new Map<string, string>()
  const manifest: Buffer[] = []
  let archives = 0
  async function* archive() {
    let isManifest = false
    for await (const chunk of copy) {
      if (chunk[0] === mark.manifest) isManifest = true
      else if (chunk[0] === mark.archive && ++archives > 1)
        throw new Error(
          'The cluster keeps tables in tablespaces, which this backup does not know: use `--logical`, or another program such as pgBackRest.',
        )
      else if (chunk[0] === mark.data && isManifest) manifest.push(chunk.subarray(1))
      else if (chunk[0] === mark.data) yield chunk.subarray(1)
    }
  }
  async function* entries(): AsyncGenerator<OpenEntry> {
    const bytes = new ByteReader(archive())
    for await (const { entry, content } of readTar(bytes)) {
      const hash = createHash('sha256')
      async function* hashed() {
        for await (const part of content) {
          hash.update(part)
          yield part
        }
        digests.set(entry.name, hash.digest('hex'))
      }
      if (entry.size === 0) digests.set(entry.name, createHash('sha256').digest('hex'))
      yield { entry, content: hashed() }
    }
    // The archive's end, and the manifest behind it.
    await bytes.drain()
    const text = Buffer.concat(manifest)
    compare(JSON.parse(text.toString()) as OwnManifest, digests)
    const entry = {
      name: 'backup_manifest',
      type: 'file',
      mode: 0o600,
      time: now(),
      size: text.length,
      target: '',
    } as const
    yield { entry, content: once(text) }
  }
  return {
    entries: entries(),
    span() {
      const [first, last] = [copy.rows[0], copy.rows.at(-1)]
      return { start: first?.[0] ?? '', end: last?.[0] ?? '', timeline: Number(last?.[1]) }
    },
  }
}

const now = () => Math.floor(Date.now() / 1000)

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** @throws when a file that PostgreSQL says it has sent did not arrive, or arrived otherwise */
function compare({ Files }: OwnManifest, digests: ReadonlyMap<string, string>): void {
  for (const { Path, 'Encoded-Path': encoded, Checksum } of Files) {
    const name = Path ?? Buffer.from(encoded ?? '', 'hex').toString()
    if (digests.get(name) !== Checksum) throw new Error(`${name} of the database did not arrive as it was sent.`)
  }
}
