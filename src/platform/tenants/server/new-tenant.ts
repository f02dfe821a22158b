import { sql } from 'kysely'
import { OrgCategory } from '#schemas/dictionaries'
import type { HookContext } from '../../../crud/rules.ts'
import { firstTenant } from '../../database/first-tenant.ts'
import { liveFor } from '../../database/live.ts'
import { randomPassword } from '../../vault/password.ts'
import { firstAdministrator } from './seed/administrator.ts'
import './seed/module-seed.ts'

/** The administrator of a new tenant; the password serves for one login and is shown once. */
export interface NewTenant {
  tenantId: string
  account: string
  password: string
}

/** The tenant that new ones are made after. */
const model = firstTenant

/** Roles as the model has them, with what they allow. The administrator of the installation is nobody else's. */
async function copyRoles({ trx, now }: HookContext, tenantId: string): Promise<void> {
  await sql`INSERT INTO role ("tenantId", "roleName", "roleAlias", sort, "isBack", remark, "createTime", "updateTime")
    SELECT ${tenantId}, "roleName", "roleAlias", sort, "isBack", remark, ${now}, ${now} FROM role
    WHERE "tenantId" = ${model} AND "isDeleted" = 0 AND "roleAlias" <> 'administrator'`.execute(trx)
  // Each with the one it is a copy of.
  const copies = sql`(SELECT own.id, other.id AS "otherId" FROM role own
    JOIN role other ON other."roleAlias" = own."roleAlias" AND other."tenantId" = ${model} AND other."isDeleted" = 0
    WHERE own."tenantId" = ${tenantId}) copy`
  await sql`INSERT INTO role_menu ("roleId", "menuId")
    SELECT copy.id, g."menuId" FROM ${copies} JOIN role_menu g ON g."roleId" = copy."otherId"`.execute(trx)
  await sql`INSERT INTO role_preset ("roleId", codes, owed)
    SELECT copy.id, p.codes, p.owed FROM ${copies} JOIN role_preset p ON p."roleId" = copy."otherId"`.execute(trx)
}

/** Business dictionaries: headings first, then their entries below the new headings. */
async function copyDictionaries({ trx, now }: HookContext, tenantId: string): Promise<void> {
  await sql`INSERT INTO dict_biz ("tenantId", code, "dictKey", "dictValue", sort, "isSealed", remark, "createTime", "updateTime")
    SELECT ${tenantId}, code, "dictKey", "dictValue", sort, "isSealed", remark, ${now}, ${now} FROM dict_biz
    WHERE "tenantId" = ${model} AND "isDeleted" = 0 AND coalesce("parentId", 0) = 0`.execute(trx)
  await sql`INSERT INTO dict_biz ("tenantId", code, "parentId", "dictKey", "dictValue", sort, "isSealed", remark, "createTime", "updateTime")
    SELECT ${tenantId}, e.code, h.id, e."dictKey", e."dictValue", e.sort, e."isSealed", e.remark, ${now}, ${now} FROM dict_biz e
    JOIN dict_biz h ON h."tenantId" = ${tenantId} AND h.code = e.code AND coalesce(h."parentId", 0) = 0
    WHERE e."tenantId" = ${model} AND e."isDeleted" = 0 AND e."parentId" <> 0`.execute(trx)
}

/** Parameters as the model has them. */
async function copyParameters({ trx, now }: HookContext, tenantId: string): Promise<void> {
  await sql`INSERT INTO param ("tenantId", "paramName", "paramKey", "paramValue", remark, "createTime", "updateTime")
    SELECT ${tenantId}, "paramName", "paramKey", "paramValue", remark, ${now}, ${now} FROM param
    WHERE "tenantId" = ${model} AND "isDeleted" = 0`.execute(trx)
}

/**
 * Fills a new tenant in the transaction that creates it: roles, business dictionaries, parameters, what modules give, a
 * department of the tenant's name, and its administrator.
 */
export async function fillTenant(ctx: HookContext, tenantId: string, tenantName: string): Promise<NewTenant> {
  const { trx, now, person } = ctx
  await copyRoles(ctx, tenantId)
  await copyDictionaries(ctx, tenantId)
  await copyParameters(ctx, tenantId)
  for (const seed of ctx.app.extensions.seeds) await seed.tenant?.(ctx, tenantId)
  const by = { tenantId, createUser: person.userId, createTime: now, updateTime: now }
  const names = { deptName: tenantName.slice(0, 45), fullName: tenantName }
  const dept = await trx
    .insertInto('dept')
    .values({ ...by, ...names, ancestors: '0', deptCategory: OrgCategory.company, sort: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const role = await liveFor(trx, { tenantId, userId: null, now: () => now })
    .selectFrom('role')
    .select('id')
    .where('roleAlias', '=', 'admin')
    .executeTakeFirstOrThrow()
  const password = randomPassword()
  const place = { tenantId, roleId: role.id, deptId: dept.id }
  const row = await firstAdministrator({ ...place, password, mustChange: true, now })
  await trx
    .insertInto('user')
    .values({ ...by, ...row })
    .execute()
  return { tenantId, account: row.account, password }
}
