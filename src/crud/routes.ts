import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import fp from 'fastify-plugin'
import { sql } from 'kysely'
import { permissionOf, type Resource, readCall, transitionsOf } from '#engine'
import { modules } from '#resources'
import { UserType } from '#schemas/dictionaries'
import { type Access, person } from '../platform/http/server/access.ts'
import { ok, sendText } from '../platform/http/server/envelope.ts'
import { type FormRule, oneSheet } from '../platform/http/server/form.ts'
import { type Refusal, refuse, refuseSaying } from '../platform/http/server/refusal.ts'
import { type AnyAction, actionsOf, byAddress, givenOf, handle, handlerOf, isMeant } from './action.ts'
import { arrange } from './arrange.ts'
import { changeRows } from './bulk.ts'
import { derivedPage, derivedRow, readTotals } from './derive.ts'
import { describe } from './describe.ts'
import { detailsOf, readDetail } from './detail.ts'
import { listExport, sendExport } from './export-list.ts'
import { noneOf } from './filter.ts'
import { readIds, type Values } from './input.ts'
import { insertsOf } from './insert.ts'
import { listedOf } from './listed.ts'
import { readChoices, readPage, readViews } from './query.ts'
import type { Query } from './read.ts'
import { readHistory, readWorkspaceHistory } from './read-history.ts'
import { sealedFields } from './reader.ts'
import { remove } from './remove.ts'
import { hooksOf, type Rules } from './rules.ts'
import { receiveImport, sendTemplate } from './sheet-resource.ts'
import { isNew, submit } from './store.ts'
import { keepCounting, Totals } from './total.ts'
import { transit } from './transition.ts'
import { readChildren, readLevel, readTree } from './tree.ts'
import { admit, viewsOf } from './view.ts'
import { readWorkspace, workspaceCodes, workspaceOf } from './workspace.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Totals of lists, remembered while they hold. */
    totals: Totals
  }
}

interface Route {
  method: 'GET' | 'POST'
  path: string
  summary: string
  access: Access
  /** Candidates may call it too: the scope shows them their own rows only. */
  own?: boolean
  /** The form with files it takes. */
  form?: FormRule
  /** Its work keeps the answer under the key of the call by itself where it can. */
  keepsAnswer?: true
  handler: RouteHandlerMethod
}

const queryOf = (request: FastifyRequest) => request.query as Query
const readOf = (request: FastifyRequest, resource: Resource) => ({
  app: request.server,
  person: person(request),
  resource,
})

function listRoutes(resource: Resource): Route[] {
  const page: RouteHandlerMethod = async (request, reply) =>
    sendText(reply, await derivedPage(request, resource, await readPage(readOf(request, resource), queryOf(request))))
  const tree: RouteHandlerMethod = async request => ok(await readTree(readOf(request, resource), queryOf(request)))
  const level: RouteHandlerMethod = async request => ok(await readLevel(readOf(request, resource), queryOf(request)))
  const fixed = { method: 'GET', access: { permission: resource.code }, own: resource.owner !== null } as const
  const { path } = readCall(resource.calls.list)
  const routes: Route[] = [{ ...fixed, path: 'page', summary: '分页', handler: page }]
  if (!resource.tree) routes.push({ ...fixed, path: 'list', summary: '列表', handler: page })
  else {
    routes.push({ ...fixed, path: 'list', summary: '树', handler: resource.tree.lazy ? level : tree })
    routes.push({ ...fixed, path: 'lazy-list', summary: '逐级列表', handler: level })
  }
  if (resource.totals.length > 0) {
    const totals: RouteHandlerMethod = async request => ok(await readTotals(request, resource, queryOf(request)))
    routes.push({ ...fixed, path: 'totals', summary: '合计', handler: totals })
  }
  if ([resource, ...viewsOf(resource)].some(one => Object.keys(one.views).length > 0)) {
    const counts: RouteHandlerMethod = async request => ok(await readViews(readOf(request, resource), queryOf(request)))
    routes.push({ ...fixed, own: false, path: 'views', summary: '各筛选的条数', handler: counts })
  }
  if (path === 'parent-list') routes.push(...groupRoutes(resource, fixed))
  else if (!routes.some(one => one.path === path)) routes.push({ ...fixed, path, summary: '列表', handler: page })
  return routes
}

