import type { FastifyInstance } from 'fastify'
import { readIds } from '../../../../crud/input.ts'
import { person } from '../../../http/server/access.ts'
import { ok } from '../../../http/server/envelope.ts'
import { refuseSaying } from '../../../http/server/refusal.ts'
import { requirePlatform } from '../../../tenants/server/tenant-handlers.ts'
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

const path = '/api/blade-system/menu'

const list = { anyOf: [{ type: 'array', maxItems: 5000, items: { type: ['string', 'integer'] } }, { type: 'string' }] }
const topGrant = { type: 'object', required: ['topMenuIds'], properties: { topMenuIds: list, menuIds: list } }

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join() : String(value ?? ''))

/** What people see and may do. */
function ownRoutes(app: FastifyInstance): void {
  const own = { config: { access: 'signed-in', beforePasswordChange: true } } as const
  app.get<{ Querystring: { topMenuId?: string } }>(`${path}/routes`, own, async request => {
    const { topMenuId } = request.query
    const [id] = topMenuId ? readIds(topMenuId, 'topMenuId') : []
    return ok(await readRoutes(app.db, person(request), id))
  })
  app.get(`${path}/buttons`, own, async request => ok(await readButtons(app.db, person(request))))
  app.get(`${path}/top-menu`, own, async request => ok(await readTopMenus(app.db, person(request))))
}

/** Trees for those who put menus somewhere. */
function pickerRoutes(app: FastifyInstance): void {
  const menus = {
    config: { access: { permission: ['menu', 'tenant_package', 'role_grant', 'topmenu', 'data_scope', 'api_scope'] } },
  } as const
  app.get<{ Querystring: { tenantId?: string } }>(`${path}/tree`, menus, async request => {
    const { tenantId } = request.query
    const caller = person(request)
    if (tenantId && tenantId !== caller.tenantId && !caller.roles.includes('administrator'))
      throw refuseSaying('request.forbidden', '无权查看其他租户')
    return ok(await readMenuOptions(app.db, caller))
  })
  app.get(`${path}/menu-list`, menus, async request => ok(await readMenuTree(app.db, person(request))))
  app.get<{ Querystring: { parentId?: string } }>(`${path}/lazy-menu-list`, menus, async request =>
    ok(await readMenuLevel(app.db, person(request), request.query.parentId)),
  )
  app.get<{ Querystring: { keyword?: string; ids?: string } }>(
    `${path}/select`,
    { config: { access: 'staff' } },
    async request => ok(await readMenuChoices(app.db, request.query)),
  )
}

/** What roles are granted. */
function grantRoutes(app: FastifyInstance): void {
  const grants = { config: { access: { permission: 'role_grant' } } } as const
  app.get(`${path}/grant-tree`, grants, async request => {
    const caller = person(request)
    return ok({
      menu: await readGrantTree(app.db, caller),
      dataScope: await readScopeTree(app.db, caller, 'data_scope'),
      apiScope: await readScopeTree(app.db, caller, 'api_scope'),
    })
  })
  app.get<{ Querystring: { roleIds?: string } }>(`${path}/role-tree-keys`, grants, async request => {
    const roles = await app.db
      .selectFrom('role')
      .select('id')
      .where('id', 'in', readIds(request.query.roleIds, 'roleIds'))
      .where('tenantId', '=', person(request).tenantId)
      .where('isDeleted', '=', 0)
      .execute()
    const ids = roles.map(role => role.id)
    return ok({
      menu: await grantedMenus(app, ids),
      dataScope: [...(await grantedScopes(app.db, 'data_scope', ids))],
      apiScope: [...(await grantedScopes(app.db, 'api_scope', ids))],
    })
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

/** Which menus a top menu leads to. */
function topRoutes(app: FastifyInstance): void {
  const grants = { config: { access: { permission: 'topmenu_setting' } } } as const
  app.get(`${path}/grant-top-tree`, grants, async request =>
    ok({ menu: await readMenuOptions(app.db, person(request)), dataScope: [], apiScope: [] }),
  )
  app.get<{ Querystring: { topMenuIds?: string } }>(`${path}/top-tree-keys`, grants, async request => {
    const menu = await topMenuKeys(app.db, readIds(request.query.topMenuIds, 'topMenuIds'))
    return ok({ menu, dataScope: [], apiScope: [] })
  })
  app.post<{ Body: { topMenuIds: unknown; menuIds?: unknown }; Querystring: Record<string, string> }>(
    '/api/blade-system/topmenu/grant',
    {
      ...grants,
      schema: { body: topGrant },
      // Some clients put the ids into the address.
      preValidation: async request => {
        request.body = { ...request.query, ...(request.body as object | undefined) } as typeof request.body
      },
    },
    async request => {
      requirePlatform({ person: person(request) })
      const { topMenuIds, menuIds } = request.body
      const menus = textOf(menuIds)
      await grantTopMenus(app.db, readIds(textOf(topMenuIds), 'topMenuIds'), menus ? readIds(menus, 'menuIds') : [])
      return ok()
    },
  )
}

/** Service `blade-system/menu`: what people see and may do, and trees for those who decide about it. */
export default async function menuRoutes(app: FastifyInstance): Promise<void> {
  ownRoutes(app)
  pickerRoutes(app)
  grantRoutes(app)
  topRoutes(app)
}
