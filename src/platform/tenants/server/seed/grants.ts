import { firstTenant } from '../../../database/first-tenant.ts'
import { codesOf, isGroup, menus } from './menus.ts'
import { roles } from './roles.ts'
import type { Seeding } from './tenant.ts'

const rowsAtOnce = 5000

/**
 * Menus and buttons that are missing, also those that new definitions bring, each granted to the roles it is for, in every
 * tenant. What is there already is left as its administrators have made it, removed ones stay removed.
 */
export async function seedMenus({ trx }: Seeding): Promise<void> {
  const rows = await trx.selectFrom('menu').select(['id', 'code']).execute()
  const ids = new Map(rows.map(row => [row.code, row.id]))
  const absent = menus.filter(one => !ids.has(one.code))
  // Who runs an installation puts its menus in order: a group that would stand there empty does not come by itself.
  const isWanted = (code: string) => rows.length === 0 || absent.some(one => one.parent === code)
  const missing = absent.filter(({ code }) => !isGroup(code) || isWanted(code))
  if (missing.length === 0) return
  const fresh = await trx
    .insertInto('menu')
    .values(missing.map(one => ({ ...rowOf(one), sort: menus.indexOf(one) + 1 })))
    .returning(['id', 'code'])
    .execute()
  for (const row of fresh) ids.set(row.code, row.id)
  await linkParents({ trx }, missing, ids)
  const added = new Set(fresh.map(row => row.code))
  const held = await builtinRolesOfAllTenants({ trx })
  const grants = roles.flatMap(role => {
    const codes = [...codesOf(role.grants)].filter(code => added.has(code))
    return ownersOf(role, held).flatMap(({ id }) => codes.map(code => ({ roleId: id, menuId: ids.get(code)! })))
  })
  for (let i = 0; i < grants.length; i += rowsAtOnce) {
    const part = grants.slice(i, i + rowsAtOnce)
    await trx
      .insertInto('role_menu')
      .values(part)
      .onConflict(clash => clash.doNothing())
      .execute()
  }
}

/** Every tenant has its own copies of the built-in roles, known by their aliases. */
export const builtinRolesOfAllTenants = ({ trx }: Pick<Seeding, 'trx'>) =>
  trx.selectFrom('role').select(['id', 'tenantId', 'roleAlias']).where('isDeleted', '=', 0).execute()

/** Those of some roles that are the given one of an installation, in every tenant. */
export const ownersOf = <R extends { id: string; tenantId: string; roleAlias: string | null }>(
  { id, alias }: { id: string; alias: string },
  all: readonly R[],
): R[] =>
  all.filter(
    one => one.id === id || (one.tenantId !== firstTenant && one.roleAlias === alias && alias !== 'administrator'),
  )

const rowOf = ({ code, name, path, source, alias, category, action }: (typeof menus)[number]) => ({
  code,
  name,
  path,
  source,
  alias,
  category,
  action,
  isOpen: 0 as const,
})

/** Parents may be as new as their children, so they are linked once all have ids; one statement per parent. */
async function linkParents({ trx }: Pick<Seeding, 'trx'>, missing: typeof menus, ids: ReadonlyMap<string, string>) {
  for (const parent of new Set(missing.map(one => one.parent))) {
    if (!parent) continue
    const codes = missing.filter(one => one.parent === parent).map(one => one.code)
    await trx
      .updateTable('menu')
      .set({ parentId: ids.get(parent)! })
      .where('code', 'in', codes)
      .execute()
  }
}
