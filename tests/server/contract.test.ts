import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import openapiTS from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { count, type Endpoint, endpoint, group, list, type Shapes, text, tree } from '#engine'
import { jsonText, type Serving, serve } from '../../src/platform/http/server/serve.ts'
import { validatorCompiler } from '../../src/platform/http/server/validation.ts'
import { inEnglish } from '../../src/platform/i18n/english.ts'
import { contractForPages } from '../../src/web/contracts.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { watchSchemas } from '../helper/route-cases.ts'
import { filesBelow } from '../helper/tree.ts'

const root = path.resolve(import.meta.dirname, '../..')
const files = filesBelow('src').filter(file => file.endsWith('/contract.ts'))
const modules = await Promise.all(files.map(file => import(path.join(root, file))))

const isEndpoint = (one: unknown): one is Endpoint =>
  typeof one === 'object' && one !== null && 'access' in one && 'answer' in one
const endpoints = modules.flatMap(module => Object.values(module).filter(isEndpoint))

interface Schema {
  title?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
}

type Content = Record<string, { schema: Schema; example?: unknown }>

interface Operation {
  operationId?: string
  parameters?: { name: string; schema: Schema }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const saying = ['type', '$ref', 'enum', 'const', 'anyOf', 'required']

/** The places of a schema that let any value pass, or an object with any names. */
function looseIn(schema: Schema, at: string): string[] {
  const { title, type, properties = {}, additionalProperties, items, anyOf = [] } = schema
  const isAny = (Array.isArray(type) && type.length > 5) || !saying.some(word => word in schema)
  const isOpen = type === 'object' && additionalProperties !== false && typeof additionalProperties !== 'object'
  const own = isAny || (isOpen && Object.keys(properties).length === 0) ? [title ?? at] : []
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, one]) => looseIn(one, `${at}.${name}`)),
    ...(typeof additionalProperties === 'object' ? looseIn(additionalProperties, `${at}.*`) : []),
    ...(items ? looseIn(items, `${at}[]`) : []),
    ...anyOf.flatMap(one => looseIn(one, at)),
  ]
}

let t: TestApp
let document: string
const watched = watchSchemas()

beforeAll(async () => {
  t = await testApp()
  watched.stop()
  document = (await t.app.inject('/api/docs/json')).payload
})
afterAll(() => t.close())

/** Routes below `/api` that are neither generated nor the page that describes them, and what is known of each. */
const routes = () =>
  t.app.routeTable.filter(
    ({ method, url, config }) =>
      method !== 'HEAD' && url.startsWith('/api/') && !url.startsWith('/api/docs') && !config.describes,
  )

describe('contracts', () => {
  test('are plain JSON, and no two have one name', () => {
    for (const one of endpoints) expect(JSON.parse(JSON.stringify(one))).toEqual(one)
    const ids = endpoints.map(({ id }) => id)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  })

  test('are served, each of them', () => {
    const served = new Set(t.app.routeTable.flatMap(({ config }) => config.endpoint?.id ?? []))
    expect(endpoints.map(({ id }) => id).filter(id => !served.has(id))).toEqual([])
  })

  test('stand for every call written by hand', () => {
    const outside = routes().filter(({ config }) => !config.endpoint)
    expect(outside.map(({ method, url }) => `${method} ${url}`)).toEqual([])
  })

  test('name what they take in both languages, because refusals name it', () => {
    const labels = (shape: unknown): string[] => {
      if (typeof shape !== 'object' || shape === null) return []
      const { title, shape: kind, of } = shape as { title?: string; shape?: string; of?: unknown }
      const parts = kind === 'group' ? Object.values(of as Shapes) : [of].flat()
      return [...(title ? [title] : []), ...parts.flatMap(labels)]
    }
    const taken = endpoints.flatMap(({ query, body }) => [query, body].flatMap(one => Object.values(one ?? {})))
    const missing = taken.flatMap(labels).filter(label => /\p{Script=Han}/u.test(inEnglish(label)))
    expect([...new Set(missing)]).toEqual([])
  })

  test('of every route compile: a schema is compiled when its route is first asked', () => {
    expect([...watched.schemas.keys()].filter(one => one.includes('/api/')).length).toBeGreaterThan(900)
    const wrong = [...watched.schemas].flatMap(([url, { querystring, body }]) =>
      Object.entries({ querystring, body }).flatMap(([httpPart, schema]) => {
        if (!schema) return []
        try {
          validatorCompiler({ schema, method: '', url, httpPart })({})
          return []
        } catch (error) {
          return [`${url} ${httpPart}: ${(error as Error).message}`]
        }
      }),
    )
    expect(wrong).toEqual([])
  })

  test('are names and addresses alone in the pages', () => {
    const code = `import { x } from '#schemas'
export const shape = group({ a: text('名称') })
export const some = endpoint('lamp.some', 'POST /lamp/some', { title: '灯', query: { id: id('灯') }, body: shape.of })
export const all = endpoint('lamp.all', 'GET /lamp/all', { title: '灯', query: { ...paging } })`
    expect(contractForPages(code, 'contract.ts')).toBe(
      `export const some = {"method":"POST","path":"/lamp/some","query":{"id":true}}
export const all = {"method":"GET","path":"/lamp/all"}\n`,
    )
    expect(() =>
      contractForPages(code.replace("'POST /lamp", '`POST /lamp').replace("some',", 'some`,'), 'c.ts'),
    ).toThrow()
    expect(() => contractForPages(code.replace("query: { id: id('灯') }", 'query: { ...paging }'), 'c.ts')).toThrow()
  })
})

