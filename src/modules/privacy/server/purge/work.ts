import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { tableOf } from '#engine'
import { datapurge } from '#resources/exams/datapurge'
import { PurgeStatus } from '#schemas/dictionaries'
import type { Datapurge } from '#schemas/exams/datapurge'
import type { Datapurgeline } from '#schemas/exams/datapurgeline'
import { makeTransition } from '../../../../crud/transition.ts'
import type { Trx } from '../../../../platform/database/database.ts'
import { type AcrossTrx, liveAcross, raw } from '../../../../platform/database/live.ts'
import type { Kind, Piece } from '../../../../platform/queue/piece.ts'
import { cutFacts, type Erasure, eraseDetails, eraseFacts, eraseRows } from '../erasing.ts'
import { countDue, figuresOf, nextEvents, purgedExam } from './count.ts'
import { filePart, isInUse, isLeft, type PurgedExam, type PurgePart, partOf } from './parts.ts'
import { keepProtocol, makeProtocol } from './protocol.ts'

declare module '../../../../platform/queue/piece.ts' {
  interface WorkKinds {
    /** Erases the data of an exam whose time is over, as it was confirmed. The key is the id of the erasure. */
    'privacy.purge': { purgeId: string }
  }
}

declare module '../../../../platform/database/tables.ts' {
  interface InternalTables {
    purge_file: { purgeId: string; attachId: string; state: number }
  }
}

/** Rows, and files, of one transaction. */
export const purgeLimits = { rows: 500, files: 50 }

const FileState = { waiting: 0, gone: 1, inUse: 2 } as const

/** An erasure that is being carried out. */
interface Purging {
  readonly app: FastifyInstance
  readonly piece: Piece<'privacy.purge'>
  readonly purge: Datapurge & { tenantId: string }
  readonly exam: PurgedExam
  readonly day: Date
}

type Line = Pick<Datapurgeline, 'id' | 'part' | 'fieldNames' | 'deed' | 'lastId'>

/** The day whose end counts for what is to go, as a moment. */
export const dayOf = ({ dueDate }: Pick<Datapurge, 'dueDate'>): Date => new Date(`${dueDate}T00:00:00+08:00`)

/** Does something in a transaction that is kept only while the work is this process's. */
function kept<T>({ app, piece }: Purging, work: (trx: Trx, across: AcrossTrx) => Promise<T>): Promise<T> {
  piece.signal.throwIfAborted()
  return liveAcross(app, app)
    .transaction()
    .execute(async across => {
      await piece.hold(across)
      return work(raw(across), across)
    })
}

function erasureOf({ app, purge }: Purging, trx: Trx): Erasure {
  const why = {
    tenantId: purge.tenantId,
    userId: purge.confirmUser,
    targetType: datapurge.name,
    targetId: purge.id,
  }
  return { app, trx, why, now: app.now() }
}

interface Portion {
  readonly done: number
  readonly lastId: string
  readonly isEnd: boolean
}

