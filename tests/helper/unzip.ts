import { crc32, inflateRawSync } from 'node:zlib'

/** The files of a zip archive by name, read from its own list of contents; sums are checked. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const found = new Map<string, Buffer>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [packed, lengths] = [bytes.readUInt32LE(at + 20), [28, 30, 32].map(place => bytes.readUInt16LE(at + place))]
    const [nameLength = 0, extra = 0, comment = 0] = lengths
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const local = bytes.readUInt32LE(at + 42)
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const data = bytes.subarray(begin, begin + packed)
    const whole = bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(data) : Buffer.from(data)
    if (crc32(whole) !== bytes.readUInt32LE(at + 16)) throw new Error(`${name} is damaged`)
    found.set(name, whole)
    at += 46 + nameLength + extra + comment
  }
  return found
}
