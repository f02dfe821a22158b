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

/** A third-party login that waits for an account; `userId` once it has one. */
export interface OauthLoginTable {
  id: string
  tenantId: string
  source: string
  uuid: string
  nickname: string | null
  until: Date
  userId: string | null
}

declare module './tables.ts' {
  interface InternalTables {
    topmenu_setting: TopmenuSettingTable
    role_scope: RoleScopeTable
    oauth_login: OauthLoginTable
  }
}
