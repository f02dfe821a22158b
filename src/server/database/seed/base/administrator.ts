import { demoPassword } from '../../../config.ts'
import { firstTenant } from '../../../domain/first-tenant.ts'
import { hashPassword, randomPassword } from '../../../domain/password.ts'
import { roleIds } from './roles.ts'
import { type Seeding, topDept } from './tenant.ts'

const account = 'admin'

/**
 * The first administrator, when the first tenant has no staff. Without a given password one is made, printed once, and to
 * be changed at the first login.
 */
export async function seedAdministrator({ app, trx, now }: Seeding): Promise<void> {
  const found = await trx
    .selectFrom('user')
    .select('id')
    .where('tenantId', '=', firstTenant)
    .where('userType', '=', 1)
    .limit(1)
    .executeTakeFirst()
  if (found) return
  const given = app.config.adminPassword ?? (app.config.demo ? demoPassword : undefined)
  const password = given ?? randomPassword()
  await trx
    .insertInto('user')
    .values({
      ...{ tenantId: firstTenant, account, name: '管理员', realName: '管理员', userType: 1, idType: 1, code: '' },
      ...{ phone: '', password: await hashPassword(password), mustChangePwd: given ? 0 : 1, pwdUpdateTime: now },
      ...{ roleId: roleIds.administrator!, deptId: topDept },
    })
    .execute()
  if (!given)
    process.stdout.write(
      `First administrator: ${account} / ${password} (shown only now; change it at the first login)\n`,
    )
}
