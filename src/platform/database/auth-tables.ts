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
  /** The person must set up a second factor before anything else. */
  mustEnrol: ColumnType<boolean, boolean | undefined, boolean>
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
  /** Until when whoever is counted has to wait, where the wait grows with the count. */
  waitUntil: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** A browser from which somebody has signed in, by the hash of what it holds. It is no credential. */
export interface KnownDeviceTable {
  hash: string
  userId: string
  createTime: Date
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

/** What the program has last given a role that installations begin with. */
export interface RolePresetTable {
  roleId: string
  codes: string[]
  /** What newer versions give it beyond that, until somebody has granted anew. */
  owed: ColumnType<string[], string[] | undefined, string[]>
}

/** The one row that says how often grants have changed. */
export interface GrantStampTable {
  id: number
  version: string
}

/** The second factor of an account; both secrets sealed. `secret` counts, `pending` waits for its first code. */
export interface SecondFactorTable {
  userId: string
  secret: string | null
  pending: string | null
  /** The time step of the last code that served. */
  lastStep: ColumnType<string, number | undefined, number>
  confirmTime: Date | null
}

/** A code that opens one login without the device. */
export interface RecoveryCodeTable {
  userId: string
  hash: string
}

/** A login whose first half is done, by the hash of what its page was given. */
export interface LoginTicketTable {
  hash: string
  userId: string
  clientId: string
  roleId: string | null
  deptId: string | null
  tries: ColumnType<number, number | undefined, number>
  until: Date
}

declare module './tables.ts' {
  interface InternalTables {
    second_factor: SecondFactorTable
    recovery_code: RecoveryCodeTable
    login_ticket: LoginTicketTable
    session: SessionTable
    session_token: SessionTokenTable
    captcha: CaptchaTable
    used_nonce: UsedNonceTable
    throttle: ThrottleTable
    known_device: KnownDeviceTable
    user_password: UserPasswordTable
    role_menu: RoleMenuTable
    role_preset: RolePresetTable
    grant_stamp: GrantStampTable
  }
}
