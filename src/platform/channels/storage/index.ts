import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Where the bytes of files are kept. Keys come from {@link newKey} and say nothing about what they hold. */
export interface Storage {
  /** Keeps bytes under a key; once it has resolved they survive a power cut. An existing key is replaced as a whole. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** As {@link put} for bytes of any number, of which only a few MB are in memory at a time. A source that fails leaves nothing. */
  putStream(key: string, bytes: Readable): Promise<void>
  /** The bytes of a key. Rejects with `ENOENT` when there are none. */
  get(key: string): Promise<Buffer>
  /** The bytes of a key as a stream; a missing key shows as its `error`. */
  open(key: string): Readable
  /** Forgets a key; nothing happens when there is none. */
  remove(key: string): Promise<void>
}

/** A file as a storage lists it. */
export interface Listed {
  key: string
  /** Bytes. */
  size: number
  /** When it was put there. */
  time: Date
}

/** A storage whose files can be counted and looked through. */
export interface WholeStorage extends Storage {
  /** Bytes of a key; null when there is none. */
  size(key: string): Promise<number | null>
  /** All files, in the order of their keys as {@link byKey} compares them. */
  list(): AsyncIterable<Listed>
}

/** Where a storage keeps the number by which its installation knows it again. */
export interface Marker {
  /** The number; null when there is none. */
  read(): Promise<string | null>
  /** Puts a number where there is none. @returns the number that is there now, which another process may have put */
  write(id: string): Promise<string>
  remove(): Promise<void>
}

/** The order of keys: folder by folder. */
export function byKey(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')]
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [x = '', y = ''] = [a[i], b[i]]
    if (x !== y) return x < y ? -1 : 1
  }
  return a.length - b.length
}

/** A storage cannot be used; the message says to an administrator why. */
export class StorageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StorageError'
  }
}

/**
 * A new random key of 128 bits in one of 256 folders, for example `3f/3f9c…e1.pdf`. `ext` is letters and digits only.
 */
export function newKey(ext = ''): string {
  const name = randomBytes(16).toString('hex')
  const ending = ext.toLowerCase().replace(/[^a-z0-9]/g, '')
  return `${name.slice(0, 2)}/${name}${ending ? `.${ending}` : ''}`
}

const keyForm = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*(\.[a-z0-9]+)?$/

/** Whether a text has the form of a key, which cannot point outside its storage. */
export const isKey = (text: string): boolean => keyForm.test(text)

/** Returns a key that cannot point outside its storage; any other throws. */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new Error(`not a storage key: ${JSON.stringify(key)}`)
  return key
}
