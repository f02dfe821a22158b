import { mkdir, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from './backup-file.ts'

/** A folder that is filled beside its place, and gets it when all is there: until then the place stays empty. */
export interface TargetFolder {
  /** Where it is filled. */
  readonly draft: string
  /** Puts what was filled into its place. */
  finish(): Promise<void>
  /** Removes what was filled. */
  abandon(): Promise<void>
}

const hidden = '.restoring'

/**
 * Prepares a folder that must be empty, or not be there.
 * @throws when there is anything in it
 */
export async function prepareFolder(target: string): Promise<TargetFolder> {
  const found = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new Error(`${target} cannot be read (${error.code}).`, { cause: error })
  })
  if (found?.includes(hidden))
    throw new Error(
      `${target} holds ${hidden}, which a restore has left that did not end, or is still under way. Remove it to restore anew.`,
    )
  if (found && found.length > 0)
    throw new Error(`${target} is not empty: a backup is restored into an empty folder only.`)
  await mkdir(path.dirname(path.resolve(target)), { recursive: true })
  const parent = await realpath(path.dirname(path.resolve(target)))
  // What is mounted cannot be renamed: there it is filled inside, and moved up piece by piece.
  const isMount = found !== null && (await stat(target)).dev !== (await stat(parent)).dev
  const draft = isMount ? path.join(target, hidden) : path.join(parent, `${path.basename(target)}${hidden}`)
  await mkdir(draft, { mode: 0o755 }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'a restore has left it that did not end, or is still under way' : error.code
    throw new Error(`${draft} cannot be made: ${why}.`, { cause: error })
  })
  return {
    draft,
    async finish() {
      if (isMount) await moveUp(draft, target)
      else {
        if (found) await rmdir(target)
        await rename(draft, path.join(parent, path.basename(target)))
      }
      await syncFolder(parent)
    },
    abandon: () => rm(draft, { recursive: true, force: true }),
  }
}

/** The database last: without it a server would begin a new installation, and with files beside it nobody would notice. */
async function moveUp(draft: string, target: string): Promise<void> {
  const names = await readdir(draft)
  const isLast = (name: string) => (name === 'postgres' ? 1 : 0)
  for (const name of names.toSorted((a, b) => isLast(a) - isLast(b)))
    await rename(path.join(draft, name), path.join(target, name))
  await rmdir(draft)
}
