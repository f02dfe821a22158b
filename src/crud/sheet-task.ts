import { sql } from 'kysely'
import { TaskStatus } from '#schemas/dictionaries'
import type { Stores } from '../platform/channels/storage/stores.ts'
import type { Reader } from '../platform/database/database.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { workbookType } from './export-kind.ts'
import { digest, storeFile } from './stored-file.ts'

/** The same file is not taken in twice for the same business within this time, in milliseconds. */
const again = 10 * 60_000

/** A workbook as it arrived. Mode 1 takes all rows or none, 2 the good ones. */
export interface Upload {
  file: Buffer
  fileName: string
  mode: 1 | 2
}

/** Who takes a workbook in, when, and what for. */
export interface Taking {
  storage: Stores
  tenantId: string
  userId: string
  now: Date
  /** Key of dictionary `import_biz`, or the name of the resource. */
  business: string
  /** The row that the workbook is about. */
  place: string | null
}

/** What came of an import. */
export interface TaskOutcome {
  totalNum: number
  okNum: number
  errNum: number
  /** The sheet with the reasons; null when no row was wrong. */
  errSheet: Buffer | null
}

/**
 * Refuses a file that was taken in a moment ago, or is just being taken in: two clicks are one import.
 * @throws input.repeated
 */
export async function refuseRepeated(trx: Reader, taking: Taking, file: Buffer): Promise<void> {
  const { tenantId, business, place, now } = taking
  const sha256 = digest(file)
  const key = ['import', tenantId, business, place, sha256].join(' ')
  const lock = await sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) AS mine`
    .execute(trx)
    .then(({ rows }) => rows[0])
  const found = await trx
    .selectFrom('attach')
    .innerJoin('importtask as task', 'task.fileId', 'attach.id')
    .select('task.id')
    .where('attach.tenantId', '=', tenantId)
    .where('attach.sha256', '=', sha256)
    .where('attach.ownerId', place === null ? 'is' : '=', place)
    .where(sql<boolean>`task."bizType" = ${business}`)
    .where('task.taskStatus', '=', TaskStatus.done)
    .where('task.createTime', '>', new Date(now.getTime() - again))
    .executeTakeFirst()
  if (!lock?.mine || found) throw refuse('input.repeated')
}

const ownerOf = ({ tenantId, userId, place }: Taking) =>
  ({ tenantId, userId, ownerType: 'task', ownerId: place, contentType: workbookType }) as const

/** Writes down that an import has begun, with the file as it came. @returns the id of its task */
export async function beginTask(trx: Reader, taking: Taking, { file, fileName, mode }: Upload): Promise<string> {
  const { storage, tenantId, userId, now, business } = taking
  const { id: fileId } = await storeFile({ storage }, trx, { ...ownerOf(taking), bytes: file, name: fileName }, now)
  const task = { bizType: business as 'result', fileId, mode, taskStatus: TaskStatus.running }
  const stamps = { tenantId, createUser: userId, createTime: now, updateUser: userId, updateTime: now }
  const { id } = await trx
    .insertInto('importtask')
    .values({ ...task, ...stamps })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Writes down what became of an import, and the workbook with the reasons. Its maker may read both files.
 * @returns the id of the workbook with the reasons; null when no row was wrong
 */
export async function endTask(
  trx: Reader,
  taking: Taking,
  taskId: string,
  { fileName }: Upload,
  { errSheet, ...outcome }: TaskOutcome,
): Promise<string | null> {
  const { storage, now } = taking
  const name = `错误明细-${fileName}`
  const kept = errSheet && (await storeFile({ storage }, trx, { ...ownerOf(taking), bytes: errSheet, name }, now))
  const errFile = kept?.id ?? null
  await trx
    .updateTable('importtask')
    .set({ ...outcome, errFile, taskStatus: outcome.okNum > 0 ? TaskStatus.done : TaskStatus.failed })
    .where('id', '=', taskId)
    .execute()
  return errFile
}
