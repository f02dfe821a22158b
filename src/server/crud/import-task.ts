import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { newKey } from '../channels/storage/index.ts'
import { refuse } from '../domain/refusal.ts'
import type { Cell } from './encode.ts'
import { expression, q } from './fragment.ts'
import type { Values } from './input.ts'
import { insertion } from './insert.ts'
import { newRow, type Write } from './store.ts'

/** The same file is not taken in twice for the same business within this time, in milliseconds. */
const again = 10 * 60_000

const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Resources whose business has another name than they (`import_biz`). */
const businesses: Readonly<Record<string, string>> = { examitems: 'position' }

/** A workbook as it arrived. Mode 1 takes all rows or none, 2 the good ones. */
export interface Sheet {
  file: Buffer
  fileName: string
  mode: 1 | 2
}

/** What came of an import. */
export interface TaskOutcome {
  totalNum: number
  okNum: number
  errNum: number
  /** The sheet with the reasons; null when no row was wrong. */
  errSheet: Buffer | null
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const businessOf = ({ resource }: Write): string => businesses[resource.name] ?? resource.name

/** What a file was imported for besides its business: the exam or other row that its address named. */
const placeOf = (fixed: Values): string | null => {
  const [only] = Object.values(fixed)
  return only === undefined ? null : String(only)
}

/**
 * Refuses a file that was taken in a moment ago, or is just being taken in: two clicks are one import.
 * @param fixed the values that its address gave for every row
 * @throws 29006
 */
export async function refuseRepeated(write: Write, file: Buffer, fixed: Values): Promise<void> {
  const { trx, person, now } = write
  const [sha256, place, business] = [digest(file), placeOf(fixed), businessOf(write)]
  const key = ['import', person.tenantId, business, place, sha256].join(' ')
  const lock = await sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) AS mine`
    .execute(trx)
    .then(({ rows }) => rows[0])
  const found = await trx
    .selectFrom('attach')
    .innerJoin('importtask as task', 'task.fileId', 'attach.id')
    .select('task.id')
    .where('attach.tenantId', '=', person.tenantId)
    .where('attach.sha256', '=', sha256)
    .where('attach.ownerId', place === null ? 'is' : '=', place)
    .where(sql<boolean>`task."bizType" = ${business}`)
    .where('task.taskStatus', '=', 2)
    .where('task.createTime', '>', new Date(now.getTime() - again))
    .executeTakeFirst()
  if (!lock?.mine || found) throw refuse(29006)
}

/** Adds a row that only the server writes. @returns its id */
async function add(write: Write, entity: string, values: Values): Promise<string> {
  const { cells } = await newRow(write, {})
  const own = Object.entries(values).map(([column, value]): Cell => ({ column, value }))
  const row = insertion([{ entity, cells: [...cells, ...own] }])
  const { rows } = await expression<{ id: string }>(q`${row} RETURNING id`).execute(write.trx)
  return String(rows[0]?.id)
}

/** Keeps a file of an import; who made the import may read it. @returns its id */
async function keep(write: Write, bytes: Buffer, name: string, ownerId: string | null): Promise<string> {
  const key = newKey('xlsx')
  await write.app.storage.put(key, bytes)
  const id = await add(write, 'attach', {
    ...{ link: '', name: key, originalName: name.slice(-500), extension: 'xlsx', attachSize: bytes.length },
    ...{ contentType: spreadsheet, sha256: digest(bytes), ownerType: 'task', ownerId, visible: 3, scanState: 1 },
  })
  const link = `/api/blade-resource/attach/download?id=${id}`
  await write.trx.updateTable('attach').set({ link }).where('id', '=', id).execute()
  return id
}

/**
 * Writes an import down: the file as it came, what became of it, and the sheet with the reasons.
 * @returns the id of that sheet, `""` when no row was wrong
 */
export async function writeTask(
  write: Write,
  { file, fileName, mode }: Sheet,
  fixed: Values,
  { errSheet, ...outcome }: TaskOutcome,
): Promise<string> {
  const place = placeOf(fixed)
  const fileId = await keep(write, file, fileName, place)
  const errFile = errSheet && (await keep(write, errSheet, `错误明细-${fileName}`, place))
  const taskStatus = outcome.okNum > 0 ? 2 : 3
  await add(write, 'importtask', { bizType: businessOf(write), fileId, mode, ...outcome, errFile, taskStatus })
  return errFile ?? ''
}
