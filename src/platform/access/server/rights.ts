import { type RawBuilder, sql } from 'kysely'
import { commaList } from '#engine'
import { AccountStatus } from '#schemas/dictionaries'
import { resourceOf } from '../../../crud/lookup.ts'
import type { Live } from '../../database/live.ts'
import { scopeKinds } from '../../database/system-tables.ts'
import type { Person } from '../../http/server/access.ts'
import { refuse, refuseSaying } from '../../http/server/refusal.ts'

/** A role with what decides about giving it. */
export interface GivenRole {
  id: string
  roleName: string
  roleAlias: string
  isBack: 0 | 1
  mayGive: boolean
}

const highest = 'administrator'
const wide = 'admin'

/** The rules of a role about a resource whose rows the caller meets through rules, too. */
const rules = sql`SELECT 1 FROM role_scope s JOIN data_scope d ON d.id = s."scopeId" AND d."isDeleted" = 0
  WHERE s.category = ${sql.lit(scopeKinds.data_scope)} AND s."roleId" = role.id AND d."scopeClass" = limit_on.class`

/**
 * Whether a role meets rows only through rules where the caller does, and only through rules that the caller has, too: otherwise
 * it would see more than the caller.
 */
function withinRules({ dataRules = [], roleIds }: Person): RawBuilder<boolean> {
  const classes = [...new Set(dataRules.map(rule => rule.resource))]
  if (classes.length === 0) return sql<boolean>`true`
  const codes = classes.map(name => resourceOf(name).code)
  return sql<boolean>`NOT EXISTS (SELECT 1 FROM unnest(${classes}::text[], ${codes}::text[]) AS limit_on(class, code)
    WHERE EXISTS (SELECT 1 FROM role_menu g JOIN menu m ON m.id = g."menuId" AND m."isDeleted" = 0
      WHERE g."roleId" = role.id AND m.code = limit_on.code)
    AND (NOT EXISTS (${rules}) OR EXISTS (${rules} AND d.id NOT IN (
      SELECT o."scopeId" FROM role_scope o WHERE o.category = ${sql.lit(scopeKinds.data_scope)} AND o."roleId" = ANY(${[...roleIds]}::bigint[])))))`
}

/**
 * The roles of the caller's tenant, each with whether the caller may give it: the administrator gives every role, the admin of a
 * tenant every one but the administrator's, anybody else those that allow no more than the caller has.
 */
export async function rolesFor(db: Live, person: Person): Promise<GivenRole[]> {
  const codes = [...person.permissions]
  const rows = await db
    .selectFrom('role')
    .select(['id', 'roleName', 'roleAlias', 'isBack'])
    .select(
      sql<boolean>`"isBack" = 0 OR (${withinRules(person)} AND NOT EXISTS (SELECT 1 FROM role_menu g
        JOIN menu m ON m.id = g."menuId" AND m."isDeleted" = 0
        WHERE g."roleId" = role.id AND NOT (m.code = ANY(${codes}))))`.as('isWithin'),
    )
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const decide = (alias: string, isWithin: boolean) => {
    if (person.roles.includes(highest)) return true
    if (alias === highest) return false
    return person.roles.includes(wide) || (alias !== wide && isWithin)
  }
  return rows.map(({ isWithin, ...role }) => ({ ...role, mayGive: decide(role.roleAlias, isWithin) }))
}

const beyond = () => refuseSaying('request.forbidden', '不能授予或管理超出自身权限的角色')

/** Who runs the system and who looks at what was done with it are two people. */
const separate = ['administrator', 'auditor']

/** Whether one person may hold these roles without running the system and auditing it at once. */
export const areSeparate = (roles: readonly Pick<GivenRole, 'roleAlias'>[]): boolean =>
  roles.filter(role => separate.includes(role.roleAlias)).length < separate.length

/**
 * Looks whether somebody may give these roles to people of a kind.
 * @returns the roles
 * @throws 403 for a role beyond the caller's rights, input.invalid for one that does not exist or a console role for a
 * candidate
 */
export async function requireGivable(
  db: Live,
  person: Person,
  roleIds: readonly string[],
  userTypes: readonly number[],
): Promise<GivenRole[]> {
  const roles = new Map((await rolesFor(db, person)).map(role => [role.id, role]))
  return roleIds.map(id => {
    const role = roles.get(id)
    if (!role) throw refuse('input.invalid', { 说明: '角色不存在' })
    if (!role.mayGive) throw beyond()
    if (role.isBack === 1 && userTypes.includes(2)) throw refuse('input.invalid', { 说明: '考生不能拥有后台角色' })
    return role
  })
}

/** A person as far as it matters for who may manage the account. */
export interface Managed {
  id: string
  roleId: string | null
}

/** @throws 403 when one of the people has a role the caller could not give */
export async function requireManageable(db: Live, person: Person, people: readonly Managed[]): Promise<void> {
  const roles = new Map((await rolesFor(db, person)).map(role => [role.id, role]))
  const held = people.filter(one => one.id !== person.userId).flatMap(one => commaList(one.roleId))
  if (held.some(id => roles.get(id)?.mayGive === false)) throw beyond()
}

/**
 * Holds the rule that the tenant of a handle always has somebody who can log in as administrator. Call it after the change,
 * in its transaction; two that would each remove one of the last two wait for one another.
 * @throws row.builtIn when nobody is left
 */
export async function requireAdministrator(db: Live): Promise<void> {
  const role = await db
    .selectFrom('role')
    .select('id')
    .where('roleAlias', '=', highest)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!role) return
  const left = await db
    .selectFrom('user')
    .select('id')
    .where('accountStatus', '=', AccountStatus.active)
    .where(sql<boolean>`${role.id} = ANY(string_to_array("roleId", ','))`)
    .limit(1)
    .executeTakeFirst()
  if (!left) throw refuse('row.builtIn')
}
