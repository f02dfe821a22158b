import type { FastifyInstance } from 'fastify'
import { readIds } from '../../../../crud/input.ts'
import { menuButtons, menuRoutes } from '../../../../screens/contract.ts'
import type { Live } from '../../../database/live.ts'
import { person } from '../../../http/server/access.ts'
import { liveAs } from '../../../http/server/live.ts'
import { refuseSaying } from '../../../http/server/refusal.ts'
import { serve, withAddress } from '../../../http/server/serve.ts'
import { requirePlatform } from '../../../tenants/server/tenant-handlers.ts'
import {
  grantTopMenu,
  grantTree,
  menuChoices,
  menuLevel,
  menuList,
  menuMoves,
  menuTree,
  roleGrants,
  tidyMenus,
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
import { owedNames } from '../owed-grants.ts'
import { grantedScopes, readScopeTree } from '../scopes.ts'
import { moveMenus, menuMoves as readMoves } from '../tidy-menus.ts'
import { grantTopMenus, topMenuKeys } from '../topmenu.ts'

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join() : String(value ?? ''))

/** What people see and may do. */
function ownRoutes(app: FastifyInstance): void {
  serve(app, menuRoutes, async ({ values: { topMenuId }, request }) => {
    const [id] = topMenuId ? readIds(topMenuId, 'topMenuId') : []
    return readRoutes(liveAs(app, person(request)), person(request), id)
  })
  serve(app, menuButtons, ({ request }) => readButtons(liveAs(app, person(request)), person(request)))
  serve(app, topMenus, ({ request }) => readTopMenus(liveAs(app, person(request)), person(request)))
}

/** Trees for those who put menus somewhere. */
function pickerRoutes(app: FastifyInstance): void {
  serve(app, menuTree, async ({ values: { tenantId }, request }) => {
    const caller = person(request)
    if (tenantId && tenantId !== caller.tenantId && !caller.roles.includes('administrator'))
      throw refuseSaying('request.forbidden', '无权查看其他租户')
    return readMenuOptions(liveAs(app, caller), caller)
  })
  serve(app, menuList, ({ request }) => readMenuTree(liveAs(app, person(request)), person(request)))
  serve(app, menuLevel, ({ values, request }) =>
    readMenuLevel(liveAs(app, person(request)), person(request), values.parentId),
  )
  serve(app, menuChoices, ({ values: { keyword, ids }, request }) =>
    readMenuChoices(liveAs(app, person(request)), textOf(keyword), textOf(ids)),
  )
}

/** What roles are granted. */
function grantRoutes(app: FastifyInstance): void {
  serve(app, grantTree, async ({ request }) => {
    const caller = person(request)
    const db = liveAs(app, caller)
    return {
      menu: await readGrantTree(db, caller),
      dataScope: await readScopeTree(db, caller, 'data_scope'),
      apiScope: await readScopeTree(db, caller, 'api_scope'),
    }
  })
  serve(app, roleGrants, async ({ values, request }) => {
    const db = liveAs(app, person(request))
    const wanted = readIds(values.roleIds, 'roleIds')
    const roles = await db.selectFrom('role').select('id').where('id', 'in', wanted).execute()
    const ids = roles.map(role => role.id)
    return {
      menu: await grantedMenus(db, ids),
      dataScope: [...(await grantedScopes(db, 'data_scope', ids))],
      apiScope: [...(await grantedScopes(db, 'api_scope', ids))],
      owed: await owedNames(db, ids),
    }
  })
}

async function grantedMenus(db: Live, roleIds: readonly string[]): Promise<string[]> {
  if (roleIds.length === 0) return []
  const rows = await db
    .selectFrom('role_menu')
    .innerJoin('menu', 'menu.id', 'role_menu.menuId')
    .select('role_menu.menuId')
    .distinct()
    .where('role_menu.roleId', 'in', roleIds)
    .execute()
  return rows.map(row => row.menuId)
}

/** Which menus a top menu leads to. */
function topRoutes(app: FastifyInstance): void {
  serve(app, topMenuTree, async ({ request }) => ({
    menu: await readMenuOptions(liveAs(app, person(request)), person(request)),
    dataScope: [],
    apiScope: [],
  }))
  serve(app, topMenuGrants, async ({ values, request }) => {
    const menu = await topMenuKeys(liveAs(app, person(request)), readIds(values.topMenuIds, 'topMenuIds'))
    return { menu, dataScope: [], apiScope: [] }
  })
  serve(
    app,
    grantTopMenu,
    async ({ body, request }) => {
      requirePlatform({ person: person(request) })
      const menus = textOf(body.menuIds)
      await grantTopMenus(
        liveAs(app, person(request)),
        readIds(textOf(body.topMenuIds), 'topMenuIds'),
        menus ? readIds(menus, 'menuIds') : [],
      )
    },
    withAddress,
  )
}

/** Puts the menu in the order of a new installation. All tenants have the same menu. */
function tidyRoutes(app: FastifyInstance): void {
  serve(app, menuMoves, ({ request }) => readMoves(liveAs(app, person(request))))
  serve(app, tidyMenus, ({ body, request }) => {
    requirePlatform({ person: person(request) })
    return moveMenus(liveAs(app, person(request)), body.moves)
  })
}

/** Service `blade-system/menu`: what people see and may do, and trees for those who decide about it. */
export default async function menuPlugin(app: FastifyInstance): Promise<void> {
  ownRoutes(app)
  pickerRoutes(app)
  grantRoutes(app)
  topRoutes(app)
  tidyRoutes(app)
}
