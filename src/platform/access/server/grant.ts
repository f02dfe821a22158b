import type { Live, LiveTrx } from '../../database/live.ts'
import type { Person } from '../../http/server/access.ts'
import { refuse, refuseSaying } from '../../http/server/refusal.ts'
import { grantsEverything } from './menus.ts'
import { rolesFor } from './rights.ts'
import { grantScopes } from './scopes.ts'

/** What the roles of these ids have now. */
async function granted(trx: LiveTrx, roleIds: readonly string[]): Promise<Set<string>> {
  const rows = await trx.selectFrom('role_menu').select('menuId').where('roleId', 'in', roleIds).execute()
  return new Set(rows.map(row => row.menuId))
}

/** Adds what stands above the menus, because a button without its page would be out of reach. */
async function withParents(trx: LiveTrx, menuIds: readonly string[]) {
  const rows = await trx.selectFrom('menu').select(['id', 'parentId', 'code']).execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  const kept = new Map<string, string>()
  for (const id of menuIds) {
    if (!byId.has(id)) throw refuse('input.invalid', { 说明: '菜单不存在' })
    for (let at = byId.get(id); at && !kept.has(at.id); at = byId.get(at.parentId ?? '')) kept.set(at.id, at.code)
  }
  return kept
}

/** What roles are given in place of what they have. A list that is not there is left as it is. */
export interface Grant {
  roleIds: readonly string[]
  menuIds: readonly string[]
  dataScopeIds: readonly string[] | undefined
  apiScopeIds: readonly string[] | undefined
}

/**
 * The roles of a grant, locked.
 * @throws row.notFound for one that is not there, 403 for one beyond the caller's rights
 */
async function lockRoles(trx: LiveTrx, person: Person, ids: readonly string[]) {
  await trx.selectFrom('role').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
  const roles = (await rolesFor(trx, person)).filter(role => ids.includes(role.id))
  if (roles.length < ids.length) throw refuse('row.notFound')
  if (roles.some(role => !role.mayGive)) throw refuseSaying('request.forbidden', '不能修改超出自身权限的角色')
  return roles
}

async function requireStillGivable(trx: LiveTrx, person: Person, ids: readonly string[]): Promise<void> {
  const roles = (await rolesFor(trx, person)).filter(role => ids.includes(role.id))
  const isBeyond = person.dataRules?.length && roles.some(role => !role.mayGive)
  if (isBeyond) throw refuseSaying('request.forbidden', '不能授予超出自身权限的范围')
}

async function replaceMenus(trx: LiveTrx, roleIds: readonly string[], menuIds: readonly string[]): Promise<void> {
  await trx.deleteFrom('role_menu').where('roleId', 'in', roleIds).execute()
  const rows = roleIds.flatMap(roleId => menuIds.map(menuId => ({ roleId, menuId })))
  for (let i = 0; i < rows.length; i += rowsAtOnce) {
    const part = rows.slice(i, i + rowsAtOnce)
    await trx.insertInto('role_menu').values(part).execute()
  }
}

const rowsAtOnce = 5000

/**
 * Gives roles menus, buttons and scopes in place of those they have; counts from the next request of everybody who has
 * one. What a role has already may stay; new ones must be the caller's own.
 * @throws 403 for more than the caller has, row.notFound for a role that is not there, row.builtIn when the
 * administrator's role would lose the granting itself
 */
export async function grantRoles(db: Live, person: Person, grant: Grant): Promise<void> {
  await db.transaction().execute(async trx => {
    const ids = [...grant.roleIds].sort()
    const roles = await lockRoles(trx, person, ids)
    const wanted = await withParents(trx, grant.menuIds)
    if (!grantsEverything(person)) {
      const had = await granted(trx, ids)
      const isBeyond = [...wanted].some(([id, code]) => !had.has(id) && !person.permissions.has(code))
      if (isBeyond) throw refuseSaying('request.forbidden', '不能授予超出自身权限的菜单')
    }
    const isHighest = roles.some(role => role.roleAlias === 'administrator')
    if (isHighest && ![...wanted.values()].includes('role_grant')) throw refuse('row.builtIn')
    await replaceMenus(trx, ids, [...wanted.keys()])
    // Whoever grants has decided on what a newer version would give.
    await trx.updateTable('role_preset').set({ owed: [] }).where('roleId', 'in', ids).execute()
    const { dataScopeIds, apiScopeIds } = grant
    if (dataScopeIds) await grantScopes(trx, person, 'data_scope', { roleIds: ids, scopeIds: dataScopeIds })
    if (apiScopeIds) await grantScopes(trx, person, 'api_scope', { roleIds: ids, scopeIds: apiScopeIds })
    // What came together may be more than each part: a menu without the rules under which the caller meets its rows.
    await requireStillGivable(trx, person, ids)
  })
}
