import { once } from 'node:events'
import { createInflateRaw } from 'node:zlib'
import { refuse } from '../http/server/refusal.ts'
import { advice } from './file-advice.ts'

/** What an archive may be at most once unpacked: bytes of all parts together, and their number. A workbook may be less. */
export const archiveLimits = { bytes: 200 * 1024 * 1024, parts: 10_000 } as const

/** A part of an archive as its list names it. */
export interface Part {
  name: string
  method: number
  packed: number
  offset: number
}

const endMark = 0x06054b50
const entryMark = 0x02014b50
const endLength = 22
/** A comment behind the end is at most this long. */
const longestComment = 0xffff
/** Of a part that nobody asks for only its beginning is kept. */
const beginning = 4096

const unfit = () => refuse('file.contentInvalid', { 做法: advice.archive })

/** The list at the end of a zip. Encrypted archives and those of more than 4 GB are none of ours. */
export function partsOf(zip: Buffer): Part[] {
  let end = zip.length - endLength
  const last = Math.max(0, end - longestComment)
  while (end >= last && zip.readUInt32LE(end) !== endMark) end--
  if (end < last) throw unfit()
  const count = zip.readUInt16LE(end + 10)
  if (count > archiveLimits.parts) throw unfit()
  const parts: Part[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let i = 0; i < count; i++) {
    if (zip.readUInt32LE(at) !== entryMark || zip.readUInt16LE(at + 8) & 1) throw unfit()
    const name = zip.readUInt16LE(at + 28)
    parts.push({
      name: zip.toString('utf8', at + 46, at + 46 + name),
      method: zip.readUInt16LE(at + 10),
      packed: zip.readUInt32LE(at + 20),
      offset: zip.readUInt32LE(at + 42),
    })
    at += 46 + name + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return parts
}

/** Where the packed bytes of a part are. */
function bodyOf(zip: Buffer, { offset, packed }: Part): Buffer {
  const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
  return zip.subarray(start, start + packed)
}

/**
 * Unpacks one part piece by piece, so that it is never held as a whole. The archive has been read by
 * {@link readArchive}, which knows how much it holds. @throws file.contentInvalid when it is not there, and whatever
 * `take` throws
 */
export async function followPart(zip: Buffer, name: string, take: (chunk: Buffer) => void): Promise<void> {
  const part = partsOf(zip).find(one => one.name === name)
  if (!part) throw unfit()
  const body = bodyOf(zip, part)
  if (part.method === 0) return take(body)
  const stream = createInflateRaw()
  stream.end(body)
  for await (const chunk of stream as AsyncIterable<Buffer>) take(chunk)
}

/** Bytes of a part and how many there are; without `keep` only its first few are held. */
async function inflate(body: Buffer, left: number, keep: boolean): Promise<{ bytes: Buffer; size: number }> {
  const stream = createInflateRaw()
  const held: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    if (keep || size < beginning) held.push(chunk)
    size += chunk.length
    if (size > left) stream.destroy(unfit())
  })
  stream.end(body)
  await once(stream, 'end')
  return { bytes: Buffer.concat(held), size }
}

async function unpack(zip: Buffer, part: Part, left: number, keep: boolean): Promise<{ bytes: Buffer; size: number }> {
  const body = bodyOf(zip, part)
  if (part.method === 8) return inflate(body, left, keep)
  if (part.method !== 0 || body.length > left) throw unfit()
  return { bytes: body, size: body.length }
}

/**
 * Unpacks every part of an archive once, counting real bytes (sizes a zip states may lie), and keeps those `keep` asks
 * for, by name. Refuses file.contentInvalid what is no zip, holds too much, or declares document types of its own.
 */
export async function readArchive(
  zip: Buffer,
  keep: (name: string) => boolean,
  most: number = archiveLimits.bytes,
): Promise<Map<string, Buffer>> {
  const kept = new Map<string, Buffer>()
  let left = most
  try {
    for (const part of partsOf(zip)) {
      const wanted = keep(part.name)
      const { bytes, size } = await unpack(zip, part, left, wanted)
      left -= size
      if (bytes.subarray(0, beginning).includes('<!DOCTYPE')) throw unfit()
      if (wanted) kept.set(part.name, bytes)
    }
  } catch {
    throw unfit()
  }
  return kept
}
