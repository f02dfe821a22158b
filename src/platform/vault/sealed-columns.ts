import { type Field, tableOf } from '#engine'
import { entities } from '#schemas'

/** A column whose texts the vault has sealed, and the column that tells its rows apart. */
export interface SealedColumn {
  readonly table: string
  readonly key: string
  readonly keyType: 'bigint' | 'text'
  readonly column: string
}

/** Where our own tables hold sealed texts. */
const own: readonly SealedColumn[] = [
  { table: 'second_factor', key: 'userId', keyType: 'bigint', column: 'secret' },
  { table: 'second_factor', key: 'userId', keyType: 'bigint', column: 'pending' },
  { table: 'oauth_state', key: 'hash', keyType: 'text', column: 'verifier' },
  { table: 'work_item', key: 'id', keyType: 'bigint', column: 'payload' },
  { table: 'draft', key: 'id', keyType: 'bigint', column: 'content' },
  { table: 'wechat_token', key: 'accountId', keyType: 'bigint', column: 'token' },
  { table: 'wechat_ticket', key: 'id', keyType: 'text', column: 'openid' },
  { table: 'sms_sent', key: 'id', keyType: 'text', column: 'phone' },
]

/**
 * Every column that holds sealed texts. Secrets of which only a hash is kept stand among them too: their texts are told apart
 * by how they begin.
 */
export const sealedColumns: readonly SealedColumn[] = [
  ...entities.flatMap(({ name, properties }) =>
    Object.entries<Field>(properties)
      .filter(([, { kind }]) => kind === 'sealed' || kind === 'secret')
      .map(([column]) => ({ table: tableOf(name), key: 'id', keyType: 'bigint' as const, column })),
  ),
  ...own,
]
