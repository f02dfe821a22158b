import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { AccountStatus } from '#schemas/dictionaries'
import { demoLeft, demoMark, firstAdministrator, knownAccounts } from '../../auth/server/known-passwords.ts'
import { endSessions } from '../../auth/server/session.ts'
import { firstTenant } from '../../database/first-tenant.ts'
import { removeAllFiles } from '../../files/storage.ts'
import { keyLock } from '../../vault/key-follow.ts'
import { type NewPassword, renewPassword } from './renew-password.ts'

/** What became of the accounts with the demonstration's password. */
export interface Locked {
  /** Accounts that are disabled now and have no password. */
  disabled: number
  /** The first administrator's new password; undefined when that account had another one already. */
  administrator: NewPassword | undefined
}

/**
 * Makes a demonstration an installation for use and keeps its data: accounts with the known password are disabled and lose
 * it, the first administrator gets a new one.
 */
export async function lockDemo(app: FastifyInstance): Promise<Locked> {
  return app.db.transaction().execute(async trx => {
    const known = await knownAccounts(trx)
    const isFirst = (one: (typeof known)[number]) => one.account === firstAdministrator && one.tenantId === firstTenant
    const first = known.find(isFirst)
    const others = known.filter(one => !isFirst(one)).map(one => one.id)
    const now = app.now()
    if (others.length > 0) {
      const closed = { accountStatus: AccountStatus.disabled, password: null, updateTime: now }
      await trx.updateTable('user').set(closed).where('id', 'in', others).execute()
      await endSessions(trx, others, 'disabled', now)
    }
    await trx.updateTable('migration').set({ hash: demoLeft }).where('name', '=', demoMark).execute()
    const administrator = first
      ? await renewPassword(app, trx, { ...first, password: null }, app.config.adminPassword)
      : undefined
    return { disabled: others.length, administrator }
  })
}

/**
 * Deletes everything of an installation that began as a demonstration, except its secret key: the next start makes a new one.
 * Nothing happens where there is no demonstration, or another process uses the database.
 */
export async function clearDemo(app: FastifyInstance): Promise<'cleared' | 'no demo' | 'in use'> {
  const cleared = await app.db.transaction().execute(async trx => {
    const mark = await trx.selectFrom('migration').select('hash').where('name', '=', demoMark).executeTakeFirst()
    // What was locked is in use, whatever it began as.
    const isDemo = mark !== undefined && mark.hash !== demoLeft
    if (!isDemo && (await knownAccounts(trx)).length === 0) return 'no demo'
    // Every process of ours holds this lock; one of them is this program.
    const { rows } = await sql<{ n: number }>`SELECT count(DISTINCT l.pid)::int AS n FROM pg_locks l
      JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
      WHERE l.locktype = 'advisory' AND l.classid = ${keyLock}`.execute(trx)
    if ((rows[0]?.n ?? 0) > 1) return 'in use'
    await sql`DROP SCHEMA public CASCADE`.execute(trx)
    await sql`CREATE SCHEMA public`.execute(trx)
    await sql`GRANT USAGE ON SCHEMA public TO PUBLIC`.execute(trx)
    return 'cleared' as const
  })
  if (cleared === 'cleared') await removeAllFiles(app.config)
  return cleared
}
