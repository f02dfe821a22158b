import { Readable } from 'node:stream'
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'

/** One file of a zip archive whose parts are kept apart: what its list of contents says. */
export interface ZipRecord {
  readonly name: string
  readonly crc: number
  readonly size: number
  readonly packed: number
  /** 8 deflated, 0 as it is. */
  readonly method: 0 | 8
  /** Where it begins within its part. */
  readonly offset: number
  /** Date and time as zip has them. */
  readonly stamp: number
  /** Its sums stand behind its bytes: they were not known before. */
  readonly isStreamed?: true
}

const most32 = 0xffffffff

/** An instant as zip has it: two seconds exact, in Shanghai. */
export function zipStamp(at: Date): number {
  const local = new Date(at.getTime() + 8 * 3600_000)
  const date = ((local.getUTCFullYear() - 1980) << 9) | ((local.getUTCMonth() + 1) << 5) | local.getUTCDate()
  const time = (local.getUTCHours() << 11) | (local.getUTCMinutes() << 5) | (local.getUTCSeconds() >> 1)
  return date * 0x10000 + time
}

/** Names are UTF-8. */
const flags = 0x800
/** The sums stand behind the bytes. */
const streamed = 0x8
const version = 45
/** Made as on Unix: names are then taken as they are, and files are read by everybody and written by their owner. */
const made = 0x0300 + version
const mode = 0o100644 * 0x10000

/**
 * The bytes of one file of an archive, with its header, and its record.
 * @param offset where it begins within its part
 */
export function zipFile(
  { name, bytes, compress, stamp }: { name: string; bytes: Buffer; compress: boolean; stamp: number },
  offset: number,
): { bytes: readonly Buffer[]; record: ZipRecord } {
  const deflated = compress ? deflateRawSync(bytes) : bytes
  const isSmaller = compress && deflated.length < bytes.length
  const [body, method] = isSmaller ? ([deflated, 8] as const) : ([bytes, 0] as const)
  const record = { name, crc: crc32(bytes), size: bytes.length, packed: body.length, method, offset, stamp }
  return { bytes: [headOf(record), body], record }
}

/** What stands before the bytes of a file. */
function headOf({ name, method, stamp, crc, packed, size, isStreamed }: ZipRecord): Buffer {
  const path = Buffer.from(name)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(isStreamed ? flags | streamed : flags, 6)
  head.writeUInt16LE(method, 8)
  head.writeUInt16LE(stamp % 0x10000, 10)
  head.writeUInt16LE(Math.floor(stamp / 0x10000), 12)
  head.writeUInt32LE(crc, 14)
  head.writeUInt32LE(packed, 18)
  head.writeUInt32LE(size, 22)
  head.writeUInt16LE(path.length, 26)
  return Buffer.concat([head, path])
}

/**
 * The bytes of one file of an archive that is too long to be held: they are packed while they come, and its sums stand behind them.
 * @param file `bytes` come one after another; `compress` is false for what is packed already, which is then wrapped
 * @param offset where it begins within its part
 * @param done called with its record when all bytes have come
 * @throws when it has 4 GiB or more
 */
export async function* zipStream(
  { name, bytes, compress, stamp }: { name: string; bytes: AsyncIterable<Buffer>; compress: boolean; stamp: number },
  offset: number,
  done: (record: ZipRecord) => void,
): AsyncGenerator<Buffer> {
  let [crc, size, packed] = [0, 0, 0]
  const begun = { name, crc, size, packed, method: 8, offset, stamp, isStreamed: true } as const
  yield headOf(begun)
  async function* summed() {
    for await (const part of bytes) {
      crc = crc32(part, crc)
      size += part.length
      yield part
    }
  }
  const deflated = Readable.from(summed(), { objectMode: false }).compose(createDeflateRaw({ level: compress ? 6 : 0 }))
  for await (const part of deflated as AsyncIterable<Buffer>) {
    packed += part.length
    yield part
  }
  if (size >= most32 || packed >= most32) throw new Error(`${name} is too long for an archive.`)
  const sums = Buffer.alloc(16)
  sums.writeUInt32LE(0x08074b50, 0)
  sums.writeUInt32LE(crc, 4)
  sums.writeUInt32LE(packed, 8)
  sums.writeUInt32LE(size, 12)
  yield sums
  done({ ...begun, crc, size, packed })
}

/** The entry of one file in the list of contents. @param start where its part begins within the archive */
export function zipEntry(record: ZipRecord, start: number): Buffer {
  const path = Buffer.from(record.name)
  const at = start + record.offset
  const isFar = at >= most32
  const extra = Buffer.alloc(isFar ? 12 : 0)
  if (isFar) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(8, 2)
    extra.writeBigUInt64LE(BigInt(at), 4)
  }
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(made, 4)
  entry.writeUInt16LE(version, 6)
  entry.writeUInt16LE(record.isStreamed ? flags | streamed : flags, 8)
  entry.writeUInt16LE(record.method, 10)
  entry.writeUInt16LE(record.stamp % 0x10000, 12)
  entry.writeUInt16LE(Math.floor(record.stamp / 0x10000), 14)
  entry.writeUInt32LE(record.crc, 16)
  entry.writeUInt32LE(record.packed, 20)
  entry.writeUInt32LE(record.size, 24)
  entry.writeUInt16LE(path.length, 28)
  entry.writeUInt16LE(extra.length, 30)
  entry.writeUInt32LE(mode, 38)
  entry.writeUInt32LE(isFar ? most32 : at, 42)
  return Buffer.concat([entry, path, extra])
}

/** The end of an archive, in the form for large ones, too, where it needs that. */
export function zipEnd(count: number, size: number, start: number): Buffer {
  const isLarge = count >= 0xffff || size >= most32 || start >= most32
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(isLarge ? 0xffff : count, 8)
  end.writeUInt16LE(isLarge ? 0xffff : count, 10)
  end.writeUInt32LE(isLarge ? most32 : size, 12)
  end.writeUInt32LE(isLarge ? most32 : start, 16)
  if (!isLarge) return end
  const large = Buffer.alloc(56)
  large.writeUInt32LE(0x06064b50, 0)
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(version, 12)
  large.writeUInt16LE(version, 14)
  large.writeBigUInt64LE(BigInt(count), 24)
  large.writeBigUInt64LE(BigInt(count), 32)
  large.writeBigUInt64LE(BigInt(size), 40)
  large.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(start + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([large, locator, end])
}
