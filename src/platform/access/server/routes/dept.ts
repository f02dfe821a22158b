import type { FastifyInstance, FastifyRequest } from 'fastify'
import { noParent } from '#engine'
import { scoped } from '../../../../crud/scope.ts'
import { growTree } from '../../../../crud/tree.ts'
import { person } from '../../../http/server/access.ts'
import { refuseSaying } from '../../../http/server/refusal.ts'
import { serve } from '../../../http/server/serve.ts'
import { deptLevel, deptTree, postChoices } from '../../contract.ts'
import { optionNode } from '../menus.ts'

async function readNodes(request: FastifyRequest) {
  const rows = await scoped(request.server, person(request), 'dept')
    .select(['id', 'parentId', 'deptName'])
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return rows.map(row => optionNode(row.id, row.parentId, row.deptName))
}

/** Pickers of departments and posts, services `blade-system/dept` and `blade-system/post`. */
export default async function deptRoutes(app: FastifyInstance): Promise<void> {
  serve(app, deptTree, async ({ values: { tenantId }, request }) => {
    if (tenantId && tenantId !== person(request).tenantId) throw refuseSaying('request.forbidden', '无权查看其他租户')
    return growTree(await readNodes(request), 'parentId', 'id')
  })
  serve(app, deptLevel, async ({ values: { parentId }, request }) => {
    const nodes = await readNodes(request)
    const above = new Set(nodes.map(node => node.parentId))
    const level = nodes.filter(node => node.parentId === (parentId || noParent))
    return level.map(node => (above.has(node.id) ? { ...node, hasChildren: true } : node))
  })
  serve(app, postChoices, async ({ request }) => {
    const rows = await scoped(app, person(request), 'post')
      .select(['id', 'postName', 'postCode', 'category'])
      .orderBy('sort')
      .orderBy('id')
      .execute()
    return rows.map(row => ({ ...row, label: row.postName }))
  })
}
