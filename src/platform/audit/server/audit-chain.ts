import type { FastifyInstance } from 'fastify'
import { type Selectable, sql } from 'kysely'
import type { Auditlog } from '#schemas/audit/auditlog'
import './log-tables.ts'
import type { Database, Reader, Trx } from '../../database/database.ts'
import { often } from '../../database/often.ts'
import { limitConcurrencyByKey } from '../../queue/limit-concurrency.ts'
import { salted, saltedDigest } from './salted.ts'

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

/** What the chain covers of an entry besides its content. */
const lineOf = (one: Linked) => [
  one.seq,
  one.tenantId,
  one.event,
  one.userId,
  one.targetType,
  one.targetId,
  one.outcome,
  one.ip,
  one.userAgent,
]

/** The same value with its names in one order: the database keeps no order of its own. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(pairs.map(([name, one]) => [name, ordered(one)]))
}

/** The digest of an entry, with that of its content. */
const digest = (keyed: Keyed, prevHash: string, one: Linked, contentHash: string): string =>
  keyed(JSON.stringify(['salted', prevHash, ...lineOf(one), one.time.toISOString(), contentHash]))

/** The digest of an entry from before contents had salts: it covers the content itself, which therefore stays. */
export const unsaltedDigest = (keyed: Keyed, prevHash: string, one: Linked): string =>
  keyed(JSON.stringify([prevHash, ...lineOf(one), ordered(one.detail), one.time.toISOString()]))

const sealOf = (keyed: Keyed, tenantId: string, seq: number, hash: string) =>
  keyed(JSON.stringify(['head', tenantId, seq, hash]))

/** What stands before the first entry. */
const origin = '0'.repeat(64)

/** Where a chain ends: the number and the digest of its last entry. */
interface End {
  readonly seq: number
  readonly hash: string
}

/** Rows of entries that follow an end, and the end after them. */
function linkAfter(keyed: Keyed, end: End, entries: readonly AuditEntry[]) {
  let { seq, hash } = end
  const rows = entries.map(entry => {
    const prevHash = hash
    seq += 1
    // As it will be read: what JSON leaves out is not part of it.
    const detail = JSON.parse(JSON.stringify(entry.detail)) as Record<string, unknown>
    const content = salted(detail)
    hash = digest(keyed, prevHash, { ...entry, seq }, content.contentHash)
    return { ...entry, ...content, detail, seq, prevHash, hash, createUser: entry.userId, createTime: entry.time }
  })
  return { rows, end: { seq, hash } }
}

/**
 * Appends entries to the chain of their tenant in their order, within the transaction given. Until that ends, other entries of the
 * tenant wait, so it is the last thing a transaction does.
 * @param entries of one tenant
 * @returns the number of the last of them, 0 for none
 */
export async function appendAudit(trx: Trx, keyed: Keyed, entries: readonly AuditEntry[]): Promise<number> {
  return entries.length === 0 ? 0 : (await appendEntries(trx, keyed, entries)).seq
}

async function appendEntries(trx: Trx, keyed: Keyed, entries: readonly AuditEntry[]): Promise<End> {
  const [{ tenantId }] = entries as readonly [AuditEntry]
  const { rows } = await sql<{ seq: number; hash: string }>`
    INSERT INTO audit_head ("tenantId", seq, hash, seal) VALUES (${tenantId}, ${entries.length}, ${origin}, '')
    ON CONFLICT ("tenantId") DO UPDATE SET seq = audit_head.seq + ${entries.length} RETURNING seq, hash ${often}`.execute(
    trx,
  )
  const last = rows[0] as { seq: number; hash: string }
  const { rows: linked, end } = linkAfter(keyed, { seq: last.seq - entries.length, hash: last.hash }, entries)
  const seal = sealOf(keyed, tenantId, end.seq, end.hash)
  await trx
    .with('head', cte => cte.updateTable('audit_head').set({ hash: end.hash, seal }).where('tenantId', '=', tenantId))
    .insertInto('auditlog')
    .values(linked.map(one => ({ ...one, detail: JSON.stringify(one.detail) })))
    .modifyEnd(often)
    .execute()
  return end
}

/**
 * Appends entries by one statement where the chain still ends where it is thought to.
 * @returns where it ends now, or null when it ends elsewhere: then nothing is written
 */
