import type { Menu } from '#schemas/system/menu'
import type { Hooks } from '../../../crud/rules.ts'
import { refuse } from '../../http/server/refusal.ts'

/** A path of our own, or the address of a page shown in a frame. */
const pathPattern = /^(\/[^\s\\]*|https?:\/\/[^\s\\]+)$/

/** Menus lead to our own pages or to web addresses, and a new one is the administrator's from the start. */
export const menuHooks: Hooks<typeof Menu> = {
  async beforeSubmit(_ctx, { path }) {
    if (path && (!pathPattern.test(path) || path.startsWith('//') || path.includes('${')))
      throw refuse('input.invalid', { 说明: '路由地址应以 / 或 http(s):// 开头' }, [
        { field: 'path', msg: '路由地址格式不正确' },
      ])
  },

  async afterSubmit({ db }, row, before) {
    if (before) return
    const roles = await db.selectFrom('role').select('id').where('roleAlias', '=', 'administrator').execute()
    const rows = roles.map(role => ({ roleId: role.id, menuId: row.id }))
    if (rows.length > 0) await db.insertInto('role_menu').values(rows).execute()
  },
}
