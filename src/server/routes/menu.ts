import type { FastifyInstance } from 'fastify'
import { person } from '../access.ts'
import {
  readButtons,
  readGrantTree,
  readMenuLevel,
  readMenuOptions,
  readMenuTree,
  readRoutes,
} from '../actions/menu/menus.ts'
import { readIds } from '../crud/input.ts'
import { ok } from '../plugins/envelope.ts'

const path = '/api/blade-system/menu'

/** Service `blade-system/menu`: what people see and may do, and trees for those who decide about it. */
export default async function menuRoutes(app: FastifyInstance): Promise<void> {
  const own = { config: { access: 'signed-in', beforePasswordChange: true } } as const
  const menus = { config: { access: { permission: ['menu', 'tenant_package', 'role_grant'] } } } as const
  const grants = { config: { access: { permission: 'role_grant' } } } as const

  app.get(`${path}/routes`, own, async request => ok(await readRoutes(app.db, person(request))))
  app.get(`${path}/buttons`, own, async request => ok(await readButtons(app.db, person(request))))
  // Nobody has put menus under a top menu yet: an empty bar is the truth.
  app.get(`${path}/top-menu`, own, async () => ok([]))

  app.get(`${path}/tree`, menus, async () => ok(await readMenuOptions(app.db)))
  app.get(`${path}/menu-list`, menus, async () => ok(await readMenuTree(app.db)))
  app.get<{ Querystring: { parentId?: string } }>(`${path}/lazy-menu-list`, menus, async request =>
    ok(await readMenuLevel(app.db, request.query.parentId)),
  )

  app.get(`${path}/grant-tree`, grants, async request => {
    const menu = await readGrantTree(app.db, person(request))
    return ok({ menu, dataScope: [], apiScope: [] })
  })
  app.get<{ Querystring: { roleIds?: string } }>(`${path}/role-tree-keys`, grants, async request => {
    const rows = await app.db
      .selectFrom('role_menu')
      .innerJoin('role', 'role.id', 'role_menu.roleId')
      .innerJoin('menu', 'menu.id', 'role_menu.menuId')
      .select('role_menu.menuId')
      .distinct()
      .where('role_menu.roleId', 'in', readIds(request.query.roleIds, 'roleIds'))
      .where('role.tenantId', '=', person(request).tenantId)
      .where('role.isDeleted', '=', 0)
      .where('menu.isDeleted', '=', 0)
      .execute()
    return ok({ menu: rows.map(row => row.menuId), dataScope: [], apiScope: [] })
  })
}
