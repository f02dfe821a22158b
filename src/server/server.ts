import type { FastifyInstance } from 'fastify'
import { seedDemo } from '../../tools/demo/index.ts'
import { demoStaff } from '../platform/accounts/server/demo-accounts.ts'
import { refuseKnownPasswords, tellIgnoredPassword } from '../platform/auth/server/known-passwords.ts'
import { demoPassword, readConfig } from '../platform/config/config.ts'
import { firstTenant } from '../platform/database/first-tenant.ts'
import { buildApp } from './app.ts'

/** How long running requests may take after the order to stop, in milliseconds. */
const grace = 25_000

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

async function main(): Promise<void> {
  const config = readConfig()
  const building = buildApp(config)
  endOnSignal(building)
  const app = await building
  try {
    const isDemo = config.demo && !config.bladeApi
    if (!config.bladeApi) {
      await refuseKnownPasswords(app)
      await tellIgnoredPassword(app, line => console.warn(line))
    }
    if (isDemo) await seedDemo(app, { tell: line => console.log(line) })
    const address = await app.listen({ port: config.port, host: config.host })
    console.log(`聚贤 Juxian: ${address}`)
    if (isDemo) console.log(`演示账号（密码 ${demoPassword}）: ${await presentAccounts(app)}`)
  } catch (error) {
    await app.close()
    throw error
  }
}

/** Ends in order on the first signal: running requests, the pool, the embedded database; at once on a later one. */
function endOnSignal(building: Promise<FastifyInstance>): void {
  let since = 0
  const stop = () => {
    // A Ctrl-C may arrive twice, from the terminal and from npm; one that comes later is meant.
    if (since && performance.now() - since > 2000) process.exit(1)
    if (since) return
    since = performance.now()
    setTimeout(() => process.exit(1), grace).unref()
    building.then(app => app.close()).then(() => process.exit(0), fail)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

function fail(error: Error): void {
  console.error(error.message)
  process.exit(1)
}

main().catch(fail)
