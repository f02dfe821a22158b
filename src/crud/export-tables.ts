/** An export that is still to be made, or that failed and may be asked for again. */
export interface ExportJobTable {
  taskId: string
  /** Name of the kind of export. */
  kind: string
  /** The order as JSON, sealed: filters may hold personal numbers. */
  wish: string
  userId: string
  /** Comma-joined, as the person had them when asking. */
  roleIds: string
  deptIds: string
  /** The worker that is at it, null for none; it counts until `leaseUntil`. */
  leaseBy: string | null
  leaseUntil: Date | null
  /** How often a worker has begun. */
  tries: number
  /** Where the worker is putting the bytes. */
  key: string | null
}

declare module '../platform/database/tables.ts' {
  interface InternalTables {
    export_job: ExportJobTable
  }
}
