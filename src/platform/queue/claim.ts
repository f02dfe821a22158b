import { type Selectable, sql } from 'kysely'
import { WorkState } from '#schemas/dictionaries'
import type { Database, Reader } from '../database/database.ts'
import type { Lane } from './piece.ts'

/** Seconds for which a process has a piece; it asks for more long before they are over. */
export const lease = 60

/** A piece that a process has taken. */
export interface Claimed extends Pick<Selectable<Database['work_item']>, 'id' | 'kind' | 'key' | 'lane' | 'tenantId'> {
  parentId: string | null
  tries: number
  maxTries: number
  /** Sealed. */
  payload: string | null
  memo: unknown
  leaseBy: string
}

/** Who claims, and what. */
interface Claim {
  /** Name of the process. */
  node: string
  /** Kinds that it knows. */
  kinds: readonly string[]
  /** Lanes with room, and how many pieces each takes. */
  rooms: ReadonlyMap<Lane, number>
  now: Date
}

/** The end of a lease that begins now. The clock is the database's, which all processes share. */
const leaseEnd = sql<Date>`clock_timestamp() + make_interval(secs => ${sql.lit(lease)})`

/**
 * Takes pieces that are due and that nobody has, and those whose process no longer answers; those that others are just taking
 * are skipped, so that of any number of processes one gets each. Every piece gets a mark of its own, which every later
 * statement of its process compares.
 */
export async function claim(db: Reader, { node, kinds, rooms, now }: Claim): Promise<Claimed[]> {
  const waiting = sql.lit(WorkState.waiting)
  const running = sql.lit(WorkState.running)
  const mine = sql`i.kind = ANY(${kinds}::text[]) AND (i."forNode" IS NULL OR i."forNode" = ${node})`
  // One branch a lane, so that each is an index scan that ends when its room is filled.
  const branches = [...rooms].map(
    ([lane, room]) => sql`SELECT id FROM (
        SELECT id FROM (SELECT i.id FROM work_item i
          WHERE i.lane = ${lane} AND i.state = ${running} AND i."leaseUntil" <= clock_timestamp() AND ${mine}
          ORDER BY i."leaseUntil" LIMIT ${room} FOR NO KEY UPDATE OF i SKIP LOCKED) abandoned
        UNION ALL
        SELECT id FROM (SELECT i.id FROM work_item i
          WHERE i.lane = ${lane} AND i.state = ${waiting} AND i."runAt" <= ${now} AND ${mine}
          ORDER BY i.priority DESC, i."runAt", i.id LIMIT ${room} FOR NO KEY UPDATE OF i SKIP LOCKED) due
        LIMIT ${room}) found`,
  )
  const { rows } = await sql<Claimed>`
    WITH next AS MATERIALIZED (${sql.join(branches, sql` UNION ALL `)})
    UPDATE work_item w SET state = ${running}, tries = w.tries + 1, "leaseBy" = ${node} || ' ' || gen_random_uuid(),
      "leaseUntil" = ${leaseEnd}, "updateTime" = ${now}
    FROM next WHERE w.id = next.id
    RETURNING w.id, w.kind, w.key, w.lane, w."tenantId", w."parentId", w.tries, w."maxTries", w.payload, w.memo, w."leaseBy"`.execute(
    db,
  )
  return rows
}

/** How far a piece is, for a heartbeat. */
export interface Beat {
  id: string
  leaseBy: string
  progress: number | null
  total: number | null
}

/** Keeps pieces for longer and notes how far they are. @returns the ids of those that are still this process's */
export async function renew(db: Reader, beats: readonly Beat[]): Promise<Set<string>> {
  const of = <K extends keyof Beat>(name: K) => beats.map(beat => beat[name])
  const { rows } = await sql<{ id: string }>`
    UPDATE work_item w SET "leaseUntil" = ${leaseEnd},
      progress = coalesce(b.progress, w.progress), total = coalesce(b.total, w.total)
    FROM unnest(${of('id')}::bigint[], ${of('leaseBy')}::text[], ${of('progress')}::int[], ${of('total')}::int[])
      AS b (id, mark, progress, total)
    WHERE w.id = b.id AND w."leaseBy" = b.mark AND w.state = ${sql.lit(WorkState.running)} RETURNING w.id`.execute(db)
  return new Set(rows.map(row => row.id))
}
