import type { ColumnType } from 'kysely'

/** A key, pepper or key pair of this installation, wrapped with the secret key. */
export interface SecretTable {
  name: string
  version: number
  value: string
  /** False while processes are told of it and none may use it. */
  inUse: ColumnType<boolean, boolean | undefined, boolean>
  createTime: ColumnType<Date, Date | undefined, never>
}

/** What has been done to this database: one row per SQL migration, and the state of the definitions. */
export interface MigrationTable {
  name: string
  hash: string
  time: ColumnType<Date, Date | undefined, Date>
}

/**
 * Tables that are no entity. Whoever adds one in a numbered SQL file adds its type here by declaration merging:
 * `declare module '…/database/tables.ts' { interface InternalTables { session: SessionTable } }`.
 */
export interface InternalTables {
  secret: SecretTable
  migration: MigrationTable
}

/** Tables that are no entity and whose rows have a tenant: a live handle limits them and adds theirs. */
export const tenantTables = ['file_arrival', 'flow_instance', 'start_step'] as const

/** One of {@link tenantTables}. */
export type TenantTable = (typeof tenantTables)[number]
