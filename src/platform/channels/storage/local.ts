import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkedKey, isKey, type Listed, type Marker, StorageError, type WholeStorage } from './index.ts'

/** Writes beside the target, flushes, then renames: a reader sees the old file, the new one or none, never half. */
async function writeWhole(target: string, bytes: Uint8Array | Readable): Promise<void> {
  // Begins with a point, which no key does: what is cut short is never taken for a file.
  const draft = path.join(path.dirname(target), `.${path.basename(target)}.${randomBytes(4).toString('hex')}`)
  try {
    const file = await open(draft, 'wx')
    try {
      await writeFile(file, bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw isFull(error) ? new StorageError('磁盘空间不足', error) : error
  }
  await flushFolder(path.dirname(target))
}

const isFull = (error: unknown): boolean => /^(ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '')

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

const isMissing = (error: unknown): boolean => /^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')

const orNull = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch(error => {
    if (isMissing(error)) return null
    throw error
  })

/** Files below a folder, in the order of their keys. Those that go meanwhile are left out. */
async function* filesBelow(dir: string, before: string): AsyncGenerator<Listed> {
  const found = (await orNull(readdir(dir, { withFileTypes: true }))) ?? []
  for (const entry of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const [key, place] = [`${before}${entry.name}`, path.join(dir, entry.name)]
    if (!isKey(key)) continue
    if (entry.isDirectory()) {
      yield* filesBelow(place, `${key}/`)
      continue
    }
    const known = await orNull(stat(place))
    if (known) yield { key, size: known.size, time: known.mtime }
  }
}

/** A storage in a local folder, made when first written to. A key that could point outside it throws. */
export function localStorage(dir: string): WholeStorage {
  const place = (key: string): string => path.join(dir, ...checkedKey(key).split('/'))
  const keep = async (key: string, bytes: Uint8Array | Readable) => {
    const target = place(key)
    await mkdir(path.dirname(target), { recursive: true })
    await writeWhole(target, bytes)
  }
  return {
    put: keep,
    putStream: keep,
    get: async key => readFile(place(key)),
    open: key => createReadStream(place(key)),
    remove: async key => rm(place(key), { force: true }),
    size: async key => (await orNull(stat(place(key))))?.size ?? null,
    list: () => filesBelow(dir, ''),
  }
}

/** How often, and after how many milliseconds, a marker is read again that another process is just writing. */
const looks = { times: 5, pause: 100 }

/** The marker of a local folder, in its file `.store`. */
export function localMarker(dir: string): Marker {
  const file = path.join(dir, '.store')
  const read = async (): Promise<string | null> => {
    for (let left = looks.times; ; left--) {
      const text = await orNull(readFile(file, 'utf8'))
      const id = text?.trim()
      if (text === null || id || left === 0) return id || null
      await sleep(looks.pause)
    }
  }
  return {
    read,
    async write(id) {
      await mkdir(dir, { recursive: true })
      try {
        await writeFile(file, id, { flag: 'wx', flush: true })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        const there = await read()
        if (there !== null) return there
        // Left empty by a process that ended while it wrote.
        await writeWhole(file, Buffer.from(id))
      }
      await flushFolder(dir)
      return (await read()) ?? id
    },
    remove: () => rm(file, { force: true }),
  }
}
