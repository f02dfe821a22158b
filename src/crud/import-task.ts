import { type Kysely, sql } from 'kysely'
import { TaskStatus } from '#schemas/dictionaries'
import type { Stores } from '../platform/channels/storage/stores.ts'
import type { Database } from '../platform/database/database.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { digest, storeFile } from './stored-file.ts'

/** The same file is not taken in twice for the same business within this time, in milliseconds. */
const again = 10 * 60_000

const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A workbook as it arrived. Mode 1 takes all rows or none, 2 the good ones. */
export interface Sheet {
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
  /** The exam, stage or other row the workbook is about. */
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
export async function refuseRepeated(trx: Kysely<Database>, taking: Taking, file: Buffer): Promise<void> {
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

/** Writes an import down: the file as it came, what became of it, and the sheet with the reasons. Its maker may read both. */
export async function writeTask(
  trx: Kysely<Database>,
  taking: Taking,
  { file, fileName, mode }: Sheet,
  { errSheet, ...outcome }: TaskOutcome,
): Promise<{ taskId: string; errFile: string | null }> {
  const { storage, tenantId, userId, now, business, place } = taking
  const owner = { tenantId, userId, ownerType: 'task', ownerId: place, contentType: spreadsheet } as const
  const keep = async (bytes: Buffer, name: string) =>
    (await storeFile({ storage }, trx, { ...owner, bytes, name }, now)).id
  const fileId = await keep(file, fileName)
  const errFile = errSheet && (await keep(errSheet, `错误明细-${fileName}`))
  const { id: taskId } = await trx
    .insertInto('importtask')
    .values({
      tenantId,
      bizType: business as 'result',
      fileId,
      mode,
      ...outcome,
      errFile,
      taskStatus: outcome.okNum > 0 ? TaskStatus.done : TaskStatus.failed,
      createUser: userId,
      createTime: now,
      updateUser: userId,
      updateTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { taskId, errFile }
}
