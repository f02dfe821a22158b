import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Reader } from '../database/database.ts'
import { firstTenant } from '../database/first-tenant.ts'
import { readNumberParam } from '../database/param.ts'
import '../metrics/meter.ts'
import { refuse } from '../http/server/refusal.ts'

const shanghai = 8 * 3_600_000
const day = 86_400_000

/** The calendar day of an instant in Shanghai. */
const dayOf = (time: Date): string => new Date(time.getTime() + shanghai).toISOString().slice(0, 10)

/**
 * Counts bytes that somebody has uploaded, in one statement, so that uploads that arrive together are counted one by one.
 * @returns false when they would exceed the day's most; then they are not counted
 */
async function countUpload(db: Reader, who: string, time: Date, bytes: number, most: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO upload_day (who, day, bytes)
    SELECT ${who}, ${dayOf(time)}::date, ${bytes}::bigint WHERE ${bytes}::bigint <= ${most}::bigint
    ON CONFLICT (who, day) DO UPDATE SET bytes = upload_day.bytes + excluded.bytes
      WHERE upload_day.bytes + excluded.bytes <= ${most}::bigint`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Counts bytes against the day's most of whoever sends them.
 * @throws file.dailyLimitReached
 */
export async function countFor(request: FastifyRequest, bytes: number): Promise<void> {
  const { person, ip } = request
  const { db, now } = request.server
  // Behind one address there may be a whole school that registers.
  const key = person && !person.isStaff ? 'upload.dailyMB' : 'upload.staffDailyMB'
  const most = await readNumberParam(db, person?.tenantId ?? firstTenant, key)
  const who = person?.userId ?? `ip:${ip}`
  if (!(await countUpload(db, who, now(), bytes, most * 1024 ** 2))) throw refuse('file.dailyLimitReached', { n: most })
  request.server.meter.count('upload_bytes_total', {}, bytes)
}

/** Forgets days that are over. */
export async function forgetUploads(db: Reader, now: Date): Promise<void> {
  await sql`DELETE FROM upload_day WHERE day < ${dayOf(new Date(now.getTime() - day))}::date`.execute(db)
}
