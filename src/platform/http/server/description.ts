import type { FastifySchema } from 'fastify'
import {
  answerSchema,
  type Download,
  exampleOf,
  isList,
  type List,
  requestSchema,
  type Schema,
  type Shape,
  type Shapes,
  storageWords,
} from '#engine'
import type { AnyEndpoint } from './serve.ts'

/** What a description says of a call, wherever its checks are. */
export interface Described {
  /** Name of the call for clients made from the description; made of its address where it is not said. */
  operationId?: string
  querystring?: object
  body?: object
  /** What `data` of the answer holds; null where it is empty. */
  answer: Shape | Download | null
  /** The answer is the body itself. */
  bare?: boolean
  /** It takes a form with files. */
  isForm?: boolean
}

/** Our words in a schema, as a description has them: other tools must not stumble over them. */
const ownWords: Readonly<Record<string, string>> = {
  kind: 'x-kind',
  dict: 'x-dictionary',
  ref: 'x-reference',
  within: 'x-within',
  help: 'description',
}

/** Words that matter to the server alone. */
const inner = new Set<string>(['optional', ...storageWords])

const byName = (schemas: object): object =>
  Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, plainSchema(one)]))

const parts: Readonly<Record<string, (part: never) => unknown>> = {
  properties: byName,
  items: plainSchema,
  additionalProperties: (part: object | boolean) => (typeof part === 'object' ? plainSchema(part) : part),
  not: plainSchema,
  if: plainSchema,
  then: plainSchema,
  anyOf: (list: object[]) => list.map(plainSchema),
  allOf: (list: object[]) => list.map(plainSchema),
}

/** A schema with our own words as `x-…`, at every depth. */
function plainSchema(schema: object): Schema {
  const entries = Object.entries(schema).flatMap(([word, value]) => {
    if (inner.has(word) || value === undefined) return []
    // A name that may be missing has no `required` at all.
    if (word === 'required' && Array.isArray(value) && value.length === 0) return []
    // What refers to itself stands once, among the components.
    if (word === '$ref') return [[word, String(value).replace('#/$defs/', '#/components/schemas/')]]
    const read = parts[word]
    return [[ownWords[word] ?? word, read ? read(value as never) : value]]
  })
  return Object.fromEntries(entries)
}

/** Each parameter with its label, which is all that many readers of a description show of it. */
function withLabels(schema: Schema): Schema {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, one]) => [
    name,
    { description: one.title, ...one },
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

const fixed = (code: Schema, msg: string, data: Schema): Schema => ({
  type: 'object',
  properties: { code, success: { type: 'boolean' }, data, msg: { type: 'string', examples: [msg] } },
  required: ['code', 'success', 'data', 'msg'],
})

const enveloped = (data: Schema): Schema => fixed({ type: 'integer', const: 200 }, '操作成功', data)

/** The body of every refusal: its code, and what is wrong with which field. */
const refusalSchema: Schema = {
  ...fixed({ type: 'integer', description: '错误码' }, '没有访问权限', {
    description: '出错的字段，或其他说明',
    anyOf: [
      {
        type: 'array',
        items: {
          type: 'object',
          properties: { field: { type: 'string' }, msg: { type: 'string' } },
          required: ['field', 'msg'],
        },
      },
      { title: '其他说明', type: ['object', 'array'] },
    ],
    examples: [[{ field: 'name', msg: '请输入名称' }]],
  }),
  title: '拒绝',
}

const binary: Schema = { type: 'string', format: 'binary' }
const nothing = { shape: 'group', of: {} } as const

function fileAnswer({ types, background }: Download): object {
  const files = Object.fromEntries(types.map(type => [type, { schema: binary }]))
  if (!background) return files
  const data: Schema = { type: 'object', properties: { taskId: { type: 'string' }, background: { const: 1 } } }
  const example = { code: 200, success: true, data: { taskId: '1894021178513715201', background: 1 }, msg: '操作成功' }
  return { ...files, 'application/json': { schema: enveloped(data), example } }
}

/** What a call answers: its content by media type, and the schemas that it refers to by name. */
export interface Answered {
  readonly content: object
  readonly components: Readonly<Record<string, Schema>>
}

const isFile = (answer: Described['answer']): answer is Download =>
  answer !== null && 'shape' in answer && answer.shape === 'download'

/** What the description says of the answer of a call. */
export function answered({ answer, bare }: Described): Answered {
  if (isFile(answer)) return { content: fileAnswer(answer), components: {} }
  const shape: Shape = answer ?? nothing
  const { $defs, ...schema } = answerSchema(shape)
  const [data, example] = [plainSchema(schema), exampleOf(shape)]
  const components = byName(($defs ?? {}) as object) as Answered['components']
  if (bare) return { content: { 'application/json': { schema: data, example } }, components }
  const whole = { code: 200, success: true, data: example, msg: '操作成功' }
  return { content: { 'application/json': { schema: enveloped(data), example: whole } }, components }
}

/** The loose values that do not stand in the address as a part `:name` of it, which is described from the address. */
const besideAddress = ({ path, values }: AnyEndpoint): Shapes =>
  Object.fromEntries(Object.entries(values as Shapes).filter(([name]) => !path.endsWith(`/:${name}`)))

/** What is said of the loose values of a call; nothing where all of them stand in its address. */
function looseSchema(one: AnyEndpoint): Schema | undefined {
  const values = one.values as Shapes | List
  if (isList(values)) return answerSchema(values)
  const beside = besideAddress(one)
  return Object.keys(beside).length > 0 ? requestSchema(beside, true) : undefined
}

/** What a contract says of its call, for the description. */
export function describeEndpoint(one: AnyEndpoint, method: string): Described {
  const { id, query, body, values, answer, bare, upload, openBody } = one
  // Twins of a call need names of their own.
  const operationId = method === one.method ? id : `${id}.${method.toLowerCase()}`
  const loose = values ? looseSchema(one) : undefined
  const inAddress = method === 'GET' ? loose : undefined
  const querystring = query ? requestSchema(query as Shapes) : inAddress
  const sent = body ? requestSchema(body as Shapes, openBody) : method === 'POST' ? loose : undefined
  return {
    operationId,
    answer: answer as Described['answer'],
    ...(querystring && { querystring }),
    ...(sent && { body: sent }),
    ...(bare && { bare }),
    ...(upload && { isForm: true }),
  }
}

const file: Schema = { type: 'array', items: binary, description: '文件' }

function formOf(body: Schema = { type: 'object' }): Schema {
  return { ...body, properties: { ...(body.properties as object | undefined), file } }
}

/** A described call as the maker of the document takes it, without what it answers: see {@link answered}. */
export function documented(described: Described): FastifySchema & { operationId?: string } {
  const { operationId, querystring, body, isForm } = described
  const sent = isForm || body ? plainSchema((isForm ? formOf(body as Schema) : body) as object) : undefined
  return {
    ...(operationId && { operationId }),
    ...(querystring && { querystring: withLabels(plainSchema(querystring)) }),
    ...(sent && { body: sent }),
    ...(isForm && { consumes: ['multipart/form-data'] }),
    response: {
      200: { description: '成功' },
      '4xx': { description: '拒绝', content: { 'application/json': { schema: refusalSchema } } },
    },
  }
}
