import { createHash } from 'node:crypto'

/** A source of numbers in [0, 1) that repeats itself for the same seed (xoshiro128**, seeded by SHA-256). */
export function seeded(seed: string): () => number {
  const digest = createHash('sha256').update(seed).digest()
  let [a, b, c, d] = [0, 4, 8, 12].map(offset => digest.readUInt32LE(offset)) as [number, number, number, number]
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
