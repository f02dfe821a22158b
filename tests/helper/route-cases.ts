import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse, RouteOptions } from 'fastify'
import { type Action, type Entity, type Field, type Fields, type Resource, readCall } from '#engine'
import { resources } from '#resources'
import { entities } from '#schemas'
import { filterNames } from '../../src/crud/filter.ts'
import { targetOf } from './every-row.ts'
import { sample } from './sample.ts'
import { unzip } from './unzip.ts'

type Answer = Pick<LightMyRequestResponse, 'statusCode' | 'payload' | 'rawPayload'>

/** As much of JSON Schema as calls use. */
interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  minimum?: number
}

/** What a call may carry. */
interface Schemas {
  querystring?: Schema
  body?: Schema
  /** What a generated call says of itself without being held to it. */
  describes?: Pick<Schemas, 'querystring' | 'body'>
}

/** Ids by the name of the parameter that carries them. */
export type Bag = Readonly<Record<string, string>>

/** A call with what it needs besides ids, and the names under which it may be given some. */
export interface RouteCase {
  /** `POST /api/…`. */
  name: string
  url: string
  method: 'GET' | 'POST'
  /** The resource below whose address it stands. */
  resource: Resource | undefined
  /** What its form sends besides ids. */
  form: Readonly<Record<string, unknown>>
  /** Every name under which it might take ids. */
  ids: readonly string[]
  /** It is a list of a resource, whose filters these are; otherwise they are guesses. */
  isFiltered: boolean
  /** The entity whose id a name carries. */
  entityOf(name: string): string | undefined
  /** The request that carries some ids; as an upload when it is given a file. */
  request(bag: Bag, headers: Record<string, string>, file?: Buffer): InjectOptions
}

/** Names of ids that are no fields of an entity, with the entity they mean. */
const otherNames: Readonly<Record<string, string>> = {
  signUpId: 'signup',
  signupIds: 'signup',
  ticketIds: 'examinationticket',
  userIds: 'user',
  examIds: 'examination',
  fromId: 'examination',
  roleIds: 'role',
  menuIds: 'menu',
  dataScopeIds: 'data-scope',
  apiScopeIds: 'api-scope',
  topMenuIds: 'topmenu',
  topMenuId: 'topmenu',
  orderId: 'payorder',
  refundId: 'payrefund',
  recordId: 'payrecord',
  recordIds: 'payrecord',
  stageIds: 'examinationitem',
  nextId: 'examinationitem',
  appealId: 'resultappeal',
  positionId: 'examitems',
  attachIds: 'attach',
  fileIds: 'attach',
  deptIds: 'dept',
  postIds: 'post',
  roomIds: 'examroom',
  sendPayId: 'sendpay',
  purchaseId: 'sendpay',
  notifyId: 'notice',
  taskId: 'leave',
  processInstanceId: 'leave',
  businessId: 'leave',
  processDefinitionId: 'flow-deployment',
  processId: 'flow-deployment',
  deploymentIds: 'flow-deployment',
  deploymentId: 'flow-deployment',
  tenantIds: 'tenant',
  keyId: '',
  codeId: '',
}

