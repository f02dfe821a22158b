import { sql } from 'kysely'
import type { Trx } from '../../database/database.ts'
import type { Budget } from './channel.ts'
import './sms-tables.ts'

/** The part of what may be spent that messages may use which can be done without. */
const sparePart = 0.8

/** How many messages may be charged in all, as far as a message may use them; null for any number. */
export const partOf = (most: number | null, isSpare: boolean): number | null =>
  most !== null && isSpare ? Math.floor(most * sparePart) : most

/**
 * Counts segments on the account of a row. One row holds the count, so that senders of every process wait for one another.
 * @returns whether they were still within what it may have
 */
export async function spendOf(
  trx: Trx,
  { ownerId, most }: Budget,
  segments: number,
  isSpare: boolean,
): Promise<boolean> {
  const part = partOf(most, isSpare) ?? Number.MAX_SAFE_INTEGER
  const { numAffectedRows } = await sql`
    INSERT INTO sms_budget ("ownerId", segments) SELECT ${ownerId}::bigint, ${segments}::int WHERE ${segments}::int <= ${part}::bigint
    ON CONFLICT ("ownerId") DO UPDATE SET segments = sms_budget.segments + excluded.segments
      WHERE sms_budget.segments + excluded.segments <= ${part}::bigint`.execute(trx)
  return numAffectedRows === 1n
}

/** Takes segments back that surely were not used. */
export async function giveBack(trx: Trx, ownerId: string, segments: number): Promise<void> {
  await trx
    .updateTable('sms_budget')
    .set(eb => ({ segments: eb('segments', '-', segments) }))
    .where('ownerId', '=', ownerId)
    .execute()
}
