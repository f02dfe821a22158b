import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Where Linux keeps files in memory. */
const memory = '/dev/shm'
/** What must be free there and in memory, bytes; what a run of the suite has at a time was seen to be below one GiB. */
const least = 8 * 2 ** 30

/**
 * Makes a folder in memory for the temporary files of this process and those it starts, and removes it when this process ends.
 * Tests make and remove databases of some thousand files by the hundred, which a file system on a disk does slower and slower.
 *
 * @returns The folder, or nothing where there is no room, where there is no such place, or where programs may not be started there.
 */
export function memoryFolder(): string | undefined {
  if (!hasRoom()) return
  const folder = mkdtempSync(path.join(memory, 'juxian-'))
  process.once('exit', () => removeFolder(folder))
  // As /tmp is: PostgreSQL is another user when root runs the tests.
  chmodSync(folder, 0o1777)
  return mayExecuteIn(folder) ? folder : undefined
}

/** A program that has not quite ended may still write there: what it leaves is no fault of the run. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch (error) {
    console.warn(`${folder} could not be removed: ${String(error)}`)
  }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, os.freemem()) >= least
  } catch {
    return false
  }
}

function mayExecuteIn(folder: string): boolean {
  const file = path.join(folder, 'try')
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(file)
  rmSync(file)
  return status === 0
}
