import { sql } from 'kysely'
import { LedgerType } from '#schemas/dictionaries'
import type { Sendledger } from '#schemas/messages/sendledger'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** One movement of a tenant's balance of messages. */
export interface Movement {
  tenantId: string
  changeType: 1 | 2 | 3 | 4 | 5
  /** Messages; negative for what leaves. */
  num: number
  /** What it is about, with its id. */
  refType: Sendledger['refType']
  refId: string
  /** When what was bought expires. */
  expireTime?: Date | null
}

/** The messages a tenant has left. */
export async function balanceOf(db: Live): Promise<number> {
  const row = await db
    .selectFrom('sendledger')
    .select(eb => eb.fn.sum<string | null>('num').as('sum'))
    .executeTakeFirstOrThrow()
  return Number(row.sum ?? 0)
}

/** Whether the last movement of a tenant says the balance that all its movements make. */
export async function isBalanced(db: Live): Promise<boolean> {
  const last = await db.selectFrom('sendledger').select('balance').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return (last?.balance ?? 0) === (await balanceOf(db))
}

/** Has every other movement of a tenant wait until the transaction ends. */
export async function holdBalance(db: Live, tenantId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`sendledger ${tenantId}`}, 8131))`.execute(db)
}

/**
 * Writes a movement, once for its kind and what it is about; nothing where nothing moves. Movements of a tenant wait
 * for one another, so that the balance is never read by two at once.
 * @param db a transaction of the tenant
 * @returns false when it was written before, or nothing moves
 * @throws messages.balanceTooLow when the balance does not reach
 */
export async function moveBalance(db: Live, move: Movement): Promise<boolean> {
  const { tenantId, changeType, num, refType, refId } = move
  if (num === 0) return false
  await holdBalance(db, tenantId)
  const known = await db
    .selectFrom('sendledger')
    .select('id')
    .where('changeType', '=', changeType)
    .where('refType', '=', refType)
    .where('refId', '=', refId)
    .executeTakeFirst()
  if (known) return false
  const before = await balanceOf(db)
  if (before + num < 0) throw refuse('messages.balanceTooLow', { n: -num, m: before })
  await db
    .insertInto('sendledger')
    .values({
      changeType,
      num,
      balance: before + num,
      refType,
      refId,
      expireTime: move.expireTime ?? null,
    })
    .execute()
  return true
}

/** Takes off what was bought, is past its day and was not used: what leaves is taken from what expires first. */
export async function expireBalance(db: Live, tenantId: string, now: Date): Promise<void> {
  const rows = await db.selectFrom('sendledger').select(['changeType', 'num', 'refId', 'expireTime']).execute()
  const came = rows
    .filter(row => row.num > 0 && row.changeType !== LedgerType.return)
    .toSorted((a, b) => (a.expireTime?.getTime() ?? Infinity) - (b.expireTime?.getTime() ?? Infinity))
  let left = rows
    .filter(row => row.num < 0 || row.changeType === LedgerType.return)
    .reduce((sum, { num }) => sum - num, 0)
  for (const { num, refId, expireTime } of came) {
    const rest = Math.max(0, num - left)
    left = Math.max(0, left - num)
    if (rest === 0 || !expireTime || expireTime > now) continue
    const move = {
      tenantId,
      changeType: LedgerType.expiry,
      num: -rest,
      refType: 'sendpay',
      refId,
    } as const
    await moveBalance(db, move)
  }
}