/** Addresses whose `id` and `ids` mean another entity than the address says. */
const otherIds: readonly (readonly [address: RegExp, entity: string])[] = [
  [/\/blade-signup\/examine\//, 'signup'],
  [/\/examination\/(getNoticeInfo|readNotice|readNotify|sureNotify)$/, 'notice'],
  [/\/examination\/(voidTicket|reissueTicket|deleteTicket|getTicketInfo)$/, 'examinationticket'],
  [/\/signup\/exportTicket$/, 'examinationticket'],
  [/\/examination\/(deleteResult)$/, 'result'],
  [/\/blade-send\/send\/(deleteMessage)$/, 'sendmessage'],
  [/\/blade-flow\/(work|follow|process)\//, 'leave'],
  [/\/blade-flow\/manager\//, 'flow-deployment'],
]

const fieldsById = (entities as readonly Entity[]).flatMap(({ properties }) =>
  Object.entries(properties).flatMap(([name, field]) => {
    const target = targetOf(field)
    return target && /Ids?$/.test(name) ? [[name, target] as const] : []
  }),
)
const known: Readonly<Record<string, string>> = { ...Object.fromEntries(fieldsById), ...otherNames }

/** True for a parameter that carries ids, to judge by its name. */
const isIdName = (name: string): boolean => /^ids?$|[a-z]Ids?$/.test(name) || name in known

/** Collects what routes say about their input; begin before the server is built. */
export function watchSchemas(): { schemas: ReadonlyMap<string, Schemas>; stop: () => void } {
  const schemas = new Map<string, Schemas>()
  const onRoute = ({ method, url, schema, config }: RouteOptions) => {
    const known = { ...schema, describes: config?.describes } as Schemas
    for (const one of [method].flat()) schemas.set(`${one} ${url}`, known)
  }
  const begin = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', onRoute)
  }
  subscribe('fastify.initialization', begin)
  return { schemas, stop: () => void unsubscribe('fastify.initialization', begin) }
}

/** Something that meets a schema, as far as its type goes. */
function fitting({ anyOf, enum: keys, type, minimum, items, properties, required = [] }: Schema): unknown {
  if (anyOf?.[0]) return fitting(anyOf[0])
  if (keys) return keys[0]
  const [one] = [type].flat()
  if (one === 'integer' || one === 'number') return minimum ?? 1
  if (one === 'array') return [fitting(items ?? {})]
  if (one === 'boolean') return true
  if (one !== 'object') return '1'
  return Object.fromEntries(required.map(name => [name, fitting(properties?.[name] ?? {})]))
}

/** What a schema asks for, ids aside. */
const needed = (schema: Schema = {}) =>
  Object.fromEntries(
    (schema.required ?? [])
      .filter(name => !isIdName(name))
      .map(name => [name, fitting(schema.properties?.[name] ?? {})]),
  )

const byAddress = [...resources].sort((one, other) => other.path.length - one.path.length)
const resourceAt = (url: string) => byAddress.find(({ path }) => url.startsWith(`/api${path}/`))

const wireDate = (value: unknown) => (value instanceof Date ? '2026-06-01 08:00:00' : value)

/** Values for fields, as a form sends them. */
function formOf(fields: Fields): Record<string, unknown> {
  const row = sample({ properties: fields, requiredWhen: {} } as Entity) as Record<string, unknown>
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, wireDate(value)]))
}

/** What the form of a call would send: that of the row, of an action, or what actions usually ask for. */
function bodyOf(resource: Resource | undefined, call: string): Record<string, unknown> {
  const usual = { reason: '测试原因', remark: '测试意见', status: 1, enable: 1, field: 'idCard' }
  if (!resource) return usual
  const { properties } = resource.entity as Entity
  if (/^(submit|save|update)$/.test(call)) return formOf(properties)
  const actions = Object.values(resource.actions as Record<string, Action<unknown> & { input?: readonly string[] }>)
  const action = actions.find(one => readCall(one.call).path === call)
  const input = (action?.input ?? []).map(name => [name, properties[name] as Field] as const)
  return { ...usual, ...formOf({ ...Object.fromEntries(input), ...action?.ask }) }
}

const isList = /\/(page|list|lazy-list|parent-list|child-list|export|select|getMyList)$/

/** The names of filters by which a list of a resource may be given ids; undefined for any other call. */
function idFilters(url: string, resource: Resource | undefined, schemas: Schemas): string[] | undefined {
  if (!resource || !schemas.describes || !isList.test(url)) return undefined
  const filters = [...filterNames(resource)].filter(name => isIdName(name))
  return [...filters, ...(url.endsWith('/select') ? ['ids'] : [])]
}

/** The names under which any other call may be given ids. */
function idNames(resource: Resource | undefined, schemas: Schemas): string[] {
  const { querystring, body } = schemas.querystring || schemas.body ? schemas : (schemas.describes ?? {})
  if (querystring || body) {
    const names = { ...querystring?.properties, ...body?.properties }
    return Object.keys(names).filter(
      name => isIdName(name) || targetOf((resource?.entity as Entity | undefined)?.properties[name]),
    )
  }
  const own = Object.entries(resource?.entity.properties ?? {}).filter(([, field]) => targetOf(field))
  return [...new Set(['id', 'ids', ...own.map(([name]) => name), ...Object.keys(known)])]
}

