import { chown, type FileHandle, mkdir, open, readlink, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Owner } from '../database/embedded/binaries.ts'
import { place } from '../database/embedded/embedded.ts'
import { type Manifest, type OpenBackup, openBackup, type PartName } from './backup-file.ts'
import { fingerprintOf, unwrapKey } from './key.ts'
import { prepareFolder } from './target-folder.ts'

/** What is needed to restore. */
export interface RestoreOptions {
  /** The folder of data that is made. */
  into: string
  /** As SECRET_KEY gives it. */
  secretKey: string | undefined
  /** Asks for what the key is wrapped with, where one is. */
  passphrase: () => Promise<string | undefined>
  /** Called with the sentences a person should read. */
  say: (sentence: string) => void
  /** Throws when the backup does not suit, before anything is written. */
  accept?: (manifest: Manifest) => Promise<void> | void
}

/** A folder of data while it is being filled. */
export interface Restored {
  readonly dataDir: string
  /** Of a physical backup: where its cluster is, and who runs it. */
  readonly cluster: RestoredCluster | undefined
}

/** A cluster that was restored. */
export interface RestoredCluster {
  readonly data: string
  readonly owner?: Owner
}

/**
 * The key that a backup needs.
 * @returns what `secret.key` is to hold; undefined where SECRET_KEY gives it
 * @throws when it is missing or another one
 */
export async function keyFor(
  backup: OpenBackup,
  { secretKey, passphrase }: Pick<RestoreOptions, 'secretKey' | 'passphrase'>,
): Promise<string | undefined> {
  const { key, digest } = backup
  if ('sealed' in key) {
    const word = await passphrase()
    if (!word) throw new Error('BACKUP_PASSPHRASE is missing: the key in this backup is wrapped with it.')
    return unwrapKey(key, word, digest)
  }
  if (!secretKey)
    throw new Error(
      'SECRET_KEY is missing: this backup was taken of an installation that was given its key, which is not part of it.',
    )
  if (fingerprintOf(secretKey) !== key.fingerprint)
    throw new Error('SECRET_KEY is not the key of the installation that this backup was taken of.')
  return undefined
}

const isSafe = (name: string): boolean =>
  name !== '' &&
  !path.posix.isAbsolute(name) &&
  !/[\\\0]/.test(name) &&
  !name.split('/').some(part => part === '..' || part === '')

const flushedTogether = 32

/** Writes a part of a backup into a folder. PostgreSQL takes a cluster only whose folder nobody else may read. */
async function extract(backup: OpenBackup, name: PartName, folder: string, owner?: Owner): Promise<void> {
  const part = backup.manifest.parts.find(one => one.name === name)
  if (!part) return
  const otherwise = name === 'postgres' ? 0o700 : 0o755
  const own = async (file: string) => owner && (await chown(file, owner.uid, owner.gid))
  const made = new Set<string>()
  const makeFolder = async (within: string, mode?: number): Promise<void> => {
    if (made.has(within)) return
    if (within !== '.') await makeFolder(path.posix.dirname(within))
    const full = path.join(folder, within)
    await mkdir(full, { recursive: true, mode: mode ?? otherwise })
    await own(full)
    made.add(within)
  }
  // Flushed beside one another: the disk takes them together.
  const flushing = new Set<Promise<void>>()
  let failure: unknown
  const flush = (file: FileHandle) => {
    const one = file
      .sync()
      .finally(() => file.close())
      .catch(error => {
        failure ??= error
      })
      .finally(() => flushing.delete(one))
    flushing.add(one)
  }
  for await (const { name: within, entry, content } of backup.entries(part)) {
    if (!isSafe(within) || entry.type === 'link')
      throw new Error(`This backup holds a name that leads elsewhere: ${entry.name}`)
    if (entry.type === 'folder') {
      await makeFolder(within, entry.mode)
      continue
    }
    await makeFolder(path.posix.dirname(within))
    const full = path.join(folder, within)
    const file = await open(full, 'wx', entry.mode)
    try {
      for await (const bytes of content()) await file.write(bytes)
      await file.utimes(entry.time, entry.time)
      await own(full)
    } catch (error) {
      await file.close()
      throw error
    }
    flush(file)
    if (flushing.size >= flushedTogether) await Promise.race(flushing)
    if (failure) throw failure
  }
  await Promise.all(flushing)
  if (failure) throw failure
}

/**
 * Restores a backup into an empty folder of data.
 * @param finish what is still to be done before the folder gets its name; it is given up when that throws
 * @throws in words when the backup is damaged, its key is missing or the folder is not empty; the folder is then as it was
 */
export async function restoreBackup<T>(
  file: string,
  options: RestoreOptions,
  finish: (backup: OpenBackup, restored: Restored) => Promise<T>,
): Promise<T> {
  const backup = await openBackup(file)
  try {
    const key = await keyFor(backup, options)
    await options.accept?.(backup.manifest)
    const target = await prepareFolder(options.into)
    const { draft } = target
    try {
      if (key !== undefined) await writeFile(path.join(draft, 'secret.key'), key, { mode: 0o600, flag: 'wx' })
      const cluster = backup.manifest.kind === 'physical' ? await place(draft, options.say) : undefined
      if (cluster) await extract(backup, 'postgres', cluster.data, cluster.owner)
      await extract(backup, 'files', path.join(draft, 'files'))
      await extract(backup, 'fonts', path.join(draft, 'fonts'))
      for (const name of ['elsewhere', 'tables'] as const) await passOver(backup, name)
      const done = await finish(backup, { dataDir: draft, cluster })
      await target.finish()
      return done
    } catch (error) {
      // The cluster is elsewhere where who runs it cannot reach the folder.
      const elsewhere = await readlink(path.join(draft, 'postgres')).catch(() => null)
      await target.abandon()
      if (elsewhere) await rm(path.dirname(elsewhere), { recursive: true, force: true })
      throw error
    }
  } finally {
    await backup.close()
  }
}

/** Compares a part with its digest. */
async function passOver(backup: OpenBackup, name: PartName): Promise<void> {
  const part = backup.manifest.parts.find(one => one.name === name)
  if (part) for await (const _ of backup.entries(part));
}
