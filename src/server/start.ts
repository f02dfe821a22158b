import type { FastifyInstance } from 'fastify'
import { seedDemo } from '../demo/index.ts'
import { demoStaff } from '../platform/accounts/server/demo-accounts.ts'
import { refuseKnownPasswords, tellIgnoredPassword } from '../platform/auth/server/known-passwords.ts'
import { type Config, demoPassword } from '../platform/config/config.ts'
import { firstTenant } from '../platform/database/first-tenant.ts'
import { Listener } from '../platform/http/server/listener.ts'
import { buildApp } from './app.ts'

const accounts = [
  ['admin', '超级管理员'],
  ...demoStaff.map(([account, , , title]) => [account, title] as const),
  ['kaosheng', '考生'],
] as const

/** The accounts of the demonstration that are there: one that was made by an older program has fewer. */
async function presentAccounts({ db }: FastifyInstance): Promise<string> {
  const found = await db
    .selectFrom('user')
    .select('account')
    .where('tenantId', '=', firstTenant)
    .where(
      'account',
      'in',
      accounts.map(([account]) => account),
    )
    .where('isDeleted', '=', 0)
    .execute()
  const names = new Set(found.map(({ account }) => account))
  return accounts
    .filter(([account]) => names.has(account))
    .map(one => one.join(' '))
    .join(' · ')
}

/**
 * Starts the server: listens, builds it, refuses known passwords, makes the demonstration where it is asked for, takes calls, and
 * says on the console where it can be reached. Until it takes calls, it answers that it lives and is not ready.
 * @param order the order to end; while the start waits for the database, it is given up with the reason of the order
 * @throws what the start refuses, and when the address is taken; then nothing listens any more
 */
export async function start(config: Config, order?: AbortSignal): Promise<FastifyInstance> {
  const listener = await Listener.open(config)
  let app: FastifyInstance | undefined
  try {
    app = await buildApp(config, undefined, undefined, listener, order)
    const isDemo = config.demo && !config.bladeApi
    if (!config.bladeApi) {
      await refuseKnownPasswords(app)
      await tellIgnoredPassword(app, line => console.warn(line))
    }
    if (isDemo) await seedDemo(app, { tell: line => console.log(line) })
    await app.serveMetrics()
    listener.handOver(app)
    console.log(`聚贤 Juxian: ${listener.url}`)
    if (isDemo) console.log(`演示账号（密码 ${demoPassword}）: ${await presentAccounts(app)}`)
    return app
  } catch (error) {
    await app?.close()
    await listener.close()
    throw error
  }
}
