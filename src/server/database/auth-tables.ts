import type { ColumnType } from 'kysely'

type Id = ColumnType<string, string | undefined, string>

/** One login on one device. `roleId` and `deptId`: what was chosen when switching; null means everything. */
export interface SessionTable {
  id: Id
  userId: string
  tenantId: string
  clientId: string
  roleId: string | null
  deptId: string | null
  ip: string | null
  userAgent: string | null
  createTime: Date
  lastSeen: Date
  endTime: Date | null
  endReason: string | null
}

/** A token of a session, by the hash of its text. `kind`: 1 access, 2 refresh. */
export interface SessionTokenTable {
  hash: string
  sessionId: string
  kind: number
  until: Date
  spentTime: Date | null
}

/** A picture waiting for its answer. */
export interface CaptchaTable {
  key: string
  answer: string
  until: Date
}

/** A login number that has served. */
export interface UsedNonceTable {
  nonce: string
  until: Date
}

/** A counter of things that may happen only so often until a time. */
export interface ThrottleTable {
  key: string
  count: number
  until: Date
}

/** A password a person has had. */
export interface UserPasswordTable {
  id: Id
  userId: string
  hash: string
  createTime: Date
}

/** A menu or button granted to a role. */
export interface RoleMenuTable {
  roleId: string
  menuId: string
}

/** The one row that says how often grants have changed. */
export interface GrantStampTable {
  id: number
  version: string
}

declare module './tables.ts' {
  interface InternalTables {
    session: SessionTable
    session_token: SessionTokenTable
    captcha: CaptchaTable
    used_nonce: UsedNonceTable
    throttle: ThrottleTable
    user_password: UserPasswordTable
    role_menu: RoleMenuTable
    grant_stamp: GrantStampTable
  }
}
