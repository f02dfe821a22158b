import type { Generated } from 'kysely'

/** One run of a job. */
export interface JobInstanceTable {
  id: Generated<string>
  jobInfoId: string
  /** 1 waiting, 3 running, 4 failed, 5 done, 9 cancelled. */
  state: number
  /** Who asked for it; null for the clock. */
  userId: string | null
  /** What it is given; null for what the job says. */
  params: string | null
  planTime: Date
  startTime: Date | null
  endTime: Date | null
  /** The worker that is at it, null for none; it counts until `leaseUntil`. */
  leaseBy: string | null
  leaseUntil: Date | null
  tries: Generated<number>
  result: string | null
}

declare module './tables.ts' {
  interface InternalTables {
    job_instance: JobInstanceTable
  }
}
