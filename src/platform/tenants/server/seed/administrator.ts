import { IdType, UserType } from '#schemas/dictionaries'
import { demoPassword } from '../../../config/config.ts'
import { firstTenant } from '../../../database/first-tenant.ts'
import { hashPassword, randomPassword } from '../../../vault/password.ts'
import { roleIds } from './roles.ts'
import { type Seeding, topDept } from './tenant.ts'

/** What differs between the first administrators of two tenants. */
interface Appointed {
  tenantId: string
  password: string
  /** Whether the password serves for one sign-in only. */
  mustChange: boolean
  roleId: string
  deptId: string
  now: Date
}

/** The row of a tenant's first administrator. */
export const firstAdministrator = async ({ tenantId, password, mustChange, roleId, deptId, now }: Appointed) => ({
  tenantId,
  account: 'admin',
  name: '管理员',
  realName: '管理员',
  userType: UserType.staff,
  idType: IdType.residentCard,
  code: '',
  phone: '',
  password: await hashPassword(password),
  mustChangePwd: mustChange ? (1 as const) : (0 as const),
  pwdUpdateTime: now,
  roleId,
  deptId,
})

/** An account whose password nobody knows yet. */
interface FirstAdministrator {
  account: string
  password: string
}

/**
 * The first administrator, when the first tenant has no staff. Without a given password one is made, to be changed at the
 * first sign-in.
 * @returns the account with the password that was made; undefined when none was
 */
export async function seedAdministrator({ app, trx, now }: Seeding): Promise<FirstAdministrator | undefined> {
  const found = await trx
    .selectFrom('user')
    .select('id')
    .where('tenantId', '=', firstTenant)
    .where('userType', '=', UserType.staff)
    .limit(1)
    .executeTakeFirst()
  if (found) return undefined
  const given = app.config.adminPassword ?? (app.config.demo ? demoPassword : undefined)
  const password = given ?? randomPassword()
  const place = { tenantId: firstTenant, roleId: roleIds.administrator!, deptId: topDept }
  const row = await firstAdministrator({ ...place, password, mustChange: !given, now })
  await trx.insertInto('user').values(row).execute()
  return given ? undefined : { account: row.account, password }
}

const line = '═'.repeat(64)

/** Tells the password of the first administrator on the console, framed, once it is certain that the account exists. */
export function tellAdministrator({ account, password }: FirstAdministrator): void {
  const words = [
    '管理员账号 First administrator',
    `  账号 account:  ${account}`,
    `  密码 password: ${password}`,
    '只显示这一次，请立即抄下；首次登录须修改。',
    'Shown only now: write it down. It must be changed at the first sign-in.',
  ]
  process.stdout.write(`\n${line}\n${words.join('\n')}\n${line}\n\n`)
}