/** Rows in two levels, such as dictionaries with their entries: a page of the groups, and the entries of one. */
function groupRoutes(resource: Resource, fixed: Pick<Route, 'method' | 'access' | 'own'>): Route[] {
  const groups: RouteHandlerMethod = async (request, reply) => {
    const query = queryOf(request)
    const tops = query.parentId ? undefined : noneOf(sql.raw('t."parentId"'))
    return sendText(reply, await readPage(readOf(request, resource), query, tops))
  }
  const entries: RouteHandlerMethod = async request =>
    ok(await readChildren(readOf(request, resource), queryOf(request)))
  return [
    { ...fixed, path: 'parent-list', summary: '分组分页', handler: groups },
    { ...fixed, path: 'child-list', summary: '分组内容', handler: entries },
  ]
}

/** Names of resources whose rows are chosen in the form of another. */
const enteredIn = ({ entity }: Resource): (string | undefined)[] =>
  Object.values(entity.properties).flatMap(({ ref, filled }) => (filled ? [] : ref))

/** Names of resources whose rows are chosen in the search of another. */
const soughtIn = ({ entity, search }: Resource): (string | undefined)[] =>
  search.map(field => entity.properties[field]?.ref)

const chosen = modules
  .flatMap(({ resources }) => resources)
  .map(one => ({ code: one.code, entered: new Set(enteredIn(one)), sought: new Set(soughtIn(one)) }))

/** Codes of the lists where rows of a resource are chosen. */
const choosersOf = ({ name }: Resource): string[] =>
  chosen.filter(({ entered, sought }) => entered.has(name) || sought.has(name)).map(({ code }) => code)

/**
 * What is entered somewhere is offered to all staff. Names of people who signed up, and what is chosen nowhere, are for those
 * who may list them; what belongs to the whole installation, such as its tenants, and what is only looked for, also for those
 * who choose it.
 */
function choiceAccess(resource: Resource): Access {
  const { code, owner, entity } = resource
  const choosers = choosersOf(resource)
  const isPersonal = sealedFields(entity).length > 0 && !entity.properties.userType
  if (owner || isPersonal || choosers.length === 0) return { permission: code }
  const isEntered = chosen.some(({ entered }) => entered.has(resource.name))
  return entity.tenant && isEntered ? 'staff' : { permission: [code, ...choosers] }
}

function viewRoutes(resource: Resource): Route[] {
  const detail = readCall(resource.calls.detail)
  return [
    {
      method: detail.method,
      path: detail.path,
      summary: '详情',
      own: resource.owner !== null,
      access: { permission: [permissionOf(resource, 'view'), resource.code] },
      handler: async (request, reply) =>
        sendText(
          reply,
          await derivedRow(request, resource, await readDetail(readOf(request, resource), queryOf(request))),
        ),
    },
    {
      method: 'GET',
      path: 'select',
      summary: '选项',
      access: choiceAccess(resource),
      handler: async (request, reply) =>
        sendText(reply, await readChoices(readOf(request, resource), queryOf(request))),
    },
  ]
}

/** The refusal of what is not offered, in the sentence that the definition has for it. */
const notOffered = ({ instead }: Resource, what: 'add' | 'edit' | 'remove'): Refusal => {
  const sentence = instead[what]
  const name = what === 'remove' ? 'row.inUse' : 'row.builtIn'
  return sentence ? refuseSaying(name, sentence) : refuse(name)
}

function submitRoute(resource: Resource): Route[] {
  const { can, instead } = resource
  const offered = (['add', 'edit'] as const).filter(what => can.includes(what))
  if (offered.length === 0 && !instead.add && !instead.edit) return []
  const { method, path } = readCall(resource.calls.submit)
  const handler: RouteHandlerMethod = async request => {
    const body = (request.body ?? {}) as Values
    const what = isNew(body) ? 'add' : 'edit'
    if (instead[what]) throw notOffered(resource, what)
    if (!person(request).permissions.has(permissionOf(resource, what))) throw refuse('request.forbidden')
    await submit(request, resource, body)
    return ok()
  }
  const permission = [...offered.map(what => permissionOf(resource, what)), ...(instead.edit ? [resource.code] : [])]
  return [{ method, path, summary: '新增或修改', access: { permission }, keepsAnswer: true, handler }]
}

