import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readIds } from '../../../../crud/input.ts'
import { person } from '../../../http/server/access.ts'
import { refuseSaying } from '../../../http/server/refusal.ts'
import { serve } from '../../../http/server/serve.ts'
import { requirePlatform } from '../../../tenants/server/tenant-handlers.ts'
import {
  grantTopMenu,
  grantTree,
  menuButtons,
  menuChoices,
  menuLevel,
  menuList,
  menuRoutes,
  menuTree,
  roleGrants,
  topMenuGrants,
  topMenus,
  topMenuTree,
} from '../../contract.ts'
import {
  readButtons,
  readGrantTree,
  readMenuChoices,
  readMenuLevel,
  readMenuOptions,
  readMenuTree,
  readRoutes,
  readTopMenus,
} from '../menus.ts'
import { grantedScopes, readScopeTree } from '../scopes.ts'
import { grantTopMenus, topMenuKeys } from '../topmenu.ts'

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join() : String(value ?? ''))

/** What people see and may do. */
function ownRoutes(app: FastifyInstance): void {
  serve(app, menuRoutes, async ({ values: { topMenuId }, request }) => {
    const [id] = topMenuId ? readIds(topMenuId, 'topMenuId') : []
    return readRoutes(app.db, person(request), id)
  })
  serve(app, menuButtons, ({ request }) => readButtons(app.db, person(request)))
  serve(app, topMenus, ({ request }) => readTopMenus(app.db, person(request)))
}

/** Trees for those who put menus somewhere. */
function pickerRoutes(app: FastifyInstance): void {
  serve(app, menuTree, async ({ values: { tenantId }, request }) => {
    const caller = person(request)
    if (tenantId && tenantId !== caller.tenantId && !caller.roles.includes('administrator'))
      throw refuseSaying('request.forbidden', '无权查看其他租户')
    return readMenuOptions(app.db, caller)
  })
  serve(app, menuList, ({ request }) => readMenuTree(app.db, person(request)))
  serve(app, menuLevel, ({ values, request }) => readMenuLevel(app.db, person(request), values.parentId))
  serve(app, menuChoices, ({ values: { keyword, ids } }) => readMenuChoices(app.db, textOf(keyword), textOf(ids)))
}

/** What roles are granted. */
function grantRoutes(app: FastifyInstance): void {
  serve(app, grantTree, async ({ request }) => {
    const caller = person(request)
    return {
      menu: await readGrantTree(app.db, caller),
      dataScope: await readScopeTree(app.db, caller, 'data_scope'),
      apiScope: await readScopeTree(app.db, caller, 'api_scope'),
    }
  })
  serve(app, roleGrants, async ({ values, request }) => {
    const roles = await app.db
      .selectFrom('role')
      .select('id')
      .where('id', 'in', readIds(values.roleIds, 'roleIds'))
      .where('tenantId', '=', person(request).tenantId)
      .where('isDeleted', '=', 0)
      .execute()
    const ids = roles.map(role => role.id)
    return {
      menu: await grantedMenus(app, ids),
      dataScope: [...(await grantedScopes(app.db, 'data_scope', ids))],
      apiScope: [...(await grantedScopes(app.db, 'api_scope', ids))],
    }
  })
}

async function grantedMenus(app: FastifyInstance, roleIds: readonly string[]): Promise<string[]> {
  if (roleIds.length === 0) return []
  const rows = await app.db
    .selectFrom('role_menu')
    .innerJoin('menu', 'menu.id', 'role_menu.menuId')
    .select('role_menu.menuId')
    .distinct()
    .where('role_menu.roleId', 'in', roleIds)
    .where('menu.isDeleted', '=', 0)
    .execute()
  return rows.map(row => row.menuId)
}

/** Some clients put the ids into the address. */
async function withAddress(request: FastifyRequest): Promise<void> {
  request.body = { ...(request.query as object), ...(request.body as object | undefined) }
}

/** Which menus a top menu leads to. */
function topRoutes(app: FastifyInstance): void {
  serve(app, topMenuTree, async ({ request }) => ({
    menu: await readMenuOptions(app.db, person(request)),
    dataScope: [],
    apiScope: [],
  }))
  serve(app, topMenuGrants, async ({ values }) => {
    const menu = await topMenuKeys(app.db, readIds(values.topMenuIds, 'topMenuIds'))
    return { menu, dataScope: [], apiScope: [] }
  })
  serve(
    app,
    grantTopMenu,
    async ({ body, request }) => {
      requirePlatform({ person: person(request) })
      const menus = textOf(body.menuIds)
      await grantTopMenus(
        app.db,
        readIds(textOf(body.topMenuIds), 'topMenuIds'),
        menus ? readIds(menus, 'menuIds') : [],
      )
    },
    withAddress,
  )
}

/** Service `blade-system/menu`: what people see and may do, and trees for those who decide about it. */
export default async function menuPlugin(app: FastifyInstance): Promise<void> {
  ownRoutes(app)
  pickerRoutes(app)
  grantRoutes(app)
  topRoutes(app)
}