test('an answer that is not as its contract says is found', async () => {
  const seats = endpoint('test.seats', 'GET /test/seats', {
    title: '座位',
    access: 'public',
    query: {},
    answer: group({ seats: count('座位数') }),
  })
  const rooms = endpoint('test.rooms', 'GET /test/rooms', {
    title: '房间',
    access: 'public',
    answer: list(tree('TestRoom', { floor: count('楼层') })),
  })
  const answers: unknown[] = [{ seats: 3 }, { seats: '3' }, { seats: 3, rows: 1 }, {}]
  const texts = ['{"seats": 4}', '{"places":3}']
  const deep = [{ floor: 1, children: [{ floor: 2 }, { floor: 3, children: [{ floor: 'roof' }] }] }]
  const other = await testApp({
    prepare: app => {
      serve(app, seats, async () =>
        answers.length > 0 ? (answers.shift() as { seats: number }) : jsonText(texts.shift() ?? ''),
      )
      serve(app, rooms, async () => deep as never)
    },
  })
  for (let i = 0; i < 4; i++) expect((await other.call('/api/test/seats')).code).toBe(200)
  expect((await other.call('/api/test/rooms')).code).toBe(200)
  // What is JSON text already is sent unread, in the same envelope.
  const headers = { 'accept-language': 'en' }
  const { payload } = await other.app.inject({ url: '/api/test/seats', headers })
  expect(payload).toBe('{"code":200,"success":true,"data":{"seats": 4},"msg":"Done"}')
  expect((await other.call('/api/test/seats')).msg).toBe('操作成功')
  const unknown = await other.call('/api/test/seats?row=1')
  expect(unknown).toMatchObject({ code: 29005, msg: '参数不正确：不支持的参数：row' })
  const found = await other.close().catch(error => String(error.message))
  for (const fault of [
    '/seats must be integer',
    '{"additionalProperty":"rows"}',
    '{"additionalProperty":"places"}',
    "must have required property 'seats'",
    '/0/children/1/children/0/floor must be integer',
  ])
    expect(found).toContain(fault)
})

test('a call takes a value from its address, further names of a body that is open, and no more than it says', async () => {
  const paint = endpoint('test.paint', 'POST /test/paint/:colour', {
    title: '上色',
    access: 'public',
    openBody: true,
    bodyKB: 1,
    body: { times: count('次数') },
    values: { colour: text('颜色') },
    answer: group({ colour: text('颜色'), times: count('次数') }),
  })
  const handler: Serving<typeof paint> = ({ values, body }) => ({ colour: String(values.colour), times: body.times })
  const other = await testApp({ prepare: app => serve(app, paint, handler) })
  const url = '/api/test/paint/red%2F1?colour=blue'
  const send = async (payload: object) => (await other.app.inject({ method: 'POST', url, payload })).json()
  expect((await send({ times: 2, colour: 'green', shade: 1 })).data).toEqual({ colour: 'red/1', times: 2 })
  expect((await send({ times: '2' })).code).toBe(29005)
  expect((await send({ times: 2, shade: 'x'.repeat(1100) })).code).toBe(28002)
  await other.close()
})

