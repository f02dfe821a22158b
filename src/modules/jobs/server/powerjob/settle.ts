import type { Live } from '../../../../platform/database/live.ts'
import type { PowerJob } from './client.ts'
import { type Decision, decide, type Preference } from './decide.ts'
import { ServerUnreachable } from './errors.ts'
import { type JobRow, keepAgreed, keepConflict, keepGone, takeOver } from './job-rows.ts'
import { digestOf, localValues, type RemoteJob, remoteValues, saveRequest, tagOf } from './mapping.ts'

/** What came of settling a job: what was decided, or that it was changed here meanwhile and is left for the next time. */
export type Outcome = Decision | 'changed'

/**
 * The job at a server that belongs to a job here; null for none. One that was saved there and whose id was never stored here,
 * because a process or a connection ended in between, is found by its mark.
 */
export async function counterpart(there: PowerJob, row: Pick<JobRow, 'id' | 'jobId'>): Promise<RemoteJob | null> {
  const found = row.jobId ? await there.job(row.jobId) : await there.jobByTag(tagOf(row.id))
  return found?.isDeleted ? null : found
}

/** Saves a job at its server as it is here, and keeps that both agree. */
async function save(db: Live, there: PowerJob, row: JobRow, before: RemoteJob | null): Promise<void> {
  const values = localValues(row)
  const jobId = await there.save(saveRequest(row.id, values, before))
  const after = await there.job(jobId)
  if (!after) throw new ServerUnreachable('the job that was saved is not there')
  await keepAgreed(db, row.id, values, after)
}

/**
 * Brings a job here and at its server together.
 * @param remote the job there, as it was just read; null for none
 * @param prefer which side counts where both were changed
 * @throws ServerUnreachable, ServerRefusal, and UnknownValue for a job that cannot be kept here
 */
export async function settle(
  db: Live,
  there: PowerJob,
  row: JobRow,
  remote: RemoteJob | null,
  prefer?: Preference,
): Promise<Outcome> {
  const local = digestOf(localValues(row))
  const { jobId, syncState, syncHash: agreed } = row
  const digest = remote && digestOf(remoteValues(remote))
  const decision = decide({ isLinked: Boolean(jobId), syncState, agreed, local, remote: digest }, prefer)
  if (decision === 'create' || decision === 'push') await save(db, there, row, remote)
  else if (decision === 'agree' && remote) await keepAgreed(db, row.id, localValues(row), remote)
  else if (decision === 'pull' && remote) return (await takeOver(db, row.id, local, remote)) ? 'pull' : 'changed'
  else if (decision === 'conflict') await keepConflict(db, row.id)
  else if (decision === 'gone') await keepGone(db, row.id)
  return decision
}
