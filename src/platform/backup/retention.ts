import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { openBackup } from './backup-file.ts'
import { filesBelow } from './files-part.ts'
import { backupName } from './take-backup.ts'
import { readOrigin, segmentsIn } from './wal-folder.ts'
import { lsnOf, segmentName } from './wal-names.ts'

/**
 * Removes the older whole backups of a folder, and the log and files that only they needed. Those of rows only stay.
 * @param keep how many stay
 * @returns the names of the backups that were removed
 */
export async function keepNewest(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).filter(name => backupName.test(name) && !name.endsWith('-logical.tar'))
  const newest = names.toSorted().reverse()
  const over = newest.slice(keep)
  for (const name of over) await rm(path.join(folder, name), { force: true })
  const oldest = newest.slice(0, keep).at(-1)
  if (oldest && over.length > 0) await removeBefore(folder, path.join(folder, oldest))
  return over
}

/** Removes what was received before a backup began: it holds that itself. */
async function removeBefore(folder: string, oldest: string): Promise<void> {
  const backup = await openBackup(oldest)
  await backup.close()
  const { wal, began } = backup.manifest
  const log = path.join(folder, 'wal')
  const origin = await readOrigin(log)
  if (origin && wal && origin.system === wal.system) {
    const first = lsnOf(wal.start) / BigInt(origin.segmentSize)
    for (const one of await segmentsIn(log, origin.segmentSize))
      if (one.number < first && !one.isPartial)
        await rm(path.join(log, segmentName(one, origin.segmentSize)), { force: true })
  }
  for await (const name of filesBelow(path.join(folder, 'files'))) {
    const file = path.join(folder, 'files', name)
    const found = await stat(file).catch(() => null)
    if (found && found.mtimeMs < new Date(began).getTime()) await rm(file, { force: true })
  }
}
