import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type AttachRow, type Caller, callerOf } from '../../access/server/caller.ts'
import { newKey } from '../../channels/storage/index.ts'
import type { Arrivals } from '../../channels/storage/own-bucket.ts'
import { liveAcross } from '../../database/live.ts'
import { apart } from '../../database/request-transaction.ts'
import { advice } from '../../files/file-advice.ts'
import { countFor } from '../../files/upload-day.ts'
import { Refusal, refuse } from '../../http/server/refusal.ts'
import type { OwnerType } from './kinds.ts'
import { type Announced, checkAnnounced, keepUpload, type Size } from './upload.ts'

declare module '../../database/tables.ts' {
  interface InternalTables {
    file_arrival: {
      id: string
      tenantId: string
      userId: string
      /** What it is called among the arrivals of the bucket. */
      name: string
      filename: string
      /** Bytes that were announced. */
      size: string
      owner: string
      examId: string | null
      fileCode: string | null
      signTime: Date
      /** Until when one process looks at it. */
      takenUntil: Date | null
    }
  }
}

const day = 86_400_000
/** Seconds after which what a process was looking at that has died may be looked at again. */
const lease = 60
/** Rows of one round; the rest waits for the next. */
const atOnce = 500

/** What a browser needs to put a file into the bucket by itself. */
export interface Signed {
  id: string
  url: string
}

/**
 * Gives an address in the bucket for one file, of just this size and type, and counts it against the day's most.
 * @returns nothing where the files of the person's tenant are not kept in the installation's bucket
 * @throws what {@link checkAnnounced} does, and file.dailyLimitReached
 */
export async function signArrival(
  app: FastifyInstance,
  request: FastifyRequest,
  asked: Announced & { type: string },
): Promise<Signed | undefined> {
  const caller = callerOf(app, request)
  const { db, person, now } = caller
  const { arrivals } = app.storage
  if (!arrivals || (await app.storage.place(person.tenantId)).ossCode !== 'local') return undefined
  const awaited = await db
    .selectFrom('file_arrival')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('userId', '=', person.userId)
    .where('signTime', '>', new Date(now.getTime() - day))
    .executeTakeFirstOrThrow()
  await checkAnnounced(caller, asked, Number(awaited.n))
  await countFor(request, asked.size)
  const { size, type, filename, owner, examId = null, fileCode = null } = asked
  // One folder for all: they stay for minutes.
  const name = newKey().slice(3)
  const { id } = await db
    .insertInto('file_arrival')
    .values(eb => ({
      id: eb.fn<string>('next_id'),
      userId: person.userId,
      name,
      filename,
      size: String(size),
      owner,
      examId,
      fileCode,
      signTime: now,
      takenUntil: null,
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, url: arrivals.sign(name, { size, type }) }
}

/** Takes an arrival to look at. @throws file.notFound for one that is not there or not the caller's, input.repeated for one that is taken */
async function take({ db, person }: Caller, id: string) {
  const own = { id, userId: person.userId }
  const found = await db
    .selectFrom('file_arrival')
    .selectAll()
    .where('id', '=', own.id)
    .where('userId', '=', own.userId)
    .executeTakeFirst()
  if (!found) throw refuse('file.notFound')
  const { numUpdatedRows } = await db
    .updateTable('file_arrival')
    .set({ takenUntil: sql<Date>`clock_timestamp() + make_interval(secs => ${sql.lit(lease)})` })
    .where('id', '=', own.id)
    .where(eb => eb.or([eb('takenUntil', 'is', null), eb('takenUntil', '<=', sql<Date>`clock_timestamp()`)]))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw refuse('input.repeated')
  return found
}

/** Nothing has come yet, or not all of it: it may still be sent. */
class Incomplete extends Error {}

async function read(arrivals: Arrivals, { name, size }: { name: string; size: string }): Promise<Buffer> {
  const there = await arrivals.size(name)
  if (there === null) throw new Incomplete()
  // What is longer is not read.
  const bytes = there === Number(size) ? await arrivals.get(name) : null
  if (bytes?.length !== Number(size)) throw refuse('file.contentInvalid', { 做法: advice.again })
  return bytes
}

/**
 * Looks at a file that a browser has put into the bucket, and keeps it as any upload; what was looked at is what is kept, even when
 * something else is put there meanwhile. What is refused is removed.
 * @throws what {@link keepUpload} does, file.contentInvalid for another size, input.invalid while it has not come
 */
export const takeArrival = (app: FastifyInstance, caller: Caller, id: string): Promise<AttachRow & Size> =>
  apart(async () => {
    const { arrivals } = app.storage
    if (!arrivals) throw refuse('file.notFound')
    const row = await take(caller, id)
    const { db } = caller
    const forget = async () => {
      await arrivals.remove(row.name)
      await db.deleteFrom('file_arrival').where('id', '=', row.id).execute()
    }
    try {
      const bytes = await read(arrivals, row)
      const { filename, examId, fileCode } = row
      const slot = { ...(examId && { examId }), ...(fileCode && { fileCode }) }
      const kept = await keepUpload(caller, app.storage, { bytes, filename, owner: row.owner as OwnerType, ...slot })
      // The file is kept, whatever becomes of what it was made of: that goes in a day.
      await forget().catch(err => app.log.warn({ err, arrival: row.id }, 'what a file was kept from stays for a day'))
      return kept
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) await forget()
      else await db.updateTable('file_arrival').set({ takenUntil: null }).where('id', '=', row.id).execute()
      throw error instanceof Incomplete ? refuse('input.invalid', { 说明: '文件没有传完' }) : error
    }
  })

/** Removes what was to come and did not, and what came and was never looked at, after a day: the bytes first. */
export async function sweepArrivals(app: FastifyInstance): Promise<{ rows: number; objects: number }> {
  const before = new Date(app.now().getTime() - day)
  const db = liveAcross(app, app)
  const { arrivals } = app.storage
  const over = await db
    .selectFrom('file_arrival')
    .select(['id', 'name'])
    .where('signTime', '<', before)
    .orderBy('signTime')
    .limit(atOnce)
    .execute()
  const removed = { rows: 0, objects: 0 }
  for (const { id, name } of over) {
    await arrivals?.remove(name)
    await db.deleteFrom('file_arrival').where('id', '=', id).execute()
    removed.rows++
  }
  // What was put there once more after it had been looked at has no row.
  for await (const { key, time } of arrivals?.list() ?? [])
    if (time < before) {
      await arrivals?.remove(key)
      removed.objects++
    }
  if (removed.rows + removed.objects > 0) app.journal.note('info', 'arrival-purge', removed)
  return removed
}
