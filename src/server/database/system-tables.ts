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

declare module './tables.ts' {
  interface InternalTables {
    topmenu_setting: TopmenuSettingTable
    role_scope: RoleScopeTable
  }
}