function removeRoute(resource: Resource): Route[] {
  const { can, instead } = resource
  const { method, path, params } = readCall(resource.calls.remove)
  const fixed = { method, path, summary: '删除' }
  if (instead.remove) {
    const handler: RouteHandlerMethod = async () => {
      throw notOffered(resource, 'remove')
    }
    return [{ ...fixed, access: { permission: resource.code }, handler }]
  }
  if (!can.includes('remove')) return []
  const handler: RouteHandlerMethod = async request => {
    const source = { ...(request.body as Values | undefined), ...queryOf(request) }
    const key = [...params, 'ids', 'id'].find(name => source[name]) ?? 'ids'
    await remove(request, resource, readIds(source[key], key))
    return ok()
  }
  return [{ ...fixed, access: { permission: permissionOf(resource, 'remove') }, handler }]
}

function historyRoutes(resource: Resource): Route[] {
  if (!resource.entity.history) return []
  const access = { permission: [permissionOf(resource, 'view'), resource.code] }
  const handler: RouteHandlerMethod = async request =>
    ok(await readHistory(readOf(request, resource), queryOf(request)))
  return [{ method: 'GET', path: 'history', summary: '变更历史', access, handler }]
}

function orderRoutes(resource: Resource): Route[] {
  if (!resource.order) return []
  const handler: RouteHandlerMethod = async request => {
    const source = { ...(request.body as Values | undefined), ...queryOf(request) }
    await arrange(request, resource, readIds(source.ids))
    return ok()
  }
  const access = { permission: permissionOf(resource, 'edit') }
  return [{ method: 'POST', path: 'arrange', summary: '排序', access, handler }]
}

function bulkRoutes(resource: Resource): Route[] {
  if (resource.bulk.length === 0) return []
  const handler: RouteHandlerMethod = async request => ok(await changeRows(request, resource, givenOf(request)))
  const access = { permission: permissionOf(resource, 'edit') }
  return [{ method: 'POST', path: 'change', summary: '批量修改', access, handler }]
}

function sheetRoutes(resource: Resource): Route[] {
  const routes: Route[] = []
  if (resource.can.includes('export')) {
    const access = { permission: permissionOf(resource, 'export') }
    routes.push({
      method: 'GET',
      path: 'export',
      summary: '导出',
      access,
      handler: (request, reply) => sendExport(request, reply, resource),
    })
  }
  if (resource.can.includes('import')) {
    const access = { permission: permissionOf(resource, 'import') }
    routes.push({
      method: 'GET',
      path: 'template',
      summary: '导入模板',
      access,
      handler: (request, reply) => sendTemplate(request, reply, resource),
    })
    routes.push({
      method: 'POST',
      path: 'import',
      summary: '导入',
      access,
      form: oneSheet,
      handler: async request => ok(await receiveImport(request, resource)),
    })
  }
  return routes
}

function workspaceRoutes(resource: Resource): Route[] {
  const one = workspaceOf(resource)
  if (!one) return []
  const handler: RouteHandlerMethod = async request => ok(await readWorkspace(request, resource, queryOf(request)))
  const access = { permission: workspaceCodes(one, resource) }
  const place: Route = { method: 'GET', path: 'workspace', summary: '工作区', access, handler }
  const told = one.pages.find(page => 'history' in page)
  if (!told) return [place]
  const changes: RouteHandlerMethod = async request =>
    ok(await readWorkspaceHistory(readOf(request, resource), one, queryOf(request)))
  return [
    place,
    { method: 'GET', path: 'changes', summary: '变更记录', access: { permission: told.code }, handler: changes },
  ]
}

/** An action with what answers it. */
interface Deed {
  name: string
  action: AnyAction
  run: RouteHandlerMethod
}

/** What answers an action: its handler, or the transition of its name; undefined for one that has a route by hand or a page. */
function runOf(resource: Resource, rules: Rules, name: string, action: AnyAction): RouteHandlerMethod | undefined {
  const by = handlerOf(rules, resource, name)
  if (by) return async request => ok(await handle(request, resource, name, by))
  const transition = transitionsOf(resource)[name]
  if (!transition) return undefined
  const { skipped: reason, num: counted } = transition
  return async request => {
    const { num, changed, total, ok: done, left } = await transit(request, resource, name)
    if (reason) return ok({ ok: done, skipped: left.map(id => ({ id, reason })) })
    if (counted) return ok({ num })
    return action.on === 'rows' ? ok({ changed, total }) : ok()
  }
}

