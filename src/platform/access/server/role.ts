import { builtinRoles } from '#resources/system/role'
import type { Role } from '#schemas/system/role'
import '../../database/system-tables.ts'
import type { HookContext, Hooks } from '../../../crud/rules.ts'
import { refuse, refuseSaying } from '../../http/server/refusal.ts'
import { rolesFor } from './rights.ts'

async function requireOwn({ db, person }: HookContext, rows: readonly { id: string }[]): Promise<void> {
  const roles = await rolesFor(db, person)
  const isBeyond = rows.some(row => roles.find(role => role.id === row.id)?.mayGive === false)
  if (isBeyond) throw refuseSaying('request.forbidden', '不能修改超出自身权限的角色')
}

/** Names of the roles the program relies on stay theirs: no other role may be taken for one of them. */
export const roleHooks: Hooks<typeof Role> = {
  async beforeSubmit(ctx, { roleAlias }, before) {
    if (before) await requireOwn(ctx, [before])
    if (roleAlias && builtinRoles.includes(roleAlias)) throw refuse('row.builtIn')
  },

  async beforeRemove(ctx, rows) {
    await requireOwn(ctx, rows)
    const ids = rows.map(row => row.id)
    await ctx.db.deleteFrom('role_menu').where('roleId', 'in', ids).execute()
    await ctx.db.deleteFrom('role_scope').where('roleId', 'in', ids).execute()
  },
}
