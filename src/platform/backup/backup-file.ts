import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { WrappedKey } from './key.ts'
import { block, bytesOf, type PlacedEntry, paddingOf, scanTar, type TarEntry, tarEnd, tarHeader } from './tar.ts'

/** A part of a backup: entries that stand together. */
export interface Part {
  readonly name: PartName
  /** How many files, and their bytes. */
  readonly files: number
  readonly bytes: number
  /** Where its entries begin and end in the archive. */
  readonly from: number
  readonly to: number
  /** SHA-256 of all that stands there. */
  readonly sha256: string
}

/**
 * `postgres`: the folder of a cluster; `tables`: rows as COPY gives them; `files` and `fonts`: folders of DATA_DIR; `elsewhere`: keys
 * of files that other servers keep, one a line.
 */
export type PartName = 'postgres' | 'tables' | 'files' | 'fonts' | 'elsewhere'

/** How many rows a table had, and how often it had been changed, where that is counted. */
export interface TableCount {
  readonly rows: number
  readonly changes: string | null
}

/** A column as PostgreSQL shows it. */
export interface ShapeColumn {
  readonly name: string
  readonly type: string
  readonly required: boolean
}

/** What the tables of a database are like, as far as a program does not make it by itself in the same way. */
export interface Shape {
  /** By name of the table. */
  readonly columns: Readonly<Record<string, readonly ShapeColumn[]>>
  /** CHECKs and foreign keys by table and name: whether all rows are known to keep them. */
  readonly rules: Readonly<Record<string, boolean>>
  /** By name, the last value that each has given. */
  readonly sequences: Readonly<Record<string, string>>
}

/** What a backup says of itself. */
export interface Manifest {
  readonly format: 1
  readonly kind: 'physical' | 'logical'
  /** Version of the program, and digest of the definitions that the tables follow. */
  readonly program: string
  readonly definitions: string
  /** As `18.4`; a physical backup opens with the same major version only. */
  readonly postgres: string
  /** Who opens the database, which is called so. */
  readonly user: string
  readonly database: string
  /** When it was begun and ended. */
  readonly began: string
  readonly ended: string
  /** Physical: from where to where its log reaches, and when, by the clock of the database, it had ended. */
  readonly wal?: { start: string; end: string; timeline: number; segmentSize: number; system: string; time: string }
  /** Logical: what the tables are like. */
  readonly logical?: Shape
  /** By name, as they were when it was begun. */
  readonly tables: Readonly<Record<string, TableCount>>
  readonly parts: readonly Part[]
}

/** What stands last: proof of the manifest, and the key. */
interface Seal {
  /** SHA-256 of the manifest. */
  readonly sha256: string
  /** The key of the installation, or by what the one is recognised that SECRET_KEY gives. */
  readonly key: WrappedKey | { readonly fingerprint: string }
}

const names = { manifest: 'manifest.json', seal: 'seal.json' } as const
const flushAt = 1024 * 1024

const damaged = (what: string): Error => new Error(`This backup is damaged: ${what}. Take another one.`)

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Writes a backup beside its name, which it gets when it is whole: a killed one leaves nothing that looks like one. Its bytes
 * pass, they are not kept.
 */
export class BackupWriter {
  readonly #file: FileHandle
  readonly #draft: string
  readonly #target: string
  #held: Buffer[] = []
  #heldBytes = 0
  #at = 0
  #hash: Hash | undefined
  #part: { name: PartName; files: number; bytes: number; from: number } | undefined
  readonly #parts: Part[] = []

  readonly #signal: AbortSignal

  private constructor(file: FileHandle, draft: string, target: string, signal: AbortSignal) {
    this.#signal = signal
    this.#file = file
    this.#draft = draft
    this.#target = target
  }

