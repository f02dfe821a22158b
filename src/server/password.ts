import { renewPassword } from '../platform/accounts/server/renew-password.ts'
import { readConfig } from '../platform/config/config.ts'
import { firstTenant } from '../platform/database/first-tenant.ts'
import { buildApp } from './app.ts'

// Gives an account a new password when nobody can sign in any more who could reset it: `npm run password -- admin`, or
// `-- ACCOUNT TENANT` for one of another tenant. The password is printed once and must be changed at the first login.

const [account, tenantId = firstTenant] = process.argv.slice(2)
const app = await buildApp({ ...readConfig(), jobs: false, checksFiles: false })
try {
  if (!account) throw new Error('请写明账号，例如：npm run password -- admin')
  const made = await app.db.transaction().execute(async trx => {
    const user = await trx
      .selectFrom('user')
      .select(['id', 'tenantId', 'account', 'password'])
      .where('tenantId', '=', tenantId)
      .where('account', '=', account)
      .where('isDeleted', '=', 0)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!user) throw new Error(`租户 ${tenantId} 中没有账号 ${account}`)
    return renewPassword(app, trx, user)
  })
  console.log(`${account} 的新密码：${made.password}（只显示这一次，登录后须修改；动态验证码和锁定已解除）`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await app.close()
}
