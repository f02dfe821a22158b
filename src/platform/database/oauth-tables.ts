import type { ColumnType } from 'kysely'

/** A login at an outside provider under way. `userId`: who links an identity; null for somebody who signs in. */
export interface OauthStateTable {
  hash: string
  browserHash: string
  sourceId: string
  redirectUri: string
  nonce: string
  /** Sealed. */
  verifier: string
  userId: string | null
  until: Date
}

/** Whose an outside identity is: what `issuer` calls `uuid` signs in as `userId`. */
export interface UserOauthTable {
  id: ColumnType<string, string | undefined, never>
  tenantId: string
  userId: string
  source: string
  issuer: string
  uuid: string
  nickname: string | null
  createTime: Date
}

/** A third-party login that waits for an account; `userId` once it has one. */
export interface OauthLoginTable {
  id: string
  tenantId: string
  source: string
  issuer: string
  uuid: string
  nickname: string | null
  /** Of the guest session's token. */
  tokenHash: string
  until: Date
  userId: string | null
}

/** What a person allowed a program, until it is exchanged for a session. */
export interface OauthCodeTable {
  hash: string
  clientId: string
  userId: string
  redirectUri: string
  challenge: string | null
  until: Date
  spentTime: Date | null
  replayTime: Date | null
  sessionId: string | null
}

declare module './tables.ts' {
  interface InternalTables {
    oauth_state: OauthStateTable
    user_oauth: UserOauthTable
    oauth_login: OauthLoginTable
    oauth_code: OauthCodeTable
  }
}
