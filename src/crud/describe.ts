import { columnField, type Field, type Kind, type Resource, readCall, requiredSchema, submitSchema } from '#engine'
import { actionsOf, inputFields } from './action.ts'
import { filterNames } from './filter.ts'
import { viewsOf } from './view.ts'

/** What a call takes, for its description only: what it accepts is decided where it is answered. */
export interface Described {
  querystring?: object
  body?: object
}

type Properties = Record<string, { type: string; description: string }>

const text = (description: string) => ({ type: 'string', description })
const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required })

const paging: Properties = {
  current: { type: 'integer', description: '页码，从1开始' },
  size: { type: 'integer', description: '每页条数，最多500' },
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

function submitted({ entity }: Resource): object {
  const schema = submitSchema(entity, 'add')
  const extra: Properties = { id: text('编号；没有则新增，有则修改') }
  if (entity.version) extra.version = { type: 'integer', description: '修改时必填：读到的版本号' }
  return { ...schema, ...requiredSchema(entity), properties: { ...extra, ...schema.properties } }
}

const schemaOf = ({ title, type, format, enum: keys, maxLength }: Field) => ({
  title,
  type,
  format,
  enum: keys,
  maxLength,
})

/** What an action takes: the ids its call names, and its inputs. */
function acted(resource: Resource, name: string): Described {
  const action = actionsOf(resource)[name]
  if (!action) return {}
  const params = readCall(action.call).params.map(param => [param, text(param === 'ids' ? '编号，逗号分隔' : '编号')])
  const inputs = Object.entries(inputFields(resource, action))
  const querystring = params.length > 0 ? { querystring: object(Object.fromEntries(params)) } : {}
  if (inputs.length === 0 || action.upload) return querystring
  const required = inputs.filter(([, field]) => !field.optional).map(([field]) => field)
  const body = object(Object.fromEntries(inputs.map(([field, one]) => [field, schemaOf(one)])), required)
  return { ...querystring, body }
}

/** Describes a generated call of a resource by its path. */
export function describe(resource: Resource, path: string): Described {
  const { detail, submit, remove } = resource.calls
  const own = Object.keys(actionsOf(resource)).find(name => readCall(actionsOf(resource)[name]!.call).path === path)
  if (path === readCall(submit).path) return { body: submitted(resource) }
  if (path === readCall(remove).path) return { querystring: object({ ids: text('编号，逗号分隔') }, ['ids']) }
  if (path === readCall(detail).path)
    return { querystring: object({ [resource.entity.key]: text('编号') }, [resource.entity.key]) }
  if (own) return acted(resource, own)
  if (path === 'arrange') return { body: object({ ids: text('编号，逗号分隔，按新的顺序') }, ['ids']) }
  if (path === 'template') return {}
  if (path === 'import') return { querystring: object({ mode: text('1 全部成功才导入，2 只导入正确的行') }) }
  if (path === 'select')
    return { querystring: object({ keyword: text('名称的一部分'), ids: text('编号，逗号分隔'), ...filters(resource) }) }
  const names = viewsOf(resource).map(one => one.view.name)
  const view = names.length > 0 && { view: { ...text('视图：只列出它的行'), enum: names } }
  return { querystring: object({ ...paging, ...view, ...filters(resource) }) }
}
