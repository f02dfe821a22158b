import type { FastifyInstance } from 'fastify'
import { builtinRoles } from '#resources/system/role'
import { readIds } from '../../../../crud/input.ts'
import { scoped } from '../../../../crud/scope.ts'
import { growTree } from '../../../../crud/tree.ts'
import { type Person, person } from '../../../http/server/access.ts'
import { ok } from '../../../http/server/envelope.ts'
import { refuse } from '../../../http/server/refusal.ts'
import { grantRoles } from '../grant.ts'
import { type Node, optionNode } from '../menus.ts'
import { rolesFor } from '../rights.ts'

const path = '/api/blade-system/role'

async function readRoleTree(app: FastifyInstance, caller: Person): Promise<Node[]> {
  const rows = await scoped(app, caller, 'role')
    .select(['id', 'parentId', 'roleName'])
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return growTree(
    rows.map(row => optionNode(row.id, row.parentId, row.roleName)),
    'parentId',
    'id',
  ) as Node[]
}

/** The branch of a tree that begins at a node. */
function branchOf(nodes: readonly Node[], id: string): Node | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node : branchOf(node.children ?? [], id)
    if (found) return found
  }
  return undefined
}

const list = { anyOf: [{ type: 'array', maxItems: 5000, items: { type: ['string', 'integer'] } }, { type: 'string' }] }
const grantBody = {
  type: 'object',
  required: ['roleIds'],
  properties: { roleIds: list, menuIds: list, dataScopeIds: list, apiScopeIds: list },
}

interface GrantBody {
  roleIds: unknown
  menuIds?: unknown
  dataScopeIds?: unknown
  apiScopeIds?: unknown
}

const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : String(value ?? '').split(',')).map(id => String(id).trim()).filter(Boolean)

/** Service `blade-system/role` beyond the resource. */
export default async function roleRoutes(app: FastifyInstance): Promise<void> {
  const pickers = { config: { access: { permission: ['role', 'user'] } } } as const

  app.get(`${path}/tree`, pickers, async request => ok(await readRoleTree(app, person(request))))
  app.get<{ Querystring: { roleId?: string } }>(`${path}/tree-by-id`, pickers, async request => {
    const branches = await readRoleTree(app, person(request))
    const found = readIds(request.query.roleId, 'roleId').flatMap(id => branchOf(branches, id) ?? [])
    return ok(found)
  })
  app.get<{ Querystring: { isAll?: string } }>(
    `${path}/getRoleList`,
    { config: { access: 'signed-in' } },
    async request => {
      const caller = person(request)
      const roles = await rolesFor(app.db, caller)
      const isShown = (role: (typeof roles)[number]) => {
        if (!caller.isStaff) return caller.roleIds.includes(role.id)
        return request.query.isAll === '1' || role.mayGive
      }
      return ok(roles.filter(isShown).map(({ mayGive: _mayGive, ...role }) => role))
    },
  )
  app.post<{ Body: GrantBody }>(
    `${path}/grant`,
    { config: { access: { permission: 'role_grant' } }, schema: { body: grantBody } },
    async request => {
      const { roleIds, menuIds, dataScopeIds, apiScopeIds } = request.body
      await grantRoles(app, person(request), {
        roleIds: readIds(idsOf(roleIds).join(), 'roleIds'),
        menuIds: idsOf(menuIds),
        dataScopeIds: dataScopeIds === undefined ? undefined : idsOf(dataScopeIds),
        apiScopeIds: apiScopeIds === undefined ? undefined : idsOf(apiScopeIds),
      })
      return ok()
    },
  )
  app.post<{ Querystring: { id?: string; status?: string } }>(
    `${path}/changeIsBack`,
    { config: { access: { permission: 'role_back' } } },
    async request => {
      const status = Number(request.query.status)
      if (status !== 0 && status !== 1) throw refuse('input.invalid', { 说明: '状态取值不正确' })
      const [id = ''] = readIds(request.query.id, 'id')
      const role = await scoped(app, person(request), 'role')
        .select('roleAlias')
        .where('id', '=', id)
        .executeTakeFirst()
      if (!role) throw refuse('row.notFound')
      if (builtinRoles.includes(role.roleAlias)) throw refuse('row.builtIn')
      const change = { isBack: status, updateUser: person(request).userId, updateTime: app.now() } as const
      await app.db.updateTable('role').set(change).where('id', '=', id).execute()
      return ok()
    },
  )
}
