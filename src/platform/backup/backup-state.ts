import type pg from 'pg'

/** How the backups of an installation are. */
export interface BackupState {
  /** The last one that is whole; null when there is none. */
  readonly last: { file: string; host: string; kind: string; bytes: number; ended: string; ageSeconds: number } | null
  /** Why the one after it failed; null when none did. */
  readonly failure: string | null
  /** Slots of replication, by which the database keeps its log for whoever receives it. */
  readonly slots: readonly { name: string; isActive: boolean; isLost: boolean; heldBytes: number }[]
}

/** Seconds after which the last backup is too old, and bytes that a slot may hold back. */
const most = { age: 26 * 3600, held: 1024 ** 3 }

const lastSql = `SELECT file, host, kind, bytes::float8 AS bytes, ended, extract(epoch FROM clock_timestamp() - ended)::float8 AS "ageSeconds"
  FROM backup_run WHERE state = 'done' ORDER BY ended DESC LIMIT 1`

/** A backup that was killed tells nothing: it holds back no files any more. */
const failedSql = `SELECT coalesce(reason, 'its process has ended') AS reason FROM backup_run
  WHERE (state = 'failed' OR state = 'running' AND "holdUntil" < clock_timestamp())
    AND began > coalesce((SELECT max(began) FROM backup_run WHERE state = 'done'), '-infinity')
  ORDER BY began DESC LIMIT 1`

const slotsSql = `SELECT slot_name AS name, active AS "isActive", wal_status IS NOT DISTINCT FROM 'lost' AS "isLost",
    coalesce(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, restart_lsn), 0)::float8 AS "heldBytes"
  FROM pg_replication_slots WHERE slot_type = 'physical' ORDER BY 1`

/** Reads how old the last backup is, and what slots hold back. */
export async function readBackupState(pool: pg.Pool): Promise<BackupState> {
  const last = await pool.query(lastSql)
  const failed = await pool.query<{ reason: string }>(failedSql)
  const slots = await pool.query<BackupState['slots'][number]>(slotsSql)
  const found = last.rows[0]
  return {
    last: found ? { ...found, ended: found.ended.toISOString(), ageSeconds: Math.round(found.ageSeconds) } : null,
    failure: failed.rows[0]?.reason ?? null,
    slots: slots.rows,
  }
}

/** Whether the last backup is so old that somebody should look. */
export const isBackupOld = ({ ageSeconds }: { ageSeconds: number }): boolean => ageSeconds > most.age

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`

/** What somebody should do something about, in sentences for an operator; none when all is well. */
export function backupTroubles({ last, failure, slots }: BackupState): string[] {
  const found: string[] = []
  if (!last) found.push('There is no backup yet.')
  else if (isBackupOld(last)) found.push(`The last backup is ${Math.floor(last.ageSeconds / 3600)} hours old.`)
  if (failure) found.push(`The last backup failed: ${failure}`)
  for (const { name, isActive, isLost, heldBytes } of slots) {
    if (isLost)
      found.push(`The slot ${name} has lost its place: who received the log must begin anew, with a new backup.`)
    else if (!isActive)
      found.push(
        `Nobody receives the log for the slot ${name}, which holds ${megabytes(heldBytes)} back: start who did (npm run backup -- watch), or drop it with SELECT pg_drop_replication_slot('${name}').`,
      )
    else if (heldBytes > most.held)
      found.push(`The slot ${name} holds ${megabytes(heldBytes)} back: who receives the log is slow.`)
  }
  return found
}
