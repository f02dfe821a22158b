import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBackup, syncFolder } from './backup-file.ts'
import { filesBelow } from './files-part.ts'
import type { Installation } from './installation.ts'
import { backupName } from './take-backup.ts'

/** Milliseconds: between two looks for new files, and for how long a file may be on its way after its row was made. */
const every = 10_000
const onTheWay = 900_000
/** Rows of one look. */
const portion = 2000

/** The least id that rows of a moment have: ids begin with the time. */
const idAt = (moment: Date): bigint => BigInt(Math.max(0, moment.getTime() - 1_288_834_974_657)) << 22n

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

/** Copies a file beside its name, flushes it, and gives it its name. @returns false when there is none */
async function copyWhole(from: string, to: string): Promise<boolean> {
  await mkdir(path.dirname(to), { recursive: true })
  const draft = `${to}.part`
  try {
    await copyFile(from, draft)
  } catch (error) {
    await rm(draft, { force: true })
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  const file = await open(draft, 'r+')
  await file.sync().finally(() => file.close())
  await rename(draft, to)
  await syncFolder(path.dirname(to))
  return true
}

/** Copies files whose rows were made since a moment, as far as they are in the folder of data. @returns how many */
export async function keepFiles({ pool, dataDir }: Installation, to: string, since: Date): Promise<number> {
  let [after, copied] = [String(idAt(since)), 0]
  for (;;) {
    const { rows } = await pool.query<{ id: string; name: string }>(
      `SELECT id::text, name FROM attach WHERE id > $1 ORDER BY id LIMIT ${portion}`,
      [after],
    )
    for (const { name } of rows) {
      if (!name || name.startsWith('oss-')) continue
      const [from, target] = [path.join(dataDir, 'files', name), path.join(to, 'files', name)]
      if (!(await isThere(target)) && (await copyWhole(from, target))) copied++
    }
    const last = rows.at(-1)
    if (!last) return copied
    after = last.id
  }
}

/** When the last whole backup of a folder was begun; files from before are in it. */
async function lastBackup(folder: string): Promise<Date> {
  for (const name of (await readdir(folder))
    .filter(one => backupName.test(one))
    .toSorted()
    .reverse()) {
    const backup = await openBackup(path.join(folder, name)).catch(() => null)
    await backup?.close()
    if (backup?.manifest.kind === 'physical') return new Date(backup.manifest.began)
  }
  return new Date(0)
}

/**
 * Keeps files that come after the last backup, so that what is restored to a later moment finds them.
 * @param say told when it does not work; it is tried again
 */
export async function watchFiles(
  installation: Installation,
  { to, signal, say }: { to: string; signal: AbortSignal; say: (sentence: string) => void },
): Promise<void> {
  let since: Date | undefined
  let isTold = false
  while (!signal.aborted) {
    const began = Date.now()
    try {
      await mkdir(to, { recursive: true })
      since ??= await lastBackup(to)
      await keepFiles(installation, to, new Date(since.getTime() - onTheWay))
      since = new Date(began)
      isTold = false
    } catch (error) {
      if (!isTold) say(`New files are not kept: ${(error as Error).message}. It is tried again.`)
      isTold = true
    }
    await sleep(every, undefined, { signal }).catch(() => {})
  }
}

/** Puts files that were kept beside those of a backup. @returns how many were added */
export async function addKept(folder: string, into: string): Promise<number> {
  let added = 0
  for await (const name of filesBelow(path.join(folder, 'files'))) {
    const target = path.join(into, name)
    if (name.endsWith('.part') || (await isThere(target))) continue
    if (await copyWhole(path.join(folder, 'files', name), target)) added++
  }
  return added
}