/** An id as the schema of a field wants it. */
function shaped(id: string, schema: Schema | undefined): unknown {
  if (schema?.type !== 'array') return id
  return [schema.items?.type === 'object' ? { ...(fitting(schema.items) as object), id } : id]
}

/** The entity of the ids that a call takes under a name; undefined for none of ours. */
function entityOf(url: string, resource: Resource | undefined, name: string): string | undefined {
  if (name === 'id' || name === 'ids') return otherIds.find(([one]) => one.test(url))?.[1] ?? resource?.entity.name
  const field = (resource?.entity as Entity | undefined)?.properties[name] ?? resource?.steps[name]?.field
  return targetOf(field) ?? known[name]
}

const edge = '----edge-of-parts'

/** A form with a file, as browsers send it. */
function uploadOf(fields: Readonly<Record<string, unknown>>, file: Buffer): Pick<InjectOptions, 'payload' | 'headers'> {
  const texts = Object.entries(fields).filter(([, value]) => ['string', 'number'].includes(typeof value))
  const parts = texts.map(
    ([name, value]) => `--${edge}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}`,
  )
  const head = `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="a.xlsx"\r\n\r\n`
  const before = [...parts, head].join('\r\n')
  const payload = Buffer.concat([Buffer.from(before), file, Buffer.from(`\r\n--${edge}--\r\n`)])
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${edge}` } }
}

const textsOf = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, one]) => (typeof one === 'object' ? [] : [[name, `${one}`]])),
  )

function caseOf(method: 'GET' | 'POST', url: string, schemas: Schemas): RouteCase {
  const resource = resourceAt(url)
  const { querystring, body } = schemas
  const isFree = !querystring && !body
  const isWrite = method === 'POST'
  const form = isWrite ? (body ? needed(body) : bodyOf(resource, url.split('/').at(-1) ?? '')) : {}
  const asked = isFree && isWrite ? textsOf(form) : textsOf(needed(querystring))
  const request = (bag: Bag, headers: Record<string, string>, file?: Buffer): InjectOptions => {
    const given = Object.entries(bag)
    const inQuery = given.filter(([name]) => isFree || querystring?.properties?.[name])
    const inBody = given.filter(([name]) => isFree || body?.properties?.[name])
    const shapes = inBody.map(([name, id]) => [name, shaped(id, body?.properties?.[name])])
    const query = { ...asked, ...Object.fromEntries(inQuery) }
    const payload = { ...form, ...Object.fromEntries(shapes) }
    const upload = file && uploadOf(payload, file)
    if (upload) return { method, url, query, payload: upload.payload, headers: { ...headers, ...upload.headers } }
    return { method, url, query, headers, ...(isWrite && { payload }) }
  }
  const filters = idFilters(url, resource, schemas)
  return {
    name: `${method} ${url}`,
    url,
    method,
    resource,
    form,
    ids: filters ?? idNames(resource, schemas),
    isFiltered: filters !== undefined,
    request,
    entityOf: name => entityOf(url, resource, name),
  }
}

/** What an answer says: its status and text, a workbook's as it is inside, without when it was made and the number of a fault. */
export function textOf({ statusCode, payload, rawPayload }: Answer): string {
  const isSheet = rawPayload.subarray(0, 2).toString() === 'PK'
  const inside = isSheet ? [...unzip(rawPayload)].filter(([name]) => name !== 'docProps/core.xml') : []
  const files = isSheet ? inside.map(([name, bytes]) => `${name} ${bytes}`) : [payload]
  return `${statusCode} ${files.join()}`.replace(/（[0-9a-f]{8}-[0-9a-f]{4}）/, '')
}

/** Routes that speak the token protocol or that of the payment channel, and the program's own pages. */
const apart = /^(?!\/api\/)|\/api\/(docs|pay\/wxpay\/\w*[nN]otify)|\/oauth\//

/** A case for every call of a server that asks who is calling, and for the public ones when they are wanted. */
export const casesOf = (app: FastifyInstance, schemas: ReadonlyMap<string, Schemas>, also?: 'public'): RouteCase[] =>
  app.routeTable
    .filter(({ method, url }) => method !== 'HEAD' && !apart.test(url) && (also || !url.startsWith('/api/public/')))
    .map(({ method, url }) => caseOf(method as 'GET' | 'POST', url, schemas.get(`${method} ${url}`) ?? {}))