/** Routes of actions; those of one address are one route, which tells them apart by the values that their calls fix. */
function actionRoutes(resource: Resource, rules: Rules): Route[] {
  return [...byAddress(resource).values()].flatMap(actions => {
    const deeds = actions.flatMap(([name, action]): Deed[] => {
      const run = runOf(resource, rules, name, action)
      return run ? [{ name, action, run }] : []
    })
    const [first] = deeds
    if (!first) return []
    const { method, path } = readCall(first.action.call)
    const codes = [...new Set(deeds.map(({ name }) => permissionOf(resource, name)))]
    const handler: RouteHandlerMethod = async function (request, reply) {
      const deed = deeds.find(({ action }) => isMeant(action, givenOf(request)))
      if (!deed) throw refuse('input.invalid', { 说明: '状态取值不正确' })
      if (codes.length > 1) admit(request, [permissionOf(resource, deed.name)])
      return deed.run.call(this, request, reply)
    }
    return [{ method, path, summary: first.action.label, access: { permission: codes }, handler }]
  })
}

/** Candidates see their own rows of what they own; everybody else needs the permission of the route. */
function ownOrPermitted(access: Access) {
  const { permission } = access as { permission: string | readonly string[] }
  const codes = [permission].flat()
  return async (request: FastifyRequest): Promise<void> => {
    if (person(request).userType !== UserType.candidate) admit(request, codes)
  }
}

/** Generated calls are open to the permissions of views, too. */
const withViews = (access: Access): Access => (typeof access === 'object' ? { ...access, views: true } : access)

/** What answers a call, with what a rule does around it. */
function withRule(app: FastifyInstance, resource: Resource, { path, handler }: Route): RouteHandlerMethod {
  const { around } = hooksOf(app, resource)
  if (!around) return handler
  return function (request, reply) {
    return around(request, path, async () => handler.call(this, request, reply))
  }
}

function addRoute(app: FastifyInstance, resource: Resource, tag: string, route: Route): void {
  const { method, summary, access, own, form, keepsAnswer } = route
  const url = `/api${resource.path}/${route.path}`
  if (app.hasRoute({ method, url })) return
  app.route({
    method,
    url,
    handler: withRule(app, resource, route),
    schema: { summary: `${resource.title}：${summary}`, tags: [tag] },
    config: {
      access: own ? 'signed-in' : withViews(access),
      describes: describe(resource, route.path),
      ...(form && { form }),
      ...(keepsAnswer && { keepsAnswer }),
    },
    ...(own ? { preHandler: ownOrPermitted(access) } : {}),
  })
}

/** Actions that nobody answers: neither a transition, nor a handler, nor a route by hand. A page that is opened needs none. */
export function unanswered(app: FastifyInstance): string[] {
  const isAnswered = (resource: Resource, action: AnyAction) => {
    const { method, path } = readCall(action.call)
    return (method === 'GET' && action.open) || app.hasRoute({ method, url: `/api${resource.path}/${path}` })
  }
  return modules.flatMap(({ resources }) =>
    resources.flatMap(resource =>
      Object.entries(actionsOf(resource))
        .filter(([, action]) => !isAnswered(resource, action))
        .map(([name, action]) => `${resource.name}.${name} (${action.call})`),
    ),
  )
}

/** The calls of every resource, as its definition says; a route written by hand is there already and wins. */
export default fp<{ rules: Rules }>(
  async (app, { rules }) => {
    app.decorate('rules', rules)
    app.decorate('totals', new Totals(app.pool))
    app.decorate('details', detailsOf(app))
    app.decorate('listed', listedOf(app))
    app.decorate('inserts', insertsOf(app))
    app.exports.add(listExport)
    await keepCounting(app)
    for (const { title, resources } of modules)
      for (const resource of resources) {
        const makers = [
          listRoutes,
          viewRoutes,
          submitRoute,
          removeRoute,
          orderRoutes,
          bulkRoutes,
          sheetRoutes,
          actionRoutes,
          historyRoutes,
          workspaceRoutes,
        ]
        const routes = makers.flatMap(make => make(resource, rules))
        for (const route of routes) addRoute(app, resource, title, route)
      }
    const open = unanswered(app)
    if (open.length > 0) throw new Error(`These actions have no handler: ${open.join(', ')}`)
  },
  { name: 'crud', dependencies: ['permissions', 'exports'] },
)
