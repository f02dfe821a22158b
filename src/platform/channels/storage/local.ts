import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { checkedKey, type Storage, StorageError } from './index.ts'

/** Writes beside the target, flushes, then renames: a reader sees the old file, the new one or none, never half. */
async function writeWhole(target: string, bytes: Uint8Array | Readable): Promise<void> {
  const draft = `${target}.${randomBytes(4).toString('hex')}`
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

/** A storage in a local folder, made when first written to. A key that could point outside it throws. */
export function localStorage(dir: string): Storage {
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
  }
}
