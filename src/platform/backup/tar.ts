import type { FileHandle } from 'node:fs/promises'

// The part of the tar format (POSIX ustar, with the base-256 sizes of GNU tar for what is larger than 8 GB) that PostgreSQL
// sends and a backup is made of: files, folders and symbolic links, one after the other in blocks of 512 bytes.

/** One file, folder or link of an archive. */
export interface TarEntry {
  /** With `/` between folders and none at the end. */
  readonly name: string
  readonly type: 'file' | 'folder' | 'link'
  /** Permissions of the file system, such as 0o600. */
  readonly mode: number
  /** Seconds since 1970. */
  readonly time: number
  /** Bytes that follow; 0 for folders and links. */
  readonly size: number
  /** Where a link leads; empty for others. */
  readonly target: string
}

/** Bytes of a block. */
export const block = 512
const types = { file: '0', folder: '5', link: '2' } as const

/** Bytes that fill the last block of a content. */
export const paddingOf = (size: number): number => (block - (size % block)) % block

/** An archive ends with two empty blocks. */
export const tarEnd: Buffer = Buffer.alloc(2 * block)

function splitName(name: string): [prefix: string, name: string] {
  if (Buffer.byteLength(name) <= 100) return ['', name]
  for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(rest) <= 100 && Buffer.byteLength(prefix) <= 155) return [prefix, rest]
  }
  throw new Error(`The name is too long for an archive: ${name}`)
}

function putNumber(header: Buffer, value: number, at: number, length: number): void {
  const digits = value.toString(8)
  if (digits.length < length) {
    header.write(`${digits.padStart(length - 1, '0')}\0`, at, 'latin1')
    return
  }
  header.writeBigUInt64BE(BigInt(value), at + length - 8)
  header[at] = 0x80
}

function checksumOf(header: Buffer): number {
  let sum = 8 * 0x20
  for (let at = 0; at < block; at++) if (at < 148 || at >= 156) sum += header[at]!
  return sum
}

/** The header of an entry. @throws when its name does not fit */
export function tarHeader({ name, type, mode, time, size, target }: TarEntry): Buffer {
  const header = Buffer.alloc(block)
  const [prefix, rest] = splitName(type === 'folder' ? `${name}/` : name)
  if (Buffer.byteLength(target) > 100) throw new Error(`The link leads too far for an archive: ${target}`)
  header.write(rest, 0)
  putNumber(header, mode, 100, 8)
  putNumber(header, 0, 108, 8)
  putNumber(header, 0, 116, 8)
  putNumber(header, size, 124, 12)
  putNumber(header, time, 136, 12)
  header.write(types[type], 156)
  header.write(target, 157)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(prefix, 345)
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

const textAt = (header: Buffer, at: number, length: number): string => {
  const end = header.subarray(at, at + length).indexOf(0)
  return header.toString('utf8', at, at + (end < 0 ? length : end))
}

function numberAt(header: Buffer, at: number, length: number): number {
  if ((header[at]! & 0x80) !== 0) return Number(header.readBigUInt64BE(at + length - 8))
  return Number.parseInt(textAt(header, at, length).trim() || '0', 8)
}

/** What a header says; undefined for the empty block at the end. @throws when it is none */
function readHeader(header: Buffer): TarEntry | undefined {
  if (header.every(byte => byte === 0)) return undefined
  const type = { '0': 'file', '\0': 'file', '5': 'folder', '2': 'link' }[String.fromCharCode(header[156]!)]
  if (numberAt(header, 148, 8) !== checksumOf(header) || !type)
    throw new Error('This is no archive, or it is damaged: one of its headers cannot be read.')
  const prefix = textAt(header, 345, 155)
  const name = textAt(header, 0, 100).replace(/\/$/, '')
  return {
    name: prefix ? `${prefix}/${name}` : name,
    type: type as TarEntry['type'],
    mode: numberAt(header, 100, 8) & 0o7777,
    time: numberAt(header, 136, 12),
    size: type === 'file' ? numberAt(header, 124, 12) : 0,
    target: textAt(header, 157, 100),
  }
}

/** Gives the bytes of a stream in the portions that are asked for. */
export class ByteReader {
  #held: Buffer = Buffer.alloc(0)
  readonly #chunks: AsyncIterator<Buffer>

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Exactly so many bytes, which must be few. @throws when the stream ends before */
  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.pass(length)) parts.push(part)
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  /** Lets everything pass that is left. */
  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }

  /** So many bytes, as they come. @throws when the stream ends before */
  async *pass(length: number): AsyncGenerator<Buffer> {
    let left = length
    while (left > 0) {
      if (this.#held.length === 0) {
        const { value, done } = await this.#chunks.next()
        if (done) throw new Error('The archive ends too early.')
        this.#held = value
        continue
      }
      const part = this.#held.subarray(0, left)
      this.#held = this.#held.subarray(part.length)
      left -= part.length
      yield part
    }
  }
}

/** An entry with its content, which must be read before the next entry is asked for. */
export interface OpenEntry {
  readonly entry: TarEntry
  readonly content: AsyncIterable<Buffer>
}

/**
 * The entries of an archive as its bytes arrive.
 * @throws when it is damaged or ends too early
 */
export async function* readTar(bytes: ByteReader): AsyncGenerator<OpenEntry> {
  for (;;) {
    const entry = readHeader(await bytes.take(block))
    if (!entry) return
    let isRead = entry.size === 0
    async function* content() {
      yield* bytes.pass(entry!.size)
      isRead = true
    }
    yield { entry, content: content() }
    if (!isRead) throw new Error(`The content of ${entry.name} was not read to its end.`)
    await bytes.take(paddingOf(entry.size))
  }
}

/** Where an entry stands in an archive on disk. */
export interface PlacedEntry extends TarEntry {
  /** Where its header begins. */
  readonly at: number
  /** Where the next header begins. */
  readonly end: number
}

/** The entries of an archive on disk; contents are passed over. @throws when it is damaged or ends too early */
export async function* scanTar(file: FileHandle, from = 0): AsyncGenerator<PlacedEntry> {
  const { size } = await file.stat()
  const header = Buffer.alloc(block)
  for (let at = from; ; ) {
    const { bytesRead } = await file.read(header, 0, block, at)
    if (bytesRead < block) throw new Error('The archive ends too early.')
    const entry = readHeader(header)
    if (!entry) return
    const end = at + block + entry.size + paddingOf(entry.size)
    if (end > size) throw new Error('The archive ends too early.')
    yield { ...entry, at, end }
    at = end
  }
}

const portion = 1024 * 1024

/** The bytes of a file from one place to another, at most a megabyte at a time. */
export async function* bytesOf(file: FileHandle, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; ) {
    const bytes = Buffer.allocUnsafe(Math.min(portion, to - at))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, at)
    if (bytesRead === 0) throw new Error('The archive ends too early.')
    at += bytesRead
    yield bytes.subarray(0, bytesRead)
  }
}
