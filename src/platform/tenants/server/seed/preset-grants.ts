import '../../../database/auth-tables.ts'
import { builtinRolesOfAllTenants, ownersOf } from './grants.ts'
import { codesOf } from './menus.ts'
import { roles } from './roles.ts'
import type { Seeding } from './tenant.ts'

/** A role with what a newer version gives it, where somebody has to decide. */
interface Owed {
  readonly tenantId: string
  readonly roleAlias: string
  readonly codes: readonly string[]
}

/** A menu or button that is there. */
interface Menu {
  readonly id: string
  readonly code: string
}

/** What every role has been granted of some menus, by its id. */
async function heldCodes(
  { trx }: Pick<Seeding, 'trx'>,
  menus: readonly Menu[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const codes = new Map(menus.map(({ id, code }) => [id, code]))
  const held = new Map<string, Set<string>>()
  for (const { roleId, menuId } of await trx.selectFrom('role_menu').select(['roleId', 'menuId']).execute()) {
    const code = codes.get(menuId)
    if (code !== undefined) held.set(roleId, (held.get(roleId) ?? new Set()).add(code))
  }
  return held
}

/** Whether a role has what it was last given and nothing else, but for what this version says anew. */
const isUntouched = (has: ReadonlySet<string>, given: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean =>
  [...given].every(code => has.has(code)) && [...has].every(code => given.has(code) || wanted.has(code))

/**
 * Gives the roles that installations begin with what a newer version says of menus that are there already: those that nobody has changed
 * since they were last given something have it; of the others, and of those whose past is not known, an administrator is told.
 */
export async function seedPresetGrants({ app, trx }: Pick<Seeding, 'app' | 'trx'>): Promise<void> {
  const menus = await trx.selectFrom('menu').select(['id', 'code']).where('isDeleted', '=', 0).execute()
  const ids = new Map(menus.map(row => [row.code, row.id]))
  const [all, held, presets] = [
    await builtinRolesOfAllTenants({ trx }),
    await heldCodes({ trx }, menus),
    await trx.selectFrom('role_preset').selectAll().execute(),
  ]
  const known = new Map(presets.map(one => [one.roleId, one]))
  const told: Owed[] = []
  for (const role of roles) {
    const wanted = new Set([...codesOf(role.grants)].filter(code => ids.has(code)))
    for (const { id: roleId, tenantId, roleAlias } of ownersOf(role, all)) {
      const has = held.get(roleId) ?? new Set<string>()
      const before = known.get(roleId)
      const given = new Set((before?.codes ?? []).filter(code => ids.has(code)))
      const lacks = [...wanted].filter(code => !has.has(code))
      const fresh = lacks.filter(code => !given.has(code))
      const isGiven = before !== undefined && fresh.length > 0 && isUntouched(has, given, wanted)
      if (isGiven)
        await trx
          .insertInto('role_menu')
          .values(fresh.map(code => ({ roleId, menuId: ids.get(code) ?? '' })))
          .onConflict(clash => clash.doNothing())
          .execute()
      const owed = isGiven ? [] : lacks.filter(code => fresh.includes(code) || before?.owed.includes(code))
      const next = { codes: [...wanted], owed }
      await trx
        .insertInto('role_preset')
        .values({ roleId, ...next })
        .onConflict(clash => clash.column('roleId').doUpdateSet(next))
        .execute()
      if (owed.length > 0) told.push({ tenantId, roleAlias, codes: owed })
    }
  }
  if (told.length > 0)
    app.log.warn(
      { roles: told },
      'roles were changed by hand and lack rights that this version gives them: decide under 角色 → 权限设置',
    )
}
