import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { AccountStatus, UserType } from '#schemas/dictionaries'
import { User } from '#schemas/system/user'
import { tokenHash } from '../../src/platform/auth/rules/session.ts'
import { seedBase } from '../../src/platform/tenants/server/seed/index.ts'
import type { TestApp } from './app.ts'
import { insert, sampleIdCard, samplePhone } from './sample.ts'

/** Somebody signed in, as tests need them. */
export interface Caller {
  userId: string
  tenantId: string
  /** Go into every call. */
  headers: Record<string, string>
}

/** What is special about somebody. */
export interface Special {
  /** Alias of the role: one of the seeded ones, or a new one that holds {@link Special.permissions}. */
  role?: string
  /** Codes granted to the role; menus of these codes are made when missing. */
  permissions?: readonly string[]
  tenantId?: string
  userType?: 1 | 2 | 3
}

let serial = 7000

async function roleOf(t: TestApp, { role, permissions = [], tenantId = '000000' }: Special): Promise<string> {
  const alias = role ?? `test_${++serial}`
  const known = await t.pool.query<{ id: string }>(
    'SELECT id FROM role WHERE "roleAlias" = $1 AND "tenantId" = $2 AND "isDeleted" = 0',
    [alias, tenantId],
  )
  if (known.rows[0] && permissions.length === 0) return known.rows[0].id
  const { rows } = await t.pool.query<{ id: string }>(
    `INSERT INTO role ("roleName", "roleAlias", sort, "isBack", "tenantId") VALUES ($1, $1, 1, 1, $2)
     ON CONFLICT DO NOTHING RETURNING id`,
    [alias, tenantId],
  )
  const id = rows[0]?.id ?? known.rows[0]!.id
  await t.pool.query(
    `INSERT INTO role_menu SELECT $1, id FROM menu WHERE code = ANY($2) AND "isDeleted" = 0 ON CONFLICT DO NOTHING`,
    [id, permissions],
  )
  return id
}

/** Servers whose base data are known to be there. */
const seeded = new WeakSet<TestApp>()

/** Makes sure the tenant is there and the base data are. */
async function prepare(t: TestApp, tenantId: string): Promise<void> {
  if (!seeded.has(t)) await seedBase(t.app)
  seeded.add(t)
  await sql`INSERT INTO tenant ("tenantId", "tenantName", "tenantStatus")
    SELECT ${tenantId}, ${tenantId}, 1 WHERE NOT EXISTS (SELECT 1 FROM tenant WHERE "tenantId" = ${tenantId})`.execute(
    t.db,
  )
}

/** Somebody with a running session, without going through the login page. */
export async function signIn(t: TestApp, special: Special = {}): Promise<Caller> {
  const { tenantId = '000000', userType = special.role === 'candidate' ? UserType.candidate : UserType.staff } = special
  await prepare(t, tenantId)
  const n = ++serial
  const roleId = await roleOf(t, special)
  const user = await insert(t.app, User, {
    tenantId,
    account: `test${n}`,
    realName: `测试${n}`,
    roleId,
    userType,
    accountStatus: AccountStatus.active,
    deptId: null,
    phone: samplePhone(n),
    idCard: sampleIdCard(n),
  })
  const token = randomBytes(24).toString('base64url')
  const session = await t.pool.query<{ id: string }>(
    `INSERT INTO session ("userId", "tenantId", "clientId", "createTime", "lastSeen") VALUES ($1, $2, 'saber', $3, $3)
     RETURNING id`,
    [user.id, tenantId, t.app.now()],
  )
  await t.pool.query('INSERT INTO session_token (hash, "sessionId", kind, until) VALUES ($1, $2, 1, $3)', [
    tokenHash(token),
    session.rows[0]?.id,
    new Date(t.app.now().getTime() + 3600_000 * 24),
  ])
  return { userId: user.id, tenantId, headers: { 'blade-auth': `bearer ${token}` } }
}
