import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { AccountStatus } from '#schemas/dictionaries'
import { hasContent } from '../../../platform/audit/server/audit-chain.ts'
import { endSessions } from '../../../platform/auth/server/session.ts'
import { type Live, type LiveTrx, raw } from '../../../platform/database/live.ts'
import {
  blankedFields,
  type Cause,
  type Erasure,
  eraseDetails,
  erasedAtOnce,
  eraseFacts,
  eraseRows,
  isAbout,
} from './erasing.ts'
import { column, leadingIds, personalEntities, tableFor } from './kinds.ts'

/** What was erased, by kind: how many rows went, and how many lost who they are about. */
interface Erased {
  readonly kinds: Readonly<Record<string, { readonly erased: number; readonly blanked: number }>>
  readonly files: number
}

function* portions<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += erasedAtOnce) yield all.slice(at, at + erasedAtOnce)
}

/**
 * Erases what need not be kept of a person, removed rows included: whole rows, or what tells in them who it is, and what the logs and
 * events about them say. Files go with the next tidying of the storage. Whoever had the account cannot sign in any more.
 * @param wanted `remark` says at the account why it is closed
 */
export async function erasePerson(
  app: Pick<FastifyInstance, 'vault' | 'audit'>,
  trx: LiveTrx,
  userId: string,
  wanted: { why: Cause; now: Date; remark: string },
): Promise<Erased> {
  const { why, now, remark } = wanted
  // The rows are those of one person, whom the live handle has found; what was removed of them is kept, too.
  const own = raw(trx)
  const all = own as unknown as Live
  const erasure: Erasure = { app, trx: own, why, now }
  const led = await leadingIds(all, userId)
  const kinds: Record<string, { erased: number; blanked: number }> = {}
  const files = new Set<string>()
  const rows = new Map<string, readonly string[]>()
  for (const entity of personalEntities) {
    const leading = [...led(entity)]
    if (leading.length === 0) continue
    const found = await all
      .selectFrom(tableFor(entity))
      .select('id')
      .where(column(entity.about), 'in', leading)
      .execute()
    const ids = found.map(({ id }) => id)
    rows.set(entity.name, ids)
    const isWhole = entity.keep?.then === 'erase'
    const names = isWhole ? null : blankedFields(entity)
    if (ids.length === 0 || names?.length === 0) continue
    for (const some of portions(ids)) for (const id of await eraseRows(erasure, entity, names, some)) files.add(id)
    kinds[entity.name] = isWhole ? { erased: ids.length, blanked: 0 } : { erased: 0, blanked: ids.length }
  }
  await eraseTraces(erasure, rows)
  await closeAccount(trx, userId, { now, remark })
  const ids = [...files]
  if (ids.length > 0)
    await own.updateTable('attach').set({ isDeleted: 1, updateTime: now }).where('id', 'in', ids).execute()
  return { kinds, files: ids.length }
}

/** What events and the security log say about rows of a person. Entries that the person made say nothing of others. */
async function eraseTraces(erasure: Erasure, rows: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const { trx, why } = erasure
  const about = [...rows].filter(([entity, ids]) => ids.length > 0 && entity !== 'auditlog')
  if (about.length === 0) return
  for (const [entity, ids] of about)
    for (const some of portions(ids)) {
      const events = await trx
        .selectFrom('event')
        .select(['id', 'code', 'facts'])
        .where('subjectId', 'in', [...some])
        .where('code', 'like', `${entity}.%`)
        .execute()
      for (const one of portions(events)) await eraseFacts(erasure, one)
    }
  const conditions = about.map(([entity, ids]) => [entity, sql.join(ids.map(id => sql`${id}`))] as const)
  const { rows: entries } = await sql<{ seq: number }>`
    SELECT t.seq FROM auditlog t WHERE ${hasContent(why.tenantId)} AND ${isAbout(conditions)} ORDER BY t.seq`.execute(
    trx,
  )
  for (const some of portions(entries.map(({ seq }) => seq))) await eraseDetails(erasure, some)
}

/** Nobody signs in by an account that is about nobody. */
async function closeAccount(
  trx: LiveTrx,
  userId: string,
  { now, remark }: { now: Date; remark: string },
): Promise<void> {
  await trx
    .updateTable('user')
    .set({ accountStatus: AccountStatus.disabled, password: null, auditRemark: remark })
    .where('id', '=', userId)
    .execute()
  await trx.deleteFrom('user_oauth').where('userId', '=', userId).execute()
  await endSessions(raw(trx), [userId], 'disabled', now)
}
