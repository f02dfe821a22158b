import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** A source of numbers in [0, 1) that repeats itself for the same seed (xoshiro128**, seeded by SHA-256). */
export function seeded(seed: string): () => number {
  const { buffer, byteOffset } = sha256(utf8ToBytes(seed))
  const digest = new DataView(buffer, byteOffset)
  let [a, b, c, d] = [0, 4, 8, 12].map(offset => digest.getUint32(offset, true)) as [number, number, number, number]
  const turn = (x: number, k: number) => (x << k) | (x >>> (32 - k))
  return () => {
    const result = Math.imul(turn(Math.imul(b, 5), 7), 9) >>> 0
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = turn(d, 11)
    return result / 2 ** 32
  }
}

/** A copy in an order drawn evenly from all orders (Fisher–Yates). */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const copy = [...list]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[copy[i], copy[j]] = [copy[j]!, copy[i]!]
  }
  return copy
}

/** Random bytes in hexadecimal digits, two for each byte. */
export const randomHex = (bytes: number): string => bytesToHex(crypto.getRandomValues(new Uint8Array(bytes)))

/** How many values {@link randomBelow} draws from. */
const drawn = 2 ** 48

/**
 * A random whole number from 0 to one less than the limit, every one equally likely.
 * @param limit 2 ** 48 at most
 */
export function randomBelow(limit: number): number {
  // Beyond the last multiple of the limit the smaller numbers would be more likely.
  const end = drawn - (drawn % limit)
  for (;;) {
    const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
    const value = (high & 0xffff) * 2 ** 32 + low
    if (value < end) return value % limit
  }
}