/** Ids of the next rows of a part, locked. */
async function nextIds(trx: Trx, part: PurgePart, { exam, day }: Purging, after: string): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT t.id::text FROM ${sql.table(tableOf(part.entity.name))} t
    WHERE ${isLeft(part, exam, day)} AND t.id > ${after} ORDER BY t.id LIMIT ${purgeLimits.rows}`.execute(trx)
  return rows.map(({ id }) => id)
}

async function enterFiles(trx: Trx, { purge }: Purging, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx
    .insertInto('purge_file')
    .values(ids.map(attachId => ({ purgeId: purge.id, attachId, state: FileState.waiting })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Exports lose their files and what they were asked by; that there was one stays. */
async function eraseExports(trx: Trx, of: Purging, ids: readonly string[]): Promise<void> {
  const found = await trx
    .selectFrom('exporttask')
    .select('fileId')
    .where('id', 'in', [...ids])
    .execute()
  await enterFiles(
    trx,
    of,
    found.flatMap(({ fileId }) => fileId ?? []),
  )
  await trx
    .updateTable('exporttask')
    .set({
      fileId: null,
      params: sql`jsonb_strip_nulls(jsonb_build_object('examId', ${of.exam.id}::text, 'sort', params->'sort'))`,
    } as never)
    .where('id', 'in', [...ids])
    .execute()
  const { why, app } = erasureOf(of, trx)
  await app.audit.erase(trx, why, { exporttask: ids })
}

async function eraseAudited(trx: Trx, of: Purging, ids: readonly string[]): Promise<void> {
  const rows = await trx
    .selectFrom('auditlog')
    .select('seq')
    .where('id', 'in', [...ids])
    .execute()
  await eraseDetails(
    erasureOf(of, trx),
    rows.map(({ seq }) => seq),
  )
}

async function portionOfEvents(trx: Trx, part: PurgePart, of: Purging, after: string): Promise<Portion> {
  const rows = await nextEvents(trx, isLeft(part, of.exam, of.day), after)
  const cut = rows.filter(row => cutFacts(row) !== null).slice(0, purgeLimits.rows)
  const done = await eraseFacts(erasureOf(of, trx), cut as never)
  const isEnd = cut.length < purgeLimits.rows
  return { done, lastId: (isEnd ? rows.at(-1)?.id : cut.at(-1)?.id) ?? after, isEnd: isEnd && rows.length === 0 }
}

async function portionOf(trx: Trx, part: PurgePart, of: Purging, after: string): Promise<Portion> {
  const { entity, names, deed } = part
  if (entity.name === 'event') return portionOfEvents(trx, part, of, after)
  const ids = await nextIds(trx, part, of, after)
  if (ids.length === 0) return { done: 0, lastId: after, isEnd: true }
  if (entity.name === 'exporttask') await eraseExports(trx, of, ids)
  else if (entity.name === 'auditlog') await eraseAudited(trx, of, ids)
  else await enterFiles(trx, of, await eraseRows(erasureOf(of, trx), entity, deed === 'erase' ? null : names, ids))
  return { done: ids.length, lastId: ids.at(-1) ?? after, isEnd: false }
}

/** Erases all rows of a part, some in a transaction; goes on behind the last row that was done. */
async function eraseLine(of: Purging, line: Line): Promise<void> {
  const part = partOf(line)
  if (!part) return
  let after = line.lastId ?? '0'
  for (let isEnd = false; !isEnd; ) {
    const done = await kept(of, async trx => {
      const portion = await portionOf(trx, part, of, after)
      await trx
        .updateTable('datapurgeline')
        .set({
          doneNum: sql`"doneNum" + ${portion.done}`,
          lastId: portion.lastId,
          endTime: portion.isEnd ? of.app.now() : null,
        } as never)
        .where('id', '=', line.id)
        .execute()
      return portion
    })
    after = done.lastId
    isEnd = done.isEnd
  }
}

/** Removes the bytes of a file and makes sure that they are gone. @throws when they are not */
async function removeBytes({ storage, db }: FastifyInstance, key: string): Promise<void> {
  const shared = await db.selectFrom('attach').select('id').where('name', '=', key).limit(2).execute()
  if (shared.length > 1) return
  await storage.remove(key)
  const held = await sql`SELECT 1 FROM file_leaving WHERE key = ${key}`.execute(db)
  // While a backup is being taken nothing is removed; it is when that has ended.
  if (held.rows.length > 0) return
  const isThere = await storage.get(key).then(
    () => true,
    (error: { code?: string }) => error.code !== 'ENOENT',
  )
  if (isThere) throw new Error(`The file ${key} is still there.`)
}

/** Removes the files that the rows named, and that nothing names any more; the bytes first. */
async function removeFiles(of: Purging, line: Line): Promise<void> {
  const { app, purge, exam } = of
  for (;;) {
    of.piece.signal.throwIfAborted()
    const { rows } = await sql<{ id: string; key: string | null; used: boolean }>`
      SELECT f."attachId"::text AS id, a.name AS key, (a.id IS NOT NULL AND ${isInUse(exam, null)}) AS used
      FROM purge_file f LEFT JOIN attach a ON a.id = f."attachId"
      WHERE f."purgeId" = ${purge.id} AND f.state = ${FileState.waiting} ORDER BY f."attachId" LIMIT ${purgeLimits.files}`.execute(
      app.db,
    )
    if (rows.length === 0) break
    const going = rows.filter(row => !row.used && row.key !== null)
    for (const { key } of going) if (key) await removeBytes(app, key)
    await kept(of, async trx => {
      const ids = going.map(row => row.id)
      const state = (wanted: readonly string[], to: number) =>
        trx
          .updateTable('purge_file')
          .set({ state: to })
          .where('purgeId', '=', purge.id)
          .where('attachId', 'in', wanted.length > 0 ? [...wanted] : ['0'])
          .execute()
      await state(
        rows.filter(row => row.used).map(row => row.id),
        FileState.inUse,
      )
      await state(
        rows.filter(row => !row.used).map(row => row.id),
        FileState.gone,
      )
      if (ids.length === 0) return
      await trx.deleteFrom('attach').where('id', 'in', ids).execute()
      await trx
        .updateTable('datapurgeline')
        .set({ doneNum: sql`"doneNum" + ${ids.length}` } as never)
        .where('id', '=', line.id)
        .execute()
      const { why } = erasureOf(of, trx)
      await app.audit.erase(trx, why, { attach: ids })
    })
  }
}

/** Counts again, makes the record, and ends the erasure in one transaction with the piece of work. */
async function finish(of: Purging): Promise<void> {
  const { app, piece, purge, exam, day } = of
  const left = await countDue(app.db, exam, day)
  const figures = await figuresOf(app.db, exam)
  for (const { part, rowNum } of left)
    await app.db
      .updateTable('datapurgeline')
      .set({ leftNum: rowNum, endTime: app.now() })
      .where('purgeId', '=', purge.id)
      .where('part', '=', part.entity.name)
      .where('deed', '=', part.deed)
      .where(sql<boolean>`coalesce("fieldNames", '') = ${part.names.join(',')}`)
      .execute()
  const protocol = await makeProtocol(app, purge.id, figures)
  await liveAcross(app, app)
    .transaction()
    .execute(async across => {
      await piece.hold(across)
      const trx = raw(across)
      await keepProtocol(app, trx, purge, protocol)
      const caller = { userId: purge.confirmUser ?? '0', tenantId: purge.tenantId }
      await makeTransition({ app, trx, caller, now: app.now() }, datapurge, 'finish', [purge.id])
      await piece.end(across)
    })
}

async function carryOut(app: FastifyInstance, piece: Piece<'privacy.purge'>): Promise<void> {
  const purge = await app.db
    .selectFrom('datapurge')
    .selectAll()
    .where('id', '=', piece.payload.purgeId)
    .where('purgeStatus', '=', PurgeStatus.running)
    .executeTakeFirst()
  if (!purge) return
  const exam = await purgedExam(app.db, purge.examId)
  const of: Purging = { app, piece, purge: purge as unknown as Purging['purge'], exam, day: dayOf(purge) }
  const lines = await app.db
    .selectFrom('datapurgeline')
    .selectAll()
    .where('purgeId', '=', purge.id)
    .where('deed', '<>', 'stay')
    .where('endTime', 'is', null)
    .orderBy('sort')
    .execute()
  for (const [i, line] of lines.entries()) {
    piece.progress(i, lines.length)
    if (line.part === filePart.entity.name) await removeFiles(of, line)
    else await eraseLine(of, line)
  }
  await finish(of)
}

/** Erasures of exams as work of the queue: any process goes on where another was. */
export const purgeWork = (app: FastifyInstance): Kind<'privacy.purge'> => ({
  kind: 'privacy.purge',
  lane: 'job',
  mostTries: 10,
  perform: piece => carryOut(app, piece),
})
