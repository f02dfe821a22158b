import {
  backgroundDownload,
  branchOf,
  changedShape,
  columnField,
  type Download,
  decidedShape,
  download,
  type Field,
  group,
  historyEntryShape,
  integer,
  type Kind,
  list,
  maybe,
  mostRows,
  numberedShape,
  openGroup,
  pageOf,
  type Resource,
  readCall,
  requiredSchema,
  rowOf,
  type Shape,
  type Structured,
  sheetTotalsShape,
  sometimes,
  submitSchema,
  text as textField,
  transitionsOf,
  workspaceEntryShape,
  workspaceShape,
} from '#engine'
import type { Described } from '../platform/http/server/description.ts'
import { type AnyAction, actionsOf, byAddress, inputFields } from './action.ts'
import { filterNames } from './filter.ts'
import { resourceOf } from './lookup.ts'
import { viewsOf } from './view.ts'
import { workspaceOf } from './workspace.ts'

/** What a call takes. */
type Taken = Pick<Described, 'querystring' | 'body'>
type Properties = Record<string, { type: string; description: string }>

const text = (description: string) => ({ type: 'string', description })
const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required })

const paging: Properties = {
  current: { type: 'integer', description: '页码，从1开始' },
  size: { type: 'integer', description: `每页条数，最多${mostRows}` },
  ascs: text('升序的字段，逗号分隔'),
  descs: text('降序的字段，逗号分隔'),
}

const timeKinds: readonly Kind[] = ['date', 'dateTime']

/** The filters of a list by the names people use most; every other operator has its suffix. */
function filters(resource: Resource): Properties {
  const names = [...filterNames(resource)]
  const described = names.flatMap((name): [string, Properties[string]][] => {
    const field = columnField(resource, name)
    if (!field) return [[name, text('编号')]]
    if (!timeKinds.includes(field.kind)) return [[name, text(field.title)]]
    return [
      [`${name}_dategt`, text(`${field.title}，晚于 yyyy-MM-dd HH:mm:ss`)],
      [`${name}_datelt`, text(`${field.title}，早于 yyyy-MM-dd HH:mm:ss`)],
    ]
  })
  return Object.fromEntries(described)
}

/** A row of another resource as a form with such rows carries it. */
function rowIn({ entity }: Resource, by: string): object {
  const { properties } = submitSchema(entity, 'edit')
  const { [by]: _own, ...entered } = properties
  const extra: Properties = { id: text('编号；没有则新增，有则修改') }
  if (entity.version) extra.version = { type: 'integer', description: '修改时必填：读到的版本号' }
  return object({ ...extra, isDeleted: { type: 'integer', description: '1 删除这一行' }, ...entered })
}

function submitted({ entity, children }: Resource): object {
  const schema = submitSchema(entity, 'add')
  const extra: Properties = { id: text('编号；没有则新增，有则修改') }
  if (entity.version) extra.version = { type: 'integer', description: '修改时必填：读到的版本号' }
  const rows = children
    .filter(child => child.in === 'form')
    .map(child => [
      child.resource,
      { type: 'array', description: child.label, items: rowIn(resourceOf(child.resource), child.by) },
    ])
  const properties = { ...extra, ...schema.properties, ...Object.fromEntries(rows) }
  return { ...schema, ...requiredSchema(entity), properties }
}

const schemaOf = ({ title, type, format, enum: keys, maxLength }: Field) => ({
  title,
  type,
  format,
  enum: keys,
  maxLength,
})

/** Parameters that tell the actions of one address apart, each with the values that their calls fix. */
function fixedOf(resource: Resource, actions: readonly AnyAction[]): [string, object][] {
  const given = actions.flatMap(({ call }) => Object.entries(readCall(call).fixed ?? {}))
  return [...new Set(given.map(([name]) => name))].map(name => {
    const values = [...new Set(given.flatMap(([one, value]) => (one === name ? [value] : [])))]
    return [name, { ...text(columnField(resource, name)?.title ?? '状态'), enum: values }]
  })
}

/** What an action takes: the ids its call names, what tells it from others of its address, and its inputs. */
function acted(resource: Resource, name: string): Taken {
  const action = actionsOf(resource)[name]
  if (!action) return {}
  const { method, path, params } = readCall(action.call)
  const others = (byAddress(resource).get(`${method} ${path}`) ?? []).map(([, one]) => one)
  const ids = params.map(param => [param, text(param === 'ids' ? '编号，逗号分隔' : '编号')] as const)
  const asked = [...ids, ...fixedOf(resource, others)]
  const inputs = Object.entries(inputFields(resource, action))
  const querystring = asked.length > 0 ? { querystring: object(Object.fromEntries(asked)) } : {}
  if (inputs.length === 0 || action.upload) return querystring
  const required = inputs.filter(([, field]) => !field.optional).map(([field]) => field)
  const body = object(Object.fromEntries(inputs.map(([field, one]) => [field, schemaOf(one)])), required)
  return { ...querystring, body }
}

/** What several rows take at once. */
function bulkBody({ entity, bulk }: Resource): object {
  const versions = entity.version && { versions: text('读到的版本号，逗号分隔，顺序与编号一致') }
  const fields = bulk.map(name => [name, schemaOf(entity.properties[name] as Field)])
  const required = versions ? ['ids', 'versions'] : ['ids']
  return object({ ids: text('编号，逗号分隔'), ...versions, ...Object.fromEntries(fields) }, required)
}

const foundIn = (resource: Resource): string =>
  resource.find.map(name => columnField(resource, name)?.title ?? name).join('、')

