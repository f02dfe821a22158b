import type { FastifyInstance } from 'fastify'
import { commaList } from '#engine'
import { builtinRoles } from '#resources/system/role'
import { readIds } from '../../../../crud/input.ts'
import { scoped } from '../../../../crud/scope.ts'
import { type Branch, growTree } from '../../../../crud/tree.ts'
import { type Person, person } from '../../../http/server/access.ts'
import { liveAs } from '../../../http/server/live.ts'
import { refuse } from '../../../http/server/refusal.ts'
import { serve } from '../../../http/server/serve.ts'
import { grantRole, roleBranches, roleChoices, roleTree, setConsoleRole } from '../../contract.ts'
import { grantRoles } from '../grant.ts'
import { type OptionNode, optionNode } from '../menus.ts'
import { rolesFor } from '../rights.ts'

async function readRoleTree(app: FastifyInstance, caller: Person): Promise<Branch<OptionNode>[]> {
  const rows = await scoped(app, caller, 'role')
    .select(['id', 'parentId', 'roleName'])
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return growTree(
    rows.map(row => optionNode(row.id, row.parentId, row.roleName)),
    'parentId',
    'id',
  )
}

/** The branch of a tree that begins at a node. */
function branchOf(nodes: readonly Branch<OptionNode>[], id: string): Branch<OptionNode> | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node : branchOf(node.children ?? [], id)
    if (found) return found
  }
  return undefined
}

/** Service `blade-system/role` beyond the resource. */
export default async function roleRoutes(app: FastifyInstance): Promise<void> {
  serve(app, roleTree, ({ request }) => readRoleTree(app, person(request)))
  serve(app, roleBranches, async ({ values, request }) => {
    const branches = await readRoleTree(app, person(request))
    return readIds(values.roleId, 'roleId').flatMap(id => branchOf(branches, id) ?? [])
  })
  serve(app, roleChoices, async ({ values, request }) => {
    const caller = person(request)
    const roles = await rolesFor(liveAs(app, caller), caller)
    const isShown = (role: (typeof roles)[number]) => {
      if (!caller.isStaff) return caller.roleIds.includes(role.id)
      return values.isAll === '1' || role.mayGive
    }
    return roles.filter(isShown).map(({ mayGive: _mayGive, ...role }) => role)
  })
  serve(app, grantRole, async ({ body: { roleIds, menuIds, dataScopeIds, apiScopeIds }, request }) => {
    await grantRoles(liveAs(app, person(request)), person(request), {
      roleIds: readIds(commaList(roleIds).join(), 'roleIds'),
      menuIds: commaList(menuIds),
      dataScopeIds: dataScopeIds === undefined ? undefined : commaList(dataScopeIds),
      apiScopeIds: apiScopeIds === undefined ? undefined : commaList(apiScopeIds),
    })
  })
  serve(app, setConsoleRole, async ({ values, request }) => {
    const status = Number(values.status)
    if (status !== 0 && status !== 1) throw refuse('input.invalid', { 说明: '状态取值不正确' })
    const [id = ''] = readIds(values.id, 'id')
    const role = await scoped(app, person(request), 'role').select('roleAlias').where('id', '=', id).executeTakeFirst()
    if (!role) throw refuse('row.notFound')
    if (builtinRoles.includes(role.roleAlias)) throw refuse('row.builtIn')
    await liveAs(app, person(request)).updateTable('role').set({ isBack: status }).where('id', '=', id).execute()
  })
}
