import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { tableOf } from '#engine'
import type { Reader } from '../../../../platform/database/database.ts'
import { cutFacts } from '../erasing.ts'
import {
  belongs,
  filePart,
  isInUse,
  isLeft,
  isOver,
  namedFiles,
  type PurgedExam,
  type PurgePart,
  purgeParts,
  stayingParts,
} from './parts.ts'

/** How much there is of one kind of data. */
export interface PurgeCount {
  readonly part: PurgePart
  readonly rowNum: number
  readonly fileKB: number
  readonly oldest: Date | null
}

/** The exam of an erasure. */
export const purgedExam = (db: Reader, examId: string): Promise<PurgedExam> =>
  db
    .selectFrom('examination')
    .select(['id', 'tenantId', 'archiveTime', 'examEndTime'])
    .where('id', '=', examId)
    .executeTakeFirstOrThrow()

/** Events that are read at a time. */
const eventsAtOnce = 2000

/** The next events of an exam whose time is over. */
export async function nextEvents(db: Reader, where: RawBuilder<boolean>, after: string) {
  const { rows } = await sql<{
    id: string
    code: string
    facts: Record<string, string | number | null>
    createTime: Date
  }>`
    SELECT t.id::text, t.code, t.facts, t."createTime" FROM event t
    WHERE ${where} AND t.id > ${after} ORDER BY t.id LIMIT ${sql.lit(eventsAtOnce)}`.execute(db)
  return rows
}

async function countEvents(db: Reader, part: PurgePart, where: RawBuilder<boolean>): Promise<PurgeCount> {
  let after = '0'
  let rowNum = 0
  let oldest: Date | null = null
  for (;;) {
    const rows = await nextEvents(db, where, after)
    const cut = rows.filter(row => cutFacts(row) !== null)
    rowNum += cut.length
    oldest ??= cut[0]?.createTime ?? null
    after = rows.at(-1)?.id ?? after
    if (rows.length < eventsAtOnce) return { part, rowNum, fileKB: 0, oldest }
  }
}

async function countRows(db: Reader, part: PurgePart, where: RawBuilder<boolean>): Promise<PurgeCount> {
  const { rows } = await sql<{ n: string; oldest: Date | null }>`
    SELECT count(*) AS n, min(t."createTime") AS oldest FROM ${sql.table(tableOf(part.entity.name))} t
    WHERE ${where}`.execute(db)
  return { part, rowNum: Number(rows[0]?.n ?? 0), fileKB: 0, oldest: rows[0]?.oldest ?? null }
}

async function countFiles(db: Reader, exam: PurgedExam, day: Date): Promise<PurgeCount> {
  const { rows } = await sql<{ n: string; bytes: string; oldest: Date | null }>`
    SELECT count(*) AS n, coalesce(sum(a."attachSize"), 0) AS bytes, min(a."createTime") AS oldest FROM attach a
    WHERE a.id IN (${namedFiles(exam, day)}) AND NOT ${isInUse(exam, day)}`.execute(db)
  const fileKB = Math.ceil(Number(rows[0]?.bytes ?? 0) / 1024)
  return { part: filePart, rowNum: Number(rows[0]?.n ?? 0), fileKB, oldest: rows[0]?.oldest ?? null }
}

/** Counts what of an exam is to go on a day, by kind, and the files that nothing else names. Nothing is changed. */
export async function countDue(db: Reader, exam: PurgedExam, day: Date): Promise<readonly PurgeCount[]> {
  const counts: PurgeCount[] = []
  for (const part of purgeParts) {
    const where = isLeft(part, exam, day)
    counts.push(await (part.entity.name === 'event' ? countEvents(db, part, where) : countRows(db, part, where)))
  }
  return [...counts, await countFiles(db, exam, day)]
}

/** Counts what of an exam stays by law on a day. */
export async function countStaying(db: Reader, exam: PurgedExam, day: Date): Promise<readonly PurgeCount[]> {
  const counts: PurgeCount[] = []
  for (const part of stayingParts)
    if (!isOver(part, exam, day)) counts.push(await countRows(db, part, belongs(part, exam)))
  return counts
}

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** Digests of what must be after an erasure as it was before, by name: sums, seats, results, and ledgers. */
export async function figuresOf(db: Reader, { id }: PurgedExam): Promise<Readonly<Record<string, string>>> {
  const read = async (query: RawBuilder<unknown>) => digest((await query.execute(db)).rows)
  return {
    报名统计:
      await read(sql`SELECT "signStatus", examine, "reviewStatus", "payState", sex, education, degree, code, unit,
      count(*) FROM signup WHERE "examId" = ${id}
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9`),
    缴费合计: await read(sql`SELECT "payState", "invoiceStatus", count(*), sum(amount) FROM payrecord
      WHERE "examId" = ${id} GROUP BY 1, 2 ORDER BY 1, 2`),
    座位编排:
      await read(sql`SELECT "itemId", "ticketNo", "roomId", "seatNo", "ticketStatus", attend FROM examinationticket
      WHERE "examId" = ${id} ORDER BY "itemId", "ticketNo"`),
    成绩: await read(sql`SELECT "itemId", "ticketNo", score, "addScore", "resultFlag", "rankNo", "totalScore" FROM result
      WHERE "examId" = ${id} ORDER BY "itemId", "ticketNo"`),
    台账摘要: await read(sql`SELECT "batchNo", sha256, "rowsDigest", "totalAmount", "refundAmount" FROM exportpaymain
      WHERE "examId" = ${id} ORDER BY "batchNo"`),
  }
}
