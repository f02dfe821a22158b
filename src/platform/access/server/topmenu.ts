import '../../database/system-tables.ts'
import type { Topmenu } from '#schemas/system/topmenu'
import type { Hooks } from '../../../crud/rules.ts'
import type { Live } from '../../database/live.ts'
import { refuse } from '../../http/server/refusal.ts'

/** Removing a top menu takes its links along. */
export const topmenuHooks: Hooks<typeof Topmenu> = {
  async beforeRemove({ db }, rows) {
    const ids = rows.map(row => row.id)
    await db.deleteFrom('topmenu_setting').where('topMenuId', 'in', ids).execute()
  },
}

/** The menus that top menus lead to. */
export async function topMenuKeys(db: Live, topMenuIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('topmenu_setting')
    .innerJoin('menu', 'menu.id', 'topmenu_setting.menuId')
    .select('menu.id')
    .distinct()
    .where('topMenuId', 'in', topMenuIds)
    .execute()
  return rows.map(row => row.id)
}

/**
 * Puts menus under top menus in place of those that are there.
 * @throws row.notFound for a top menu that is not there, input.invalid for a menu that is not
 */
export async function grantTopMenus(
  db: Live,
  topMenuIds: readonly string[],
  menuIds: readonly string[],
): Promise<void> {
  await db.transaction().execute(async trx => {
    const tops = await trx
      .selectFrom('topmenu')
      .select('id')
      .where('id', 'in', topMenuIds)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    if (tops.length < topMenuIds.length) throw refuse('row.notFound')
    const wanted = [...new Set(menuIds)]
    const menus =
      wanted.length === 0 ? [] : await trx.selectFrom('menu').select('id').where('id', 'in', wanted).execute()
    if (menus.length < wanted.length) throw refuse('input.invalid', { 说明: '菜单不存在' })
    await trx.deleteFrom('topmenu_setting').where('topMenuId', 'in', topMenuIds).execute()
    const rows = topMenuIds.flatMap(topMenuId => wanted.map(menuId => ({ topMenuId, menuId })))
    if (rows.length > 0) await trx.insertInto('topmenu_setting').values(rows).execute()
  })
}
