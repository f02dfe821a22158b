import type { Pool } from 'pg'

/** Remembers the nonces of notifications, so that a captured one is worth nothing. */
export interface NonceStore {
  /** True the first time a nonce is seen until `keepUntil`, false after that. */
  spend(nonce: string, keepUntil: Date): Promise<boolean>
}

/** Nonces in the table `pay_nonce`, shared by all processes of one installation. */
export function databaseNonces(pool: Pool): NonceStore {
  return {
    async spend(nonce, keepUntil) {
      const { rowCount } = await pool.query(
        'INSERT INTO pay_nonce (nonce, "expireTime") VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [nonce, keepUntil],
      )
      return rowCount === 1
    },
  }
}

/** Forgets the nonces whose time is over. */
export async function purgeNonces(pool: Pool, now: Date): Promise<void> {
  await pool.query('DELETE FROM pay_nonce WHERE "expireTime" < $1', [now])
}
