import type { Selectable } from 'kysely'
import { JobEnable, JobServerType, JobSyncState } from '#schemas/dictionaries'
import type { Database } from '../../../../platform/database/database.ts'
import { type Live, updateUnstamped } from '../../../../platform/database/live.ts'
import { digestOf, localValues, type RemoteJob, remoteValues, type SharedValues } from './mapping.ts'

/** A job as it is stored here. */
export type JobRow = Omit<Selectable<Database['job_info']>, 'tenantId' | 'isDeleted'>

/** Jobs of PowerJob servers among some jobs, or all of one server. */
export const jobsOf = (db: Live, of: { ids: readonly string[] } | { serverId: string }): Promise<JobRow[]> =>
  db
    .selectFrom('job_info')
    .selectAll('job_info')
    .innerJoin('job_server', 'job_server.id', 'job_info.jobServerId')
    .where('job_server.serverType', '=', JobServerType.powerJob)
    .$if('ids' in of, query => query.where('job_info.id', 'in', 'ids' in of && of.ids.length > 0 ? [...of.ids] : ['0']))
    .$if('serverId' in of, query => query.where('job_info.jobServerId', '=', 'serverId' in of ? of.serverId : '0'))
    .orderBy('job_info.id')
    .execute()

/** The row of a job, locked; undefined when it has been removed meanwhile. */
const lockRow = (db: Live, id: string): Promise<JobRow | undefined> =>
  db.selectFrom('job_info').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/**
 * Keeps that both sides have agreed on values. What somebody has changed here meanwhile stays, as not synced.
 * @param there the job at the server, read after they agreed
 */
export const keepAgreed = (db: Live, id: string, agreed: SharedValues, there: RemoteJob): Promise<void> =>
  db.transaction().execute(async trx => {
    const row = await lockRow(trx, id)
    if (!row) return
    const syncHash = digestOf(agreed)
    const isSame = digestOf(localValues(row)) === syncHash
    await updateUnstamped(trx, 'job_info')
      .set({
        jobId: there.jobId,
        remoteModified: there.modified,
        nextTime: there.nextTime,
        syncHash,
        syncState: isSame ? JobSyncState.synced : JobSyncState.unsynced,
      })
      .where('id', '=', id)
      .execute()
  })

/**
 * Takes over what a server has of a job.
 * @param seen digest of the job here when that was decided
 * @returns false when somebody has changed it here since
 */
export const takeOver = (db: Live, id: string, seen: string, there: RemoteJob): Promise<boolean> =>
  db.transaction().execute(async trx => {
    const row = await lockRow(trx, id)
    if (!row || digestOf(localValues(row)) !== seen) return false
    await trx
      .updateTable('job_info')
      .set(eb => ({ ...rowOf(there), version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    return true
  })

/** What a job at a server is as a row here. */
export function rowOf(there: RemoteJob) {
  const values = remoteValues(there)
  return {
    ...values,
    lifecycle: values.lifecycle === null ? null : JSON.stringify(values.lifecycle),
    jobId: there.jobId,
    remoteModified: there.modified,
    nextTime: there.nextTime,
    syncHash: digestOf(values),
    syncState: JobSyncState.synced,
  }
}

/** Keeps that both sides were changed; a person has to choose. */
export const keepConflict = (db: Live, id: string) =>
  updateUnstamped(db, 'job_info').set({ syncState: JobSyncState.conflict }).where('id', '=', id).execute()

/** Keeps that a job was deleted at its server: it does not run any more, and its runs stay. */
export const keepGone = (db: Live, id: string) =>
  updateUnstamped(db, 'job_info')
    .set(eb => ({
      syncState: JobSyncState.removed,
      enable: JobEnable.paused,
      nextTime: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()

/** Keeps that nobody knows how jobs of a server stand that could not be asked. Conflicts and deletions stay known. */
export const keepUnsynced = (db: Live, serverId: string) =>
  updateUnstamped(db, 'job_info')
    .set({ syncState: JobSyncState.unsynced })
    .where('jobServerId', '=', serverId)
    .where('syncState', '=', JobSyncState.synced)
    .execute()
