import { createECDH, createHash, ECDH, timingSafeEqual } from 'node:crypto'

/** Longest cipher text that is looked at, in hex characters. A password needs about 500. */
const maxLength = 4096

const sm3 = (...parts: readonly Buffer[]) => {
  const hash = createHash('sm3')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The key stream of the standard: SM3 over the shared point and a counter. */
function keyStream(x: Buffer, y: Buffer, length: number): Buffer {
  const blocks: Buffer[] = []
  for (let counter = 1; blocks.length * 32 < length; counter++) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(counter)
    blocks.push(sm3(x, y, number))
  }
  return Buffer.concat(blocks).subarray(0, length)
}

/** Reads C1C2C3 with one of the two points that have the shared x; null when its check C3 does not hold. */
function openWith(x: Buffer, y: Buffer, body: Buffer, check: Buffer): string | null {
  const stream = keyStream(x, y, body.length)
  const text = Buffer.from(body.map((byte, i) => byte ^ stream[i]!))
  return timingSafeEqual(sm3(x, text, y), check) ? text.toString('utf8') : null
}

/**
 * Makes a reader of SM2 cipher texts in the form C1C2C3, hex, as browsers send passwords. It uses OpenSSL for the curve and
 * for SM3 (about 1,000 a second).
 * @param privateKey 64 hex characters
 * @returns a function that gives the text, or null when the cipher text is not one made for this key
 */
export function sm2Reader(privateKey: string): (cipher: string) => string | null {
  const pair = createECDH('SM2')
  pair.setPrivateKey(privateKey, 'hex')
  const read = (hex: string): string | null => {
    const bytes = Buffer.from(hex, 'hex')
    if (bytes.length < 64 + 1 + 32) return null
    const body = bytes.subarray(64, -32)
    const check = bytes.subarray(-32)
    try {
      const x = pair.computeSecret(Buffer.concat([Buffer.from([4]), bytes.subarray(0, 64)]))
      // The library gives only x of the shared point. Of the two points with this x the check tells the right one.
      for (const sign of [2, 3]) {
        const point = ECDH.convertKey(
          Buffer.concat([Buffer.from([sign]), x]),
          'SM2',
          undefined,
          undefined,
          'uncompressed',
        )
        const text = openWith(x, Buffer.from(point as unknown as Uint8Array).subarray(33), body, check)
        if (text !== null) return text
      }
    } catch {
      // C1 is no point of the curve.
    }
    return null
  }
  return cipher => {
    const hex = cipher.trim().toLowerCase()
    if (hex.length > maxLength || hex.length % 2 === 1 || !/^[0-9a-f]+$/.test(hex)) return null
    // One in 256 texts begins with 04 by chance: whether it is the mark of an uncompressed point only the check can tell.
    return read(hex) ?? (hex.startsWith('04') ? read(hex.slice(2)) : null)
  }
}