/** Values of which no more can be said beforehand, by what they are called, and why. */
const [form, staff] = ['answers and items of a form that staff put together', 'as staff write it']
const free: Readonly<Record<string, string>> = {
  报名表内容: form,
  值: form,
  原来的值: form,
  现在的值: form,
  学历: form,
  专业: form,
  信息项: form,
  附件项: form,
  限制: form,
  校验规则: form,
  显示条件: form,
  必传条件: form,
  子表列: form,
  表格列: form,
  材料名称: form,
  填写内容: 'what a form holds, by the names of its inputs',
  原内容: 'what a form held, by the names of its inputs',
  硬性条件: staff,
  附加说明: staff,
  规则值: staff,
  元信息: staff,
  生命周期: staff,
  模板参数: 'as the template asks for them',
  明细: 'outlays, which their claim looks at when it is entered',
  平台拓展信息: 'kept for other programs',
  考试内容: 'as a submit of the exam has it',
  设置内容: 'as the screen that keeps it has it',
  视图内容: 'as the list that keeps it has it',
  'accounts.changePlatform.userExt': 'kept for other programs',
  'accounts.platform.data.userExt': 'kept for other programs',
  'workflow.complete.variables': 'as the model of the process asks for them',
  'workflow.addSign.variables': 'as the model of the process asks for them',
  'workflow.start.chosen': 'as the model of the process asks for them',
  'workflow.start.form': 'as the model of the process asks for them',
  'workflow.startForm.data.form.values': 'as the model of the process asks for them',
  'workflow.detail.data.form.values': 'as the model of the process asks for them',
  'workflow.detail.data.tasks[].form.values': 'as the model of the process asks for them',
  条件: 'what a list was filtered by',
  审核时报名快照: 'a copy of the row as it was stored, with null where it had nothing',
  变更前: 'the value of a field of any kind',
  变更后: 'the value of a field of any kind',
  详情: 'as each kind of entry needs it',
}

/** It is large: whoever reads it is given time, whatever else the machine does. */
const patience = 240_000

describe('the description', () => {
  test('changes together with the change log', () => {
    const { paths, components } = JSON.parse(document) as Document
    const told = JSON.stringify([paths, components.schemas])
    const digest = createHash('sha256').update(told).digest('hex').slice(0, 16)
    const log = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
    const [, written] = /Digest of the description: `(\w+)`/.exec(log) ?? []
    expect(written, 'CHANGELOG.md, For clients: say what clients have to know, and give the new digest').toBe(digest)
  })

  test(
    'satisfies a linter',
    async () => {
      // From a file: the type of its settings alone costs the compiler as much as a module of ours.
      const config = await loadConfig({ configPath: path.join(import.meta.dirname, 'redocly.yaml') })
      const problems = await lintFromString({ source: document, config })
      expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`)).toEqual(
        [],
      )
    },
    patience,
  )

  test('has a name, an answer and an example for every call', () => {
    const { paths } = JSON.parse(document) as Document
    const wrong = Object.entries(paths).flatMap(([url, operations]) =>
      Object.entries(operations).flatMap(([method, { operationId, responses }]) => {
        const contents = Object.entries(responses[200]?.content ?? {})
        const isWhole = contents.every(([type, { schema, example }]) => schema && (example || !type.includes('json')))
        return operationId && contents.length > 0 && isWhole && responses['4XX'] ? [] : [`${method} ${url}`]
      }),
    )
    expect(wrong).toEqual([])
  })

  test('says of every value what it is, but for what truly is free', () => {
    const { paths, components } = JSON.parse(document) as Document
    const operations = Object.values(paths).flatMap(one => Object.values(one))
    const found = operations.flatMap(({ operationId = '', parameters = [], requestBody, responses }) => [
      ...parameters.flatMap(({ name, schema }) => looseIn(schema, `${operationId}?${name}`)),
      ...[requestBody?.content, ...Object.values(responses).map(({ content }) => content)].flatMap((content = {}) =>
        Object.values(content).flatMap(({ schema }) => looseIn(schema, operationId)),
      ),
    ])
    const below = Object.entries(components.schemas).flatMap(([name, schema]) => looseIn(schema, name))
    expect([...new Set([...found, ...below])].toSorted()).toEqual(Object.keys(free).toSorted())
  })

  test(
    'makes a typed client that compiles and knows its answers',
    async () => {
      const folder = mkdtempSync(path.join(root, 'node_modules/.client-'))
      try {
        writeFileSync(path.join(folder, 'client.ts'), await openapiTS(JSON.parse(document)))
        writeFileSync(
          path.join(folder, 'use.ts'),
          `import type { operations } from './client.ts'
type Answer<N extends keyof operations> = operations[N] extends {
  responses: { 200: { content: { 'application/json': { data: infer D } } } }
} ? D : never
export const computed: Answer<'reduction.plan'>['computed'] = true
export const total: Answer<'postreductionname.page'>['total'] = 3
export const query: operations['reduction.plan']['parameters']['query'] = { examId: '1' }
// @ts-expect-error the exam is a text
export const wrong: operations['reduction.plan']['parameters']['query'] = { examId: 1 }
// @ts-expect-error it is true or false
export const alsoWrong: Answer<'reduction.plan'>['computed'] = 'yes'
`,
        )
        const tsc = path.join(root, 'node_modules/.bin/tsc')
        const options = ['--strict', '--noEmit', '--module', 'esnext', '--allowImportingTsExtensions', '--ignoreConfig']
        const run = () => execFileSync(tsc, [...options, 'use.ts'], { cwd: folder, encoding: 'utf8' })
        expect(run()).toBe('')
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
    patience,
  )
})
