import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'

/** Where the bytes of files are kept. Keys come from {@link newKey} and say nothing about what they hold. */
export interface Storage {
  /** Keeps bytes under a key; once it has resolved they survive a power cut. An existing key is replaced as a whole. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** The bytes of a key. Rejects with `ENOENT` when there are none. */
  get(key: string): Promise<Buffer>
  /** The bytes of a key as a stream; a missing key shows as its `error`. */
  open(key: string): Readable
  /** Forgets a key; nothing happens when there is none. */
  remove(key: string): Promise<void>
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

/** Writes beside the target, flushes, then renames: a reader sees the old file, the new one or none, never half. */
async function writeWhole(target: string, bytes: Uint8Array): Promise<void> {
  const draft = `${target}.${randomBytes(4).toString('hex')}`
  try {
    const file = await open(draft, 'wx')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await flushFolder(path.dirname(target))
}

/** The name itself must reach the disk too. Windows cannot open a folder, and does this by itself. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A storage in a local folder, made when first written to. A key that could point outside it throws. */
export function localStorage(dir: string): Storage {
  const place = (key: string): string => {
    if (!keyForm.test(key)) throw new Error(`not a storage key: ${JSON.stringify(key)}`)
    return path.join(dir, ...key.split('/'))
  }
  return {
    async put(key, bytes) {
      const target = place(key)
      await mkdir(path.dirname(target), { recursive: true })
      await writeWhole(target, bytes)
    },
    get: async key => readFile(place(key)),
    open: key => createReadStream(place(key)),
    remove: async key => rm(place(key), { force: true }),
  }
}