  /**
   * Begins one.
   * @param signal ends it
   * @throws when there is a file of that name
   */
  static async create(target: string, signal: AbortSignal): Promise<BackupWriter> {
    await mkdir(path.dirname(target), { recursive: true })
    if (await stat(target).catch(() => null)) throw new Error(`There is a backup ${target} already.`)
    const draft = `${target}.part`
    return new BackupWriter(await open(draft, 'wx', 0o600), draft, target, signal)
  }

  /** The bytes written so far. */
  get bytes(): number {
    return this.#at
  }

  /** Entries that follow belong to a part. */
  begin(name: PartName): void {
    this.#closePart()
    this.#hash = createHash('sha256')
    this.#part = { name, files: 0, bytes: 0, from: this.#at }
  }

  /** Writes an entry; its content must have as many bytes as it says. */
  async add(entry: TarEntry, content: AsyncIterable<Buffer> | readonly Buffer[] = []): Promise<void> {
    await this.#write(tarHeader(entry))
    let size = 0
    for await (const part of content) {
      size += part.length
      await this.#write(part)
    }
    if (size !== entry.size) throw new Error(`${entry.name} was changed while it was being copied.`)
    await this.#write(Buffer.alloc(paddingOf(size)))
    if (!this.#part || entry.type !== 'file') return
    this.#part.files++
    this.#part.bytes += size
  }

  /**
   * Ends it: flushed to the disk, then renamed.
   * @param sealKey makes what is said of the key; given the digest that the key belongs to
   */
  async finish(
    manifest: Omit<Manifest, 'parts' | 'format'>,
    sealKey: (belongsTo: string) => Promise<Seal['key']>,
  ): Promise<Manifest> {
    this.#closePart()
    const whole: Manifest = { format: 1, ...manifest, parts: this.#parts }
    const text = Buffer.from(JSON.stringify(whole))
    await this.#writeOwn(names.manifest, text)
    const digest = sha256(text)
    await this.#writeOwn(names.seal, Buffer.from(JSON.stringify({ sha256: digest, key: await sealKey(digest) })))
    await this.#write(tarEnd)
    await this.#flush()
    await this.#file.sync()
    await this.#file.close()
    await rename(this.#draft, this.#target)
    await syncFolder(path.dirname(this.#target))
    return whole
  }

  /** Gives it up. */
  async abandon(): Promise<void> {
    await this.#file.close().catch(() => {})
    await rm(this.#draft, { force: true })
  }

  async #writeOwn(name: string, text: Buffer): Promise<void> {
    await this.#write(ownHeader(name, text.length))
    await this.#write(text)
    await this.#write(Buffer.alloc(paddingOf(text.length)))
  }

  #closePart(): void {
    if (this.#part && this.#hash) this.#parts.push({ ...this.#part, to: this.#at, sha256: this.#hash.digest('hex') })
    this.#part = undefined
    this.#hash = undefined
  }

  async #write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return
    this.#signal.throwIfAborted()
    this.#hash?.update(bytes)
    this.#at += bytes.length
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    if (this.#heldBytes >= flushAt) await this.#flush()
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    for (let at = 0; at < bytes.length; ) at += (await this.#file.write(bytes, at)).bytesWritten
  }
}

/** The header of what a backup says of itself; it has no time, so that each of its bytes is known. */
const ownHeader = (name: string, size: number): Buffer =>
  tarHeader({ name, type: 'file', mode: 0o600, time: 0, size, target: '' })

/** The name of a file must reach the disk, too. Windows cannot open a folder, and does this by itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** An entry of a part, and its content when it is asked for. */
export interface BackupEntry {
  /** Its name within the part. */
  readonly name: string
  readonly entry: PlacedEntry
  readonly content: () => AsyncIterable<Buffer>
}

/** A backup that can be read. */
export interface OpenBackup {
  readonly manifest: Manifest
  readonly key: Seal['key']
  /** What the wrapped key belongs to. */
  readonly digest: string
  /**
   * The entries of a part, each of which is to be read or left before the next. All bytes of the part are compared with their
   * digest on the way.
   * @throws at the end, when one of them was changed
   */
  entries(part: Part): AsyncGenerator<BackupEntry>
  close(): Promise<void>
}

async function contentAt(file: FileHandle, { at, size }: PlacedEntry): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of bytesOf(file, at + block, at + block + size)) parts.push(part)
  return Buffer.concat(parts)
}

/** Reads what stands at the end of a backup, and makes sure that no byte of it was changed. */
async function readEnd(file: FileHandle): Promise<{ manifest: Manifest; seal: Seal }> {
  let [manifestAt, sealAt] = [undefined, undefined] as (PlacedEntry | undefined)[]
  for await (const entry of scanTar(file)) {
    if (entry.name === names.manifest) manifestAt = entry
    if (entry.name === names.seal) sealAt = entry
  }
  if (!manifestAt || !sealAt || sealAt.at !== manifestAt.end)
    throw new Error('This is no backup of this program: it has no manifest at its end.')
  const [text, sealText] = [await contentAt(file, manifestAt), await contentAt(file, sealAt)]
  const own = (name: string, content: Buffer) => [
    ownHeader(name, content.length),
    content,
    Buffer.alloc(paddingOf(content.length)),
  ]
  const wanted = Buffer.concat([...own(names.manifest, text), ...own(names.seal, sealText), tarEnd])
  const { size } = await file.stat()
  const found: Buffer[] = []
  for await (const part of bytesOf(file, manifestAt.at, size)) found.push(part)
  if (!wanted.equals(Buffer.concat(found))) throw damaged('its end is not as it was written')
  const seal = parsed<Seal>(sealText)
  if (seal.sha256 !== sha256(text) || JSON.stringify(seal) !== sealText.toString())
    throw damaged('its manifest is not as it was written')
  const manifest = parsed<Manifest>(text)
  if (manifest.format !== 1) throw new Error('This backup was made by a newer program, which is needed to restore it.')
  let at = 0
  for (const { from, to } of manifest.parts) {
    if (from !== at) throw damaged('its parts do not follow one another')
    at = to
  }
  if (at !== manifestAt.at) throw damaged('its parts do not follow one another')
  return { manifest, seal }
}

function parsed<T>(text: Buffer): T {
  try {
    return JSON.parse(text.toString()) as T
  } catch (error) {
    throw Object.assign(damaged('its manifest cannot be read'), { cause: error })
  }
}

/** Opens a backup. @throws when it is none, is not whole, or its manifest was changed */
export async function openBackup(name: string): Promise<OpenBackup> {
  const file = await open(name, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${name} cannot be read (${error.code}).`, { cause: error })
  })
  try {
    const { manifest, seal } = await readEnd(file)
    return {
      manifest,
      key: seal.key,
      digest: seal.sha256,
      entries: part => entriesOf(file, part),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function* entriesOf(file: FileHandle, part: Part): AsyncGenerator<BackupEntry> {
  const hash = createHash('sha256')
  let hashed = part.from
  const hashTo = async (end: number) => {
    for await (const bytes of bytesOf(file, hashed, end)) hash.update(bytes)
    hashed = end
  }
  for await (const entry of scanTar(file, part.from)) {
    if (entry.at >= part.to) break
    if (!entry.name.startsWith(`${part.name}/`)) throw damaged(`${entry.name} stands in the part ${part.name}`)
    async function* content() {
      await hashTo(entry.at + block)
      for await (const bytes of bytesOf(file, entry.at + block, entry.at + block + entry.size)) {
        hash.update(bytes)
        hashed += bytes.length
        yield bytes
      }
    }
    yield { name: entry.name.slice(part.name.length + 1), entry, content }
    await hashTo(entry.end)
  }
  await hashTo(part.to)
  if (hash.digest('hex') !== part.sha256) throw damaged(`the part ${part.name} is not as it was written`)
}
