import { JobSyncState } from '#schemas/dictionaries'

/** What a job here and the job at its server are compared by. */
export interface Sides {
  /** Whether the job here has one at the server. */
  readonly isLinked: boolean
  readonly syncState: number | null
  /** Digest of what both agreed on last; null when they never have. */
  readonly agreed: string | null
  readonly local: string
  /** Digest of the job there; null where it is gone. */
  readonly remote: string | null
}

/**
 * What is to be done with a job: `create` it there, `push` what is here, `pull` what is there, `agree` that both are the same,
 * `conflict` where both were changed and a person has to choose, `gone` where it was deleted there, `nothing`.
 */
export type Decision = 'create' | 'push' | 'pull' | 'agree' | 'conflict' | 'gone' | 'nothing'

/** Which side a person prefers where both were changed. */
export type Preference = 'local' | 'remote'

/** Decides by what has changed since both sides agreed last. */
export function decide({ isLinked, syncState, agreed, local, remote }: Sides, prefer?: Preference): Decision {
  if (remote === null) {
    if (!isLinked) return 'create'
    return syncState === JobSyncState.removed ? 'nothing' : 'gone'
  }
  if (local === remote) return isLinked && agreed === local && syncState === JobSyncState.synced ? 'nothing' : 'agree'
  if (prefer) return prefer === 'local' ? 'push' : 'pull'
  if (local === agreed) return 'pull'
  return remote === agreed ? 'push' : 'conflict'
}
