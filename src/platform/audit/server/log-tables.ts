/** The end of a tenant's audit chain. */
export interface AuditHeadTable {
  tenantId: string
  /** Number of the last entry. */
  seq: number
  /** Digest of the last entry. */
  hash: string
  /** Keyed digest of number and digest: entries cannot be cut off the end unseen. */
  seal: string
}

declare module '../../database/tables.ts' {
  interface InternalTables {
    audit_head: AuditHeadTable
  }
}
