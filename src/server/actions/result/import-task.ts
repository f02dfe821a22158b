import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { newKey, type Storage } from '../../channels/storage/index.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Database } from '../../plugins/database.ts'
import type { Mover } from '../exam/release.ts'

/** Where files and tasks of an import go. */
export interface TaskPlace {
  storage: Storage
  tenantId: string
  mover: Mover
}

/** The same file is not taken in twice within this time, in milliseconds. */
const again = 10 * 60_000
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Keeps a file of a task. @returns its id */
async function keepFile(db: Kysely<Database>, place: TaskPlace, bytes: Buffer, name: string): Promise<string> {
  const key = newKey('xlsx')
  await place.storage.put(key, bytes)
  const { userId, now } = place.mover
  const row = await db
    .insertInto('attach')
    .values({
      ...{ link: '', name: key, originalName: name.slice(-500), extension: 'xlsx', attachSize: bytes.length },
      ...{ contentType: xlsx, sha256: digest(bytes), ownerType: 'task', ownerId: 'result', visible: 3, scanState: 1 },
      ...{ ossCode: 'local', tenantId: place.tenantId, createUser: userId, createTime: now, updateTime: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const link = `/api/blade-resource/attach/download?id=${row.id}`
  await db.updateTable('attach').set({ link }).where('id', '=', row.id).execute()
  return row.id
}

/** Refuses a file that was taken in a moment ago. @throws 29006 */
export async function refuseRepeated(
  db: Kysely<Database>,
  { tenantId, mover }: TaskPlace,
  file: Buffer,
): Promise<void> {
  const found = await db
    .selectFrom('importtask as task')
    .innerJoin('attach', 'attach.id', 'task.fileId')
    .select('task.id')
    .where('task.tenantId', '=', tenantId)
    .where('task.bizType', '=', 'result')
    .where('task.taskStatus', '=', 2)
    .where('task.createTime', '>', new Date(mover.now.getTime() - again))
    .where('attach.sha256', '=', digest(file))
    .executeTakeFirst()
  if (found) throw refuse(29006)
}

/** What came of an import, and its files. */
export interface TaskOutcome {
  file: Buffer
  fileName: string
  mode: 1 | 2
  totalNum: number
  okNum: number
  errNum: number
  /** The wrong rows with their reasons; null when there is none. */
  errSheet: Buffer | null
}

/** Writes an import down: the file as it came, what became of it, and the sheet of the wrong rows. */
export async function writeTask(
  db: Kysely<Database>,
  place: TaskPlace,
  { file, fileName, errSheet, ...outcome }: TaskOutcome,
): Promise<{ taskId: string; errFile: string | null }> {
  const { userId, now } = place.mover
  const fileId = await keepFile(db, place, file, fileName)
  const errFile = errSheet && (await keepFile(db, place, errSheet, `错误明细-${fileName}`))
  const row = await db
    .insertInto('importtask')
    .values({
      ...{ tenantId: place.tenantId, bizType: 'result', fileId, ...outcome, errFile },
      taskStatus: outcome.okNum > 0 ? 2 : 3,
      ...{ createUser: userId, createTime: now, updateUser: userId, updateTime: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { taskId: row.id, errFile }
}
