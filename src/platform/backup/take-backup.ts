import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { BackupWriter, type Manifest } from './backup-file.ts'
import { asRun, openBeside, type Taken } from './backup-run.ts'
import { baseBackup, type CopySpan } from './base-backup.ts'
import { plainRows } from './copy.ts'
import { addElsewhere, addFolder } from './files-part.ts'
import { countTables, describe, type Installation, inSnapshot, readKey } from './installation.ts'

/** How a backup is taken. */
export interface BackupOptions {
  /** The folder that it goes into. */
  to: string
  /** Asks for what the key is wrapped with, where there is a key to be wrapped. */
  passphrase: () => Promise<string | undefined>
  /** The server takes it by itself. */
  isOwn?: boolean
  /** Ends it. */
  signal?: AbortSignal
}

/** A backup that was taken. */
export interface BackupTaken extends Taken {
  readonly manifest: Manifest
}

/** `juxian-20261124T041530Z.tar`, and `juxian-20261124T041530Z-logical.tar`. */
export const backupName = /^juxian-\d{8}T\d{6}Z(-logical)?\.tar$/

/** A name for a backup that is begun now. */
function nameNow(kind: Manifest['kind'], now = new Date()): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  return `juxian-${time}${kind === 'logical' ? '-logical' : ''}.tar`
}

/** Milliseconds after which what a killed backup has left is removed. */
const forgotten = 86_400_000

/** Removes from a folder what killed backups have left. */
async function sweepDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [] as string[])) {
    if (!backupName.test(name.replace(/\.part$/, '')) || !name.endsWith('.part')) continue
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => null)
    if (found && Date.now() - found.mtimeMs > forgotten) await rm(file, { force: true })
  }
}

/**
 * Writes a backup into a folder: what `work` writes, then the files. Files come after the database, while none is removed: each row
 * finds its file.
 */
export async function writeBackup(
  installation: Installation,
  kind: Manifest['kind'],
  { to, passphrase, isOwn = false, signal }: BackupOptions,
  work: (writer: BackupWriter, client: pg.Client) => Promise<Pick<Manifest, 'tables' | 'wal' | 'logical'>>,
): Promise<BackupTaken> {
  const sealKey = await readKey(installation, passphrase)
  await mkdir(to, { recursive: true })
  await sweepDrafts(to)
  const file = path.join(to, nameNow(kind))
  const client = await openBeside(installation.pool)
  try {
    const about = await describe(client)
    return await asRun(installation.pool, { kind, file, isOwn }, async lost => {
      const began = new Date().toISOString()
      const writer = await BackupWriter.create(file, signal ? AbortSignal.any([lost, signal]) : lost)
      try {
        const copied = await work(writer, client)
        await addFolder(writer, 'files', path.join(installation.dataDir, 'files'))
        await addFolder(writer, 'fonts', path.join(installation.dataDir, 'fonts'))
        await addElsewhere(writer, client)
        const ended = new Date().toISOString()
        const manifest = await writer.finish({ kind, ...about, began, ended, ...copied }, sealKey)
        return { file, bytes: writer.bytes, manifest }
      } catch (error) {
        await writer.abandon()
        throw error
      }
    })
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Copies a running installation: its cluster as it lies on the disk, its files, its key.
 * @throws with what to do when it cannot; then nothing is left
 */
export function takeBackup(installation: Installation, options: BackupOptions): Promise<BackupTaken> {
  return writeBackup(installation, 'physical', options, async (writer, client) => {
    const tables = await inSnapshot(client, () => countTables(client))
    return { tables, wal: await copyCluster(installation.pool, client, writer) }
  })
}

async function copyCluster(pool: pg.Pool, beside: pg.Client, writer: BackupWriter): Promise<Manifest['wal']> {
  const client = await openReplication(pool)
  try {
    const [[system = ''] = []] = (await plainRows(client, 'IDENTIFY_SYSTEM')) as string[][]
    const [[size = ''] = []] = (await plainRows(client, 'SHOW wal_segment_size')) as string[][]
    const { entries, span } = baseBackup(client)
    writer.begin('postgres')
    for await (const { entry, content } of entries) {
      if (entry.type === 'link') throw new Error(`The folder of the database holds a link: ${entry.name}.`)
      await writer.add({ ...entry, name: `postgres/${entry.name}` }, content)
    }
    const { start, end, timeline }: CopySpan = span()
    const { rows } = await beside.query<{ now: Date }>('SELECT clock_timestamp() AS now')
    return { start, end, timeline, segmentSize: bytesOfSetting(size), system, time: rows[0]!.now.toISOString() }
  } finally {
    await client.end().catch(() => {})
  }
}

/** `16MB` as bytes. */
export function bytesOfSetting(text: string): number {
  const [, number = '0', unit = 'B'] = /^(\d+)(B|kB|MB|GB)$/.exec(text) ?? []
  return Number(number) * { B: 1, kB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }[unit as 'B' | 'kB' | 'MB' | 'GB']
}

/** The role of the database may not replicate; trying again does not help. */
export class MayNotReplicate extends Error {
  override name = 'MayNotReplicate'
}

/** Opens a connection for replication. @throws with what to grant when the role may not */
export async function openReplication(pool: pg.Pool): Promise<pg.Client> {
  try {
    return await openBeside(pool, { replication: 'true', options: undefined } as pg.ClientConfig)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== '42501' && code !== '28000') throw error
    throw new MayNotReplicate(
      `The role of the database may not copy it (${(error as Error).message}): say ALTER ROLE … REPLICATION and add a line "host replication …" to pg_hba.conf, or use --logical.`,
      { cause: error },
    )
  }
}
