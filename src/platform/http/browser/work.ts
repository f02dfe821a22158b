import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Work as Asked } from '../contract.ts'

/** A calculation the server asks for: the number below `maxnumber` whose SHA-256 behind `salt` is `challenge`. */
export type Work = Pick<Asked, 'challenge' | 'salt' | 'maxnumber'>

/** Milliseconds of calculating between two looks at what the person does. */
const SLICE = 24

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve))

/**
 * Finds the number. It calculates in slices beside what the page does, and needs nothing of the browser: its own SHA-256 is
 * missing where a page came over plain http.
 * @throws when there is no such number, which the server never asks for
 */
export async function solve({ challenge, salt, maxnumber }: Work): Promise<number> {
  const encoder = new TextEncoder()
  const first = Number.parseInt(challenge.slice(0, 8), 16)
  let until = performance.now() + SLICE
  for (let number = 0; number < maxnumber; number++) {
    const digest = sha256(encoder.encode(salt + number))
    const start = ((digest[0]! << 24) | (digest[1]! << 16) | (digest[2]! << 8) | digest[3]!) >>> 0
    if (start === first && bytesToHex(digest) === challenge) return number
    if (number % 64 === 0 && performance.now() > until) {
      await pause()
      until = performance.now() + SLICE
    }
  }
  throw new Error('The challenge has no solution.')
}
