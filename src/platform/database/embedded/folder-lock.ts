import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Longer than anything done under the lock takes, in milliseconds. */
const maxAge = 120_000

/** Lock files that this process holds; one with our id that is not here is from an earlier process of the same id. */
const held = new Set<string>()

/**
 * Runs `work` while no other process of this machine works under the same lock file.
 * A lock left by a killed process is broken: its process is gone, or it is older than two minutes.
 */
export async function withFolderLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(file))) {
    await breakStale(file)
    await sleep(20)
  }
  try {
    return await work()
  } finally {
    held.delete(file)
    await rm(file, { force: true })
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' })
    held.add(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function breakStale(file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  const holder = await readFile(file, 'utf8').catch(() => '')
  if (!found || held.has(file) || !isStale(holder, found.mtimeMs)) return
  // Of several processes that see the same dead lock only one succeeds in renaming it.
  const grave = `${file}.${randomUUID()}`
  const buried = await rename(file, grave).then(
    () => true,
    () => false,
  )
  if (!buried) return
  const same = (await readFile(grave, 'utf8')) === holder
  if (same) await rm(grave, { force: true })
  else await rename(grave, file)
}

function isStale(holder: string, since: number): boolean {
  const age = Date.now() - since
  if (age > maxAge) return true
  // The holder creates the file and writes its id in two steps.
  if (holder === '') return age > 2000
  return Number(holder) === process.pid || !isAlive(Number(holder))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
