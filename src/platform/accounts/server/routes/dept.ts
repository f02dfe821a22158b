import type { FastifyInstance } from 'fastify'
import { noParent } from '#engine'
import { scoped } from '../../../../crud/scope.ts'
import { growTree } from '../../../../crud/tree.ts'
import { optionNode } from '../../../access/server/menus.ts'
import { person } from '../../../http/server/access.ts'
import { ok } from '../../../http/server/envelope.ts'
import { refuseSaying } from '../../../http/server/refusal.ts'

const staff = { config: { access: 'staff' } } as const

/** Pickers of departments and posts, services `blade-system/dept` and `blade-system/post`. */
export default async function deptRoutes(app: FastifyInstance): Promise<void> {
  const readNodes = async (request: Parameters<typeof person>[0]) => {
    const rows = await scoped(app, person(request), 'dept')
      .select(['id', 'parentId', 'deptName'])
      .orderBy('sort')
      .orderBy('id')
      .execute()
    return rows.map(row => optionNode(row.id, row.parentId, row.deptName))
  }
  app.get<{ Querystring: { tenantId?: string } }>('/api/blade-system/dept/tree', staff, async request => {
    const { tenantId } = request.query
    if (tenantId && tenantId !== person(request).tenantId) throw refuseSaying('request.forbidden', '无权查看其他租户')
    return ok(growTree(await readNodes(request), 'parentId', 'id'))
  })
  app.get<{ Querystring: { parentId?: string } }>('/api/blade-system/dept/lazy-tree', staff, async request => {
    const nodes = await readNodes(request)
    const above = new Set(nodes.map(node => node.parentId))
    const level = nodes.filter(node => node.parentId === (request.query.parentId || noParent))
    return ok(level.map(node => (above.has(node.id) ? { ...node, hasChildren: true } : node)))
  })
  app.get('/api/blade-system/post/select', staff, async request => {
    const rows = await scoped(app, person(request), 'post')
      .select(['id', 'postName', 'postCode', 'category'])
      .orderBy('sort')
      .orderBy('id')
      .execute()
    return ok(rows.map(row => ({ ...row, label: row.postName })))
  })
}
