import type { ColumnType } from 'kysely'

/** A menu that a top menu leads to. */
export interface TopmenuSettingTable {
  topMenuId: string
  menuId: string
}

/** Kinds of scopes by the table that holds them; the number stands in `role_scope`. */
export const scopeKinds = { data_scope: 1, api_scope: 2 } as const

/** One of {@link scopeKinds}. */
export type ScopeTable = keyof typeof scopeKinds

/** A scope granted to a role. */
export interface RoleScopeTable {
  roleId: string
  /** One of {@link scopeKinds}. */
  category: number
  scopeId: string
}

/** A step of the start list that somebody ticked; `*` puts the whole list away. */
export interface StartStepTable {
  tenantId: string
  code: string
  userId: string
  time: ColumnType<Date, Date, Date>
}

declare module './tables.ts' {
  interface InternalTables {
    topmenu_setting: TopmenuSettingTable
    role_scope: RoleScopeTable
    start_step: StartStepTable
  }
}
