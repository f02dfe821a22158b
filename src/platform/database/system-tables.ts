import type { ColumnType } from 'kysely'

/** A menu that a top menu leads to. */
export interface TopmenuSettingTable {
  topMenuId: string
  menuId: string
}

/** A scope granted to a role. `category`: 1 data, 2 API. */
export interface RoleScopeTable {
  roleId: string
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
