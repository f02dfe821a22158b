import type { RouteOptions } from 'fastify'
import { type CallText, type Resource, readCall } from '#engine'
import { resources } from '#resources'

interface Titled {
  title: string
  /** A call that changes something although it is a GET. */
  changes?: true
}

const words: Readonly<Record<string, string>> = { submit: '新增或修改', remove: '删除', export: '导出', import: '导入' }

/** Resources by what their addresses begin with, the longest first: one may stand below another. */
const byPath = resources
  .map((resource: Resource) => ({ resource, start: `/api${resource.path}/` }))
  .sort((a, b) => b.start.length - a.start.length)

const actionAt = (resource: Resource, path: string) =>
  Object.values(resource.actions as Record<string, { label: string; call: CallText; open?: string }>).find(
    action => !action.open && readCall(action.call).path === path,
  )

/** What a call is called in the log of calls, from its description or from the definitions. */
export function titleOf({ url, method, schema }: RouteOptions): Titled {
  const { summary } = (schema ?? {}) as { summary?: string }
  const { resource, start = '' } = byPath.find(one => url.startsWith(one.start)) ?? {}
  const path = resource ? url.slice(start.length) : ''
  const action = resource && actionAt(resource, path)
  const own = resource && `${resource.title}：${action?.label ?? words[path] ?? path}`
  const title = summary ?? own ?? url.replace(/^\/api\//, '')
  // Old clients send some actions by GET.
  const isTwin = method === 'GET' && action && readCall(action.call).method === 'POST'
  return isTwin ? { title, changes: true } : { title }
}