async function appendAfter(
  db: FastifyInstance['db'],
  keyed: Keyed,
  end: End,
  entries: readonly AuditEntry[],
): Promise<End | null> {
  const [{ tenantId }] = entries as readonly [AuditEntry]
  const next = linkAfter(keyed, end, entries)
  const columns = sql.join(Object.keys(next.rows[0]!).map(name => sql.ref(name)))
  const { rows } = await sql`
    WITH head AS (UPDATE audit_head SET seq = ${next.end.seq}, hash = ${next.end.hash}, seal = ${sealOf(keyed, tenantId, next.end.seq, next.end.hash)}
      WHERE "tenantId" = ${tenantId} AND seq = ${end.seq} AND hash = ${end.hash} RETURNING seq)
    INSERT INTO auditlog (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::auditlog, ${JSON.stringify(next.rows)}::jsonb)
      WHERE EXISTS (SELECT FROM head) RETURNING seq ${often}`.execute(db)
  return rows.length > 0 ? next.end : null
}

/**
 * Makes a writer of entries that belong to no transaction. While nobody else appends to a chain it knows where that ends, and the
 * database is asked once; where another process has come in between, the end is locked and read as {@link appendAudit} does.
 */
export function auditWriter(
  db: FastifyInstance['db'],
  keyed: Keyed,
): (entries: readonly AuditEntry[]) => Promise<void> {
  const oneByOne = limitConcurrencyByKey()
  /** Where chains ended after our last entry; `isAlone` where that one followed another of ours. */
  const ends = new Map<string, End & { isAlone: boolean }>()
  return async entries => {
    const tenantId = entries[0]?.tenantId
    if (tenantId === undefined) return
    await oneByOne(tenantId, async () => {
      const known = ends.get(tenantId)
      const next = known?.isAlone ? await appendAfter(db, keyed, known, entries) : null
      if (next) {
        ends.set(tenantId, { ...next, isAlone: true })
        return
      }
      const end = await db.transaction().execute(trx => appendEntries(trx, keyed, entries))
      ends.set(tenantId, { ...end, isAlone: known?.seq === end.seq - entries.length })
    })
  }
}

/** What became of a chain. */
export interface AuditState {
  /** Entries that were looked at. */
  count: number
  /** Digest of the last entry; printed elsewhere, it proves later that nothing before it was changed. */
  hash: string
  /** Number of the first entry that is not as it was written, null when all are. */
  broken: number | null
  /** What is wrong with it: it was changed, moved or taken out, or its content was erased and no entry says that it was to be. */
  fault: 'changed' | 'erased' | null
}

/** Entries of one look: computed in some milliseconds, in which nobody else is served. */
const portion = 500

type Row = Selectable<Database['auditlog']>

const detailOf = ({ detail }: Pick<Row, 'detail'>) => (detail ?? {}) as Record<string, unknown>

/** Whether an entry says that rows lost their content: its own stays, because it is what allows that. */
const isErasure = ({ event }: Pick<Row, 'event'>): boolean => event === 'purge'

/** What an entry about an erasure says of the rows whose content went, by the name of their entity. */
export interface ErasedRows {
  /** Of the security log: numbers of entries. Of other chains: ids of rows. */
  readonly [entity: string]: readonly (string | number)[]
}

/** The rows that an entry allowed to lose their content. */
const erasedRows = (row: Pick<Row, 'event' | 'detail'>): ErasedRows =>
  isErasure(row) ? ((detailOf(row).erased ?? {}) as ErasedRows) : {}

/** Whether the content of an entry is what was written, or has gone as a whole. */
function isOwnContent(row: Row): boolean {
  if (row.salt !== null) return row.cutBy === null && saltedDigest(row.salt, row.detail) === row.contentHash
  return row.detail === null
}

/** Whether an entry stands in the chain as it was written. */
function isLinked(keyed: Keyed, prevHash: string, row: Row): boolean {
  if (row.prevHash !== prevHash) return false
  const one = { ...row, detail: detailOf(row) }
  if (row.contentHash !== null) return isOwnContent(row) && row.hash === digest(keyed, prevHash, one, row.contentHash)
  return row.salt === null && row.cutBy === null && row.hash === unsaltedDigest(keyed, prevHash, one)
}