/** What choices are found by. */
const chosenBy = ({ entity, choices }: Resource): string =>
  [
    '名称',
    ...choices.flatMap(name => (entity.properties[name]?.kind === 'text' ? entity.properties[name].title : [])),
  ].join('、')

/** Named filters of a resource and of its views, and whether each is there whichever of them is asked for. */
function chipsOf(resource: Resource): ReadonlyMap<string, boolean> {
  const views = viewsOf(resource)
  const names = [resource, ...views].flatMap(one => Object.keys(one.views))
  return new Map(names.map(name => [name, [resource, ...views].every(one => name in one.views)]))
}

/** What a generated call takes, by its path. */
function takes(resource: Resource, path: string): Taken {
  const { detail, submit, remove } = resource.calls
  const own = Object.keys(actionsOf(resource)).find(name => readCall(actionsOf(resource)[name]!.call).path === path)
  if (path === readCall(submit).path) return { body: submitted(resource) }
  if (path === readCall(remove).path) return { querystring: object({ ids: text('编号，逗号分隔') }, ['ids']) }
  if (path === readCall(detail).path)
    return { querystring: object({ [resource.entity.key]: text('编号') }, [resource.entity.key]) }
  if (own) return acted(resource, own)
  if (path === 'change') return { body: bulkBody(resource) }
  if (path === 'arrange') return { body: object({ ids: text('编号，逗号分隔，按新的顺序') }, ['ids']) }
  if (path === 'template') return {}
  if (path === 'history' || path === 'workspace')
    return { querystring: object({ [resource.entity.key]: text('编号') }, [resource.entity.key]) }
  if (path === 'changes')
    return {
      querystring: object({ current: paging.current, size: paging.size, [resource.entity.key]: text('编号') }, [
        resource.entity.key,
      ]),
    }
  if (path === 'import') return { querystring: object({ mode: text('1 全部成功才导入，2 只导入正确的行') }) }
  if (path === 'select')
    return {
      querystring: object({
        keyword: text(`${chosenBy(resource)}的一部分`),
        ids: text('编号，逗号分隔'),
        ...filters(resource),
      }),
    }
  const names = viewsOf(resource).map(one => one.view.name)
  const view = names.length > 0 && { view: { ...text('视图：只列出它的行'), enum: names } }
  const chips = [...chipsOf(resource).keys()]
  const chip = chips.length > 0 && path !== 'views' && { chip: { ...text('筛选：只列出它的行'), enum: chips } }
  const keyword = resource.find.length > 0 && { keyword: text(`关键词：${foundIn(resource)}`) }
  return {
    querystring: object({ ...(path !== 'views' && paging), ...view, ...chip, ...keyword, ...filters(resource) }),
  }
}

/** Choices carry the label under its own name too, and what the definition adds. */
const choice = openGroup({ id: textField('编号'), label: textField('名称') })

/** What calls that every resource has answer, by the last part of their address. */
const answers: Readonly<Record<string, (resource: Resource) => Shape | Download | null>> = {
  page: resource => pageOf(rowOf(resource)),
  'parent-list': resource => pageOf(rowOf(resource)),
  list: resource => (resource.tree ? list(branchOf(resource)) : pageOf(rowOf(resource))),
  'lazy-list': resource => list(branchOf(resource)),
  'child-list': resource => list(rowOf(resource)),
  totals: resource =>
    group(
      Object.fromEntries(
        resource.totals.map(name => [name, sometimes(integer(columnField(resource, name)?.title ?? name))]),
      ),
    ),
  views: resource =>
    group(
      Object.fromEntries(
        [...chipsOf(resource)].map(([name, isAlways]) => [name, isAlways ? integer(name) : sometimes(integer(name))]),
      ),
    ),
  select: () => list(choice),
  arrange: () => null,
  change: () => numberedShape,
  export: () => backgroundDownload('xlsx'),
  template: () => download('xlsx'),
  import: () => sheetTotalsShape,
  history: () => list(historyEntryShape),
  changes: () => pageOf(workspaceEntryShape),
  workspace: resource => {
    const line = workspaceOf(resource)?.header.line?.value as Partial<Structured<Shape>> | undefined
    return group({ ...workspaceShape.of, line: maybe(line?.of ?? textField('说明')) })
  },
}

/** What an action answers: how many rows a transition changed, or what its handler has to say. */
function actionAnswer(resource: Resource, name: string): Shape | null {
  const transition = transitionsOf(resource)[name]
  if (!transition) return actionsOf(resource)[name]?.answer ?? null
  if (transition.skipped) return decidedShape
  if (transition.num) return numberedShape
  return transition.on === 'rows' ? changedShape : null
}

function answerOf(resource: Resource, path: string): Shape | Download | null {
  const { detail, submit, remove } = resource.calls
  if (path === readCall(submit).path || path === readCall(remove).path) return null
  if (path === readCall(detail).path) return rowOf(resource)
  const own = Object.keys(actionsOf(resource)).find(name => readCall(actionsOf(resource)[name]!.call).path === path)
  if (own) return actionAnswer(resource, own)
  return (answers[path] ?? answers.page!)(resource)
}

const known = new WeakMap<Resource, Map<string, Described>>()

/**
 * Describes a generated call of a resource by its path: its name, what it takes and what it answers. It is worked out once however
 * many servers a process builds.
 */
export function describe(resource: Resource, path: string): Described {
  const own = known.get(resource) ?? new Map<string, Described>()
  known.set(resource, own)
  const said = own.get(path) ?? {
    ...takes(resource, path),
    operationId: `${resource.name}.${path}`,
    answer: answerOf(resource, path),
    ...(path === 'import' && { isForm: true }),
  }
  own.set(path, said)
  return said
}
