import { chown, copyFile, open, readdir, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Manifest, type OpenBackup, openBackup } from './backup-file.ts'
import { startCopy } from './copy-cluster.ts'
import type { RestoredCluster } from './restore.ts'
import { backupName } from './take-backup.ts'
import { readOrigin, segmentsIn } from './wal-folder.ts'
import { isHistory, lsnOf, type Segment, segmentName } from './wal-names.ts'

const form = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?) ?(Z|[+-]\d{2}(?::?\d{2})?)?$/

/**
 * A moment as an operator writes it, for example `2026-11-22 10:13:09+08`; without a zone it is one of Asia/Shanghai.
 * @throws when it is none
 */
export function momentOf(text: string): Date {
  const [, day, time = '', zone = '+08:00'] = form.exec(text.trim()) ?? []
  const offset = zone.replace(/^([+-]\d{2})(\d{2})?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`)
  const moment = new Date(`${day}T${time.length === 5 ? `${time}:00` : time}${offset}`)
  if (!day || Number.isNaN(moment.getTime()))
    throw new Error(`"${text}" is no moment such as '2026-11-22 10:13:09+08'.`)
  return moment
}

/** A moment as `recovery_target_time` takes it: with a space and with an offset. */
const postgresMoment = (moment: Date): string => moment.toISOString().replace('T', ' ').replace('Z', '+00')

/**
 * The backup of a folder from which a moment is reached: the last one that had ended by then.
 * @throws when there is none
 */
export async function backupBefore(folder: string, moment: Date): Promise<string> {
  const names = (await readdir(folder))
    .filter(name => backupName.test(name))
    .toSorted()
    .reverse()
  for (const name of names) {
    const file = path.join(folder, name)
    const backup = await openBackup(file).catch(() => null)
    await backup?.close()
    if (backup?.manifest.wal && new Date(backup.manifest.wal.time) <= moment) return file
  }
  throw new Error(`${folder} holds no whole backup that had ended by ${moment.toISOString()}.`)
}

/** Puts the log where the cluster looks for it. @returns where it has a gap, if it has */
async function layOut(
  folder: string,
  { data, owner }: RestoredCluster,
  start: Segment,
  size: number,
): Promise<string | undefined> {
  const into = path.join(data, 'pg_wal')
  const there = new Set(await readdir(into))
  const put = async (name: string, as: string) => {
    const target = path.join(into, as)
    await copyFile(path.join(folder, name), target)
    // What the last file lacks reads as the end of the log.
    if (!isHistory(as)) await truncate(target, size)
    if (owner) await chown(target, owner.uid, owner.gid)
    const file = await open(target, 'r+')
    await file.sync().finally(() => file.close())
  }
  for (const name of await readdir(folder)) if (isHistory(name)) await put(name, name)
  const segments = (await segmentsIn(folder, size)).filter(one => one.number >= start.number)
  for (const one of segments) {
    const name = segmentName(one, size)
    // The backup's own last file is whole; what has arrived of it may be less.
    if (!one.isPartial) await put(name, name)
    else if (!there.has(name)) await put(`${name}.partial`, name)
  }
  const numbers = new Set([...segments.map(({ number }) => number)])
  const last = segments.reduce((most, { number }) => (number > most ? number : most), start.number)
  for (let number = start.number; number < last; number++)
    if (!numbers.has(number) && !there.has(segmentName({ timeline: start.timeline, number }, size)))
      return segmentName({ timeline: start.timeline, number }, size)
  return undefined
}

/**
 * Makes sure that a backup can be brought to a moment by the log of a folder.
 * @throws in words when it cannot
 */
export async function checkMoment(manifest: Manifest, moment: Date, folder: string): Promise<void> {
  const { wal } = manifest
  if (!wal) throw new Error('A backup of rows only cannot be brought to a moment: take one without --logical.')
  if (moment < new Date(wal.time))
    throw new Error(`This backup had not ended by ${postgresMoment(moment)}, but at ${wal.time}: restore an older one.`)
  const origin = await readOrigin(folder)
  if (!origin) throw new Error(`${folder} holds no log: start \`npm run backup -- watch\` to receive it.`)
  if (origin.system !== wal.system)
    throw new Error(`${folder} holds the log of another cluster than that of this backup.`)
}

/**
 * Brings a restored cluster to what it was at a moment, by the log that was received since its backup, which must suit
 * ({@link checkMoment}).
 * @param folder where `watch` keeps the log
 * @returns what PostgreSQL says it has reached
 * @throws in words when the log does not reach so far, or begins later than the backup
 */
export async function recoverTo(
  { manifest }: OpenBackup,
  cluster: RestoredCluster,
  moment: Date,
  folder: string,
  say: (sentence: string) => void,
): Promise<string> {
  const wal = manifest.wal!
  const { segmentSize: size } = wal
  const start = { timeline: wal.timeline, number: lsnOf(wal.start) / BigInt(size), isPartial: false }
  const gap = await layOut(folder, cluster, start, size)
  const signal = path.join(cluster.data, 'recovery.signal')
  await writeFile(signal, '')
  if (cluster.owner) await chown(signal, cluster.owner.uid, cluster.owner.gid)
  const settings = {
    recovery_target_time: postgresMoment(moment),
    recovery_target_action: 'promote',
    recovery_target_timeline: 'latest',
    // The log is where the cluster keeps its own: nothing has to be fetched.
    restore_command: 'exit 1',
  }
  try {
    const copy = await startCopy(manifest, cluster, settings, say)
    const reached = /last completed transaction was at log time (.+)/.exec(copy.log())?.[1]
    await copy.stop()
    return reached ?? 'the end of the backup'
  } catch (error) {
    throw explained(error as Error, moment, gap)
  }
}

function explained(error: Error, moment: Date, gap: string | undefined): Error {
  const told = error.message
  const asked = postgresMoment(moment)
  if (/recovery ended before configured recovery target/.test(told)) {
    const reached = /last completed transaction was at log time (.+)/.exec(told)?.[1]
    const missing = gap ? ` ${gap} is missing in it.` : ''
    return new Error(
      `The log that was received ends before ${asked}.${missing} ${reached ? `The last change in it is of ${reached}` : 'It holds no change since the backup'}: give that moment or an earlier one.`,
      { cause: error },
    )
  }
  return error
}
