import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { refuse } from '../domain/refusal.ts'

const inflated = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

/** What a workbook may be at most once unpacked: bytes of all parts together, and their number. */
export const workbookLimits = { bytes: 200 * 1024 * 1024, parts: 10_000, rows: 20_000 } as const

const unfit = () => refuse(28003)

interface Entry {
  name: string
  method: number
  packed: number
  offset: number
}

const endMark = 0x06054b50
const entryMark = 0x02014b50
const endLength = 22

/** The list at the end of a zip. Encrypted archives and those of more than 4 GB are no workbooks of ours. */
function entriesOf(zip: Buffer): Entry[] {
  let end = zip.length - endLength
  while (end >= 0 && zip.readUInt32LE(end) !== endMark) end--
  if (end < 0) throw unfit()
  const count = zip.readUInt16LE(end + 10)
  if (count > workbookLimits.parts) throw unfit()
  const entries: Entry[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let i = 0; i < count; i++) {
    if (zip.readUInt32LE(at) !== entryMark || zip.readUInt16LE(at + 8) & 1) throw unfit()
    const name = zip.readUInt16LE(at + 28)
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + name),
      method: zip.readUInt16LE(at + 10),
      packed: zip.readUInt32LE(at + 20),
      offset: zip.readUInt32LE(at + 42),
    })
    at += 46 + name + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

async function unpack(zip: Buffer, entry: Entry, left: number): Promise<Buffer> {
  const start = entry.offset + 30 + zip.readUInt16LE(entry.offset + 26) + zip.readUInt16LE(entry.offset + 28)
  const body = zip.subarray(start, start + entry.packed)
  if (entry.method === 8) return inflated(body, { maxOutputLength: Math.max(1, left) })
  if (entry.method !== 0 || body.length > left) throw unfit()
  return body
}

/**
 * Unpacks every part of a workbook once, counting real bytes (sizes a zip states may lie), and keeps those `keep`
 * asks for, by name. Refuses 28003 what is no zip, holds too much, or declares document types of its own.
 */
export async function workbookParts(zip: Buffer, keep: (name: string) => boolean): Promise<Map<string, Buffer>> {
  const kept = new Map<string, Buffer>()
  let left: number = workbookLimits.bytes
  try {
    for (const entry of entriesOf(zip)) {
      const bytes = await unpack(zip, entry, left)
      left -= bytes.length
      if (bytes.subarray(0, 4096).includes('<!DOCTYPE')) throw unfit()
      if (keep(entry.name)) kept.set(entry.name, bytes)
    }
  } catch {
    throw unfit()
  }
  return kept
}