/** What entries say was erased, by their numbers. */
export async function erasures(
  db: Reader,
  tenantId: string,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, ErasedRows>> {
  if (seqs.length === 0) return new Map()
  const rows = await db
    .selectFrom('auditlog')
    .select(['seq', 'event', 'detail'])
    .where('tenantId', '=', tenantId)
    .where('seq', 'in', [...new Set(seqs)])
    .execute()
  return new Map(rows.map(row => [row.seq, erasedRows(row)]))
}

/** What all entries about one cause say was erased. */
export async function erasuresFor(
  db: Reader,
  { tenantId, targetType, targetId }: { tenantId: string; targetType: string; targetId: string },
): Promise<readonly ErasedRows[]> {
  const rows = await db
    .selectFrom('auditlog')
    .select(['event', 'detail'])
    .where('tenantId', '=', tenantId)
    .where('targetType', '=', targetType)
    .where('targetId', '=', targetId)
    .execute()
  return rows.map(erasedRows)
}

/** SQL that is true for an entry `t` of a tenant whose content can be erased. */
export const hasContent = (tenantId: string) =>
  sql<boolean>`t."tenantId" = ${tenantId} AND t.salt IS NOT NULL AND t.event <> 'purge'`

/** The number of the first entry without content that no other entry allowed to lose it. */
async function firstUnallowed(db: Reader, tenantId: string, rows: readonly Row[]): Promise<number | null> {
  const cut = rows.filter(row => row.contentHash !== null && row.salt === null)
  if (cut.length === 0) return null
  const said = await erasures(
    db,
    tenantId,
    cut.map(row => row.cutBy ?? 0),
  )
  const allowed = new Map([...said].map(([seq, erased]) => [seq, new Set((erased.auditlog ?? []).map(Number))]))
  const isAllowed = (row: Row) =>
    !isErasure(row) && (row.cutBy ?? 0) > row.seq && allowed.get(row.cutBy ?? 0)?.has(row.seq) === true
  return cut.find(row => !isAllowed(row))?.seq ?? null
}

/**
 * Computes the chain of a tenant again and compares: every entry, also one marked as removed. Memory does not grow with its
 * length. An entry whose content was erased is as it was written when a later entry of the chain says that it was to be erased.
 * @throws the reason of the signal
 */
export async function verifyAudit(
  db: Reader,
  keyed: Keyed,
  tenantId: string,
  signal?: AbortSignal,
): Promise<AuditState> {
  const state: AuditState = { count: 0, hash: origin, broken: null, fault: null }
  // Entries that come while we look are for the next time.
  const head = await db.selectFrom('audit_head').selectAll().where('tenantId', '=', tenantId).executeTakeFirst()
  for (;;) {
    signal?.throwIfAborted()
    const rows = await db
      .selectFrom('auditlog')
      .selectAll()
      .where('tenantId', '=', tenantId)
      .where('seq', '>', state.count)
      .where('seq', '<=', head?.seq ?? 0)
      .orderBy('seq')
      .limit(portion)
      .execute()
    const unallowed = await firstUnallowed(db, tenantId, rows)
    for (const row of rows) {
      const isRight = row.seq === state.count + 1 && isLinked(keyed, state.hash, row)
      const broken = state.count + 1
      if (!isRight) return { ...state, broken, fault: 'changed' }
      if (row.seq === unallowed) return { ...state, broken, fault: 'erased' }
      state.count = row.seq
      state.hash = row.hash
    }
    if (rows.length < portion) break
  }
  const broken = await missingEnd(db, keyed, tenantId, state, head)
  return { ...state, broken, fault: broken === null ? null : 'changed' }
}

/**
 * Of some entries those whose content can be erased: it has a salt, is what was written, and is not about an erasure. Others stay as they
 * are; one that was changed stays to be found.
 */
export async function erasable(trx: Reader, tenantId: string, seqs: readonly number[]): Promise<readonly number[]> {
  if (seqs.length === 0) return []
  const rows = await trx
    .selectFrom('auditlog')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('seq', 'in', [...seqs])
    .where('salt', 'is not', null)
    .orderBy('seq')
    .execute()
  return rows.filter(row => !isErasure(row) && isOwnContent(row)).map(row => row.seq)
}

/**
 * Takes the content of entries away, with its salts; the chain stays as it was.
 * @param cutBy number of the entry that says so, of the same transaction
 */
export async function cutAudit(trx: Trx, tenantId: string, seqs: readonly number[], cutBy: number): Promise<void> {
  if (seqs.length === 0) return
  await trx
    .updateTable('auditlog')
    .set({ detail: null, salt: null, cutBy })
    .where('tenantId', '=', tenantId)
    .where('seq', 'in', [...seqs])
    .execute()
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
