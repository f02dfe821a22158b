import { type Branch, growTree } from '../../../crud/tree.ts'
import type { Live, LiveTrx } from '../../database/live.ts'
import { type ScopeTable, scopeKinds } from '../../database/system-tables.ts'
import type { Person } from '../../http/server/access.ts'
import { refuse, refuseSaying } from '../../http/server/refusal.ts'
import { grantsEverything, type OptionNode, optionNode } from './menus.ts'

const readScopes = (db: Live, table: ScopeTable) =>
  db
    .selectFrom(table)
    .innerJoin('menu', 'menu.id', `${table}.menuId`)
    .select([`${table}.id`, `${table}.scopeName`, `${table}.menuId`])
    .select(['menu.name as menuName', 'menu.code as menuCode'])
    .orderBy('menu.sort')
    .orderBy(`${table}.id`)
    .execute()

/** Ids of the scopes that roles have been granted. */
export async function grantedScopes(db: Live, table: ScopeTable, roleIds: readonly string[]) {
  if (roleIds.length === 0) return new Set<string>()
  const rows = await db
    .selectFrom('role_scope')
    .select('scopeId')
    .where('category', '=', scopeKinds[table])
    .where('roleId', 'in', roleIds)
    .where('scopeId', 'in', db.selectFrom(table as 'data_scope').select('id'))
    .execute()
  return new Set(rows.map(row => row.scopeId))
}

/** True for those who decide about the scopes of every menu they have: administrators, and the admin of a tenant. */
const decidesScopes = (person: Person) => grantsEverything(person) || person.roles.includes('admin')

/** The scopes somebody may give: those of the menus that the person has; below the admin only those that the own roles carry. */
async function givable(db: Live, person: Person, table: ScopeTable) {
  const rows = await readScopes(db, table)
  if (grantsEverything(person)) return rows
  const own = decidesScopes(person) ? null : await grantedScopes(db, table, person.roleIds)
  return rows.filter(row => person.permissions.has(row.menuCode) && (!own || own.has(row.id)))
}

/** The scopes somebody may give as a tree: their menus with the scopes below. */
export async function readScopeTree(db: Live, person: Person, table: ScopeTable): Promise<Branch<OptionNode>[]> {
  const rows = await givable(db, person, table)
  const menus = new Map(rows.map(row => [row.menuId, row.menuName]))
  const nodes = [
    ...[...menus].map(([id, name]) => optionNode(id, null, name)),
    ...rows.map(row => optionNode(row.id, row.menuId, row.scopeName)),
  ]
  return growTree(nodes, 'parentId', 'id')
}

/**
 * Gives roles these scopes in place of those they have. Ids of menus may stand among them, as trees send them along.
 * What a role has that is not the caller's to give, stays: taking a limit away would be giving more.
 * @throws input.invalid for an id that is no scope, 403 for a scope beyond the caller's
 */
export async function grantScopes(
  trx: LiveTrx,
  person: Person,
  table: ScopeTable,
  { roleIds, scopeIds }: { roleIds: readonly string[]; scopeIds: readonly string[] },
): Promise<void> {
  const all = await readScopes(trx, table)
  const known = new Set(all.map(row => row.id))
  const menus = new Set(all.map(row => row.menuId))
  const wanted = [...new Set(scopeIds)].filter(id => !menus.has(id))
  if (wanted.some(id => !known.has(id))) throw refuse('input.invalid', { 说明: '权限范围不存在' })
  const mine = new Set((await givable(trx, person, table)).map(row => row.id))
  const had = await grantedScopes(trx, table, roleIds)
  if (wanted.some(id => !mine.has(id) && !had.has(id)))
    throw refuseSaying('request.forbidden', '不能授予超出自身权限的范围')
  const category = scopeKinds[table]
  const taken = [...known].filter(id => mine.has(id) && !wanted.includes(id))
  if (taken.length > 0)
    await trx
      .deleteFrom('role_scope')
      .where('category', '=', category)
      .where('roleId', 'in', roleIds)
      .where('scopeId', 'in', taken)
      .execute()
  const rows = roleIds.flatMap(roleId =>
    wanted.filter(id => mine.has(id)).map(scopeId => ({ roleId, category, scopeId })),
  )
  if (rows.length > 0)
    await trx
      .insertInto('role_scope')
      .values(rows)
      .onConflict(clash => clash.doNothing())
      .execute()
}
