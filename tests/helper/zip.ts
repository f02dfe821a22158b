import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  name: string
  data: Buffer
  /** Unpacked size written into the zip instead of the true one. */
  statedSize?: number
}

function headers(part: ZipPart, packed: Buffer, offset: number): { local: Buffer; central: Buffer } {
  const name = Buffer.from(part.name)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(crc32(part.data), 10)
  common.writeUInt32LE(packed.length, 14)
  common.writeUInt32LE(part.statedSize ?? part.data.length, 18)
  common.writeUInt16LE(name.length, 22)
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(offset, 10)
  return {
    local: Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, packed]),
    central: Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, name]),
  }
}

/** A zip archive, honest or not, for tests of what reads them. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const part of parts) {
    const { local, central } = headers(part, deflateRawSync(part.data), offset)
    locals.push(local)
    centrals.push(central)
    offset += local.length
  }
  const list = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, list, end])
}
