import { sql } from 'kysely'
import type { Auditlog } from '#schemas/audit/auditlog'
import './log-tables.ts'
import type { Database, Reader, Trx } from '../../database/database.ts'

/** What one entry of the audit log says; the chain gives it its number and digests. */
export interface AuditEntry
  extends Pick<
    Auditlog,
    'tenantId' | 'event' | 'userId' | 'targetType' | 'targetId' | 'outcome' | 'ip' | 'userAgent' | 'time'
  > {
  detail: Record<string, unknown>
}

/** A digest that only this installation can make. */
export type Keyed = (text: string) => string

type Linked = AuditEntry & { seq: number }

/** The same value with its names in one order: the database keeps no order of its own. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(pairs.map(([name, one]) => [name, ordered(one)]))
}

const digest = (keyed: Keyed, prevHash: string, one: Linked): string =>
  keyed(
    JSON.stringify([
      prevHash,
      one.seq,
      one.tenantId,
      one.event,
      one.userId,
      one.targetType,
      one.targetId,
      one.outcome,
      one.ip,
      one.userAgent,
      ordered(one.detail),
      one.time.toISOString(),
    ]),
  )

const sealOf = (keyed: Keyed, tenantId: string, seq: number, hash: string) =>
  keyed(JSON.stringify(['head', tenantId, seq, hash]))

/** What stands before the first entry. */
const origin = '0'.repeat(64)

/**
 * Appends entries to the chain of their tenant in their order, within the transaction given. Until that ends, other entries of the
 * tenant wait, so it is the last thing a transaction does.
 * @param entries of one tenant
 */
export async function appendAudit(trx: Trx, keyed: Keyed, entries: readonly AuditEntry[]): Promise<void> {
  const tenantId = entries[0]?.tenantId
  if (tenantId === undefined) return
  const { rows } = await sql<{ seq: number; hash: string }>`
    INSERT INTO audit_head ("tenantId", seq, hash, seal) VALUES (${tenantId}, ${entries.length}, ${origin}, '')
    ON CONFLICT ("tenantId") DO UPDATE SET seq = audit_head.seq + ${entries.length} RETURNING seq, hash`.execute(trx)
  const last = rows[0] as { seq: number; hash: string }
  let { hash } = last
  const linked = entries.map((entry, i) => {
    const seq = last.seq - entries.length + i + 1
    const prevHash = hash
    hash = digest(keyed, prevHash, { ...entry, seq })
    const detail = JSON.stringify(entry.detail)
    return { ...entry, detail, seq, prevHash, hash, createUser: entry.userId, createTime: entry.time }
  })
  const seal = sealOf(keyed, tenantId, last.seq, hash)
  await trx
    .with('head', cte => cte.updateTable('audit_head').set({ hash, seal }).where('tenantId', '=', tenantId))
    .insertInto('auditlog')
    .values(linked)
    .execute()
}

/** What became of a chain. */
export interface AuditState {
  /** Entries that were looked at. */
  count: number
  /** Digest of the last entry; printed elsewhere, it proves later that nothing before it was changed. */
  hash: string
  /** Number of the first entry that is not as it was written, null when all are. */
  broken: number | null
}

const portion = 2000

/**
 * Computes the chain of a tenant again and compares: every entry, also one marked as removed. Memory does not grow with its
 * length.
 */
export async function verifyAudit(db: Reader, keyed: Keyed, tenantId: string): Promise<AuditState> {
  const state: AuditState = { count: 0, hash: origin, broken: null }
  // Entries that come while we look are for the next time.
  const head = await db.selectFrom('audit_head').selectAll().where('tenantId', '=', tenantId).executeTakeFirst()
  for (;;) {
    const rows = await db
      .selectFrom('auditlog')
      .selectAll()
      .where('tenantId', '=', tenantId)
      .where('seq', '>', state.count)
      .where('seq', '<=', head?.seq ?? 0)
      .orderBy('seq')
      .limit(portion)
      .execute()
    for (const row of rows) {
      const detail = row.detail as Record<string, unknown>
      const right = row.seq === state.count + 1 && row.prevHash === state.hash
      if (!right || row.hash !== digest(keyed, state.hash, { ...row, detail })) {
        return { ...state, broken: state.count + 1 }
      }
      state.count = row.seq
      state.hash = row.hash
    }
    if (rows.length < portion) break
  }
  return { ...state, broken: await missingEnd(db, keyed, tenantId, state, head) }
}

type Head = Database['audit_head'] | undefined

/** Number of the first entry that was cut off the end, or null. */
async function missingEnd(db: Reader, keyed: Keyed, tenantId: string, { count, hash }: AuditState, head: Head) {
  if (head) {
    const isWhole = head.seq === count && head.hash === hash && head.seal === sealOf(keyed, tenantId, count, hash)
    return isWhole ? null : count + 1
  }
  const stray = await db.selectFrom('auditlog').select('id').where('tenantId', '=', tenantId).executeTakeFirst()
  return stray ? 1 : null
}
