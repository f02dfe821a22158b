import { type FileHandle, mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from './backup-file.ts'
import { type Segment, segmentName, segmentOf } from './wal-names.ts'

const ownFile = 'system.json'

/** Which cluster the log in a folder is of. */
interface Origin {
  readonly system: string
  readonly segmentSize: number
}

/** Writes a small file beside its name, flushes it, and gives it its name. */
async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.new`
  await writeFile(draft, text, { mode: 0o600, flush: true })
  await rename(draft, file)
  await syncFolder(path.dirname(file))
}

/**
 * A folder that keeps the log of a cluster: whole files of it under PostgreSQL's own names, the last one as `….partial`. What is in
 * it stays there whenever who writes it is killed.
 */
export class WalFolder {
  readonly folder: string
  readonly segmentSize: number
  #file: FileHandle | undefined
  #segment: Omit<Segment, 'isPartial'> | undefined
  /** Up to where bytes were written, and up to where they are on the disk. */
  #written = 0n
  #flushed = 0n

  private constructor(folder: string, { segmentSize }: Origin) {
    this.folder = folder
    this.segmentSize = segmentSize
  }

  /** Opens a folder for the log of a cluster. @throws when it holds that of another one */
  static async open(folder: string, origin: Origin): Promise<WalFolder> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const known = await readOrigin(folder)
    if (!known) await writeWhole(path.join(folder, ownFile), JSON.stringify(origin))
    else if (known.system !== origin.system)
      throw new OtherCluster(
        `${folder} holds the log of another cluster (${known.system}, not ${origin.system}): give another folder.`,
      )
    return new WalFolder(folder, origin)
  }

  /** Up to where the log is on the disk. */
  get flushed(): bigint {
    return this.#flushed
  }

  get written(): bigint {
    return this.#written
  }

  /** The last file, whole or not; undefined in an empty folder. */
  async last(): Promise<Segment | undefined> {
    const all = await segmentsIn(this.folder, this.segmentSize)
    return all.at(-1)
  }

  /** Begins to write at the beginning of a file of the log. */
  async begin(timeline: number, at: bigint): Promise<void> {
    await this.close()
    this.#segment = { timeline, number: at / BigInt(this.segmentSize) }
    this.#written = at
    this.#flushed = at
  }

  /** Writes bytes that follow those before; files that are full get their names. */
  async write(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const within = Number(this.#written % BigInt(this.segmentSize))
      const part = bytes.subarray(from, from + this.segmentSize - within)
      const file = await this.#current()
      for (let at = 0; at < part.length; )
        at += (await file.write(part, at, part.length - at, within + at)).bytesWritten
      this.#written += BigInt(part.length)
      from += part.length
      if (within + part.length === this.segmentSize) await this.#complete()
    }
  }

  /** Has everything on the disk that was written. */
  async flush(): Promise<void> {
    const written = this.#written
    await this.#file?.datasync()
    this.#flushed = written
  }

  async close(): Promise<void> {
    await this.#file?.sync()
    await this.#file?.close()
    this.#file = undefined
  }

  /** Keeps the history of a timeline. */
  async keep(name: string, text: string): Promise<void> {
    await writeWhole(path.join(this.folder, name), text)
  }

  async has(name: string): Promise<boolean> {
    return (await readdir(this.folder)).includes(name)
  }

  #name(): string {
    return path.join(this.folder, segmentName(this.#segment!, this.segmentSize))
  }

  async #current(): Promise<FileHandle> {
    if (this.#file) return this.#file
    const name = `${this.#name()}.partial`
    // What is there of before is written over and not cut off: the same bytes come again, if they come.
    const file = await open(name, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return open(name, 'wx', 0o600)
    })
    this.#file = file
    return file
  }

  async #complete(): Promise<void> {
    await this.close()
    await rename(`${this.#name()}.partial`, this.#name())
    await syncFolder(this.folder)
    this.#flushed = this.#written
    const { timeline, number } = this.#segment!
    this.#segment = { timeline, number: number + 1n }
  }
}

/** A folder holds the log of another cluster; trying again does not help. */
export class OtherCluster extends Error {
  override name = 'OtherCluster'
}

/** Which cluster the log in a folder is of; null for a folder without one. */
export async function readOrigin(folder: string): Promise<Origin | null> {
  const text = await readFile(path.join(folder, ownFile), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Origin)
}

/** The files of the log in a folder, by timeline and number. */
export async function segmentsIn(folder: string, size: number): Promise<Segment[]> {
  const names = await readdir(folder)
  return names
    .flatMap(name => segmentOf(name, size) ?? [])
    .toSorted((a, b) => a.timeline - b.timeline || (a.number < b.number ? -1 : a.number > b.number ? 1 : 0))
}
