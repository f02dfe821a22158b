import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import openapiTS from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { count, type Endpoint, endpoint, group, type Shapes, text } from '#engine'
import { jsonText, type Serving, serve } from '../../src/platform/http/server/serve.ts'
import { inEnglish } from '../../src/platform/i18n/english.ts'
import { contractForPages } from '../../src/web/contracts.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { filesBelow } from '../helper/tree.ts'

const root = path.resolve(import.meta.dirname, '../..')
const files = filesBelow('src').filter(file => file.endsWith('/contract.ts'))
const modules = await Promise.all(files.map(file => import(path.join(root, file))))

const isEndpoint = (one: unknown): one is Endpoint =>
  typeof one === 'object' && one !== null && 'access' in one && 'answer' in one
const endpoints = modules.flatMap(module => Object.values(module).filter(isEndpoint))

interface Operation {
  operationId?: string
  responses: Record<string, { content?: Record<string, { schema?: unknown; example?: unknown }> }>
}

let t: TestApp
let document: string
beforeAll(async () => {
  t = await testApp()
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
  const answers: unknown[] = [{ seats: 3 }, { seats: '3' }, { seats: 3, rows: 1 }, {}]
  const texts = ['{"seats": 4}', '{"places":3}']
  const other = await testApp({
    prepare: app =>
      serve(app, seats, async () =>
        answers.length > 0 ? (answers.shift() as { seats: number }) : jsonText(texts.shift() ?? ''),
      ),
  })
  for (let i = 0; i < 4; i++) expect((await other.call('/api/test/seats')).code).toBe(200)
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

/** It is large: whoever reads it is given time, whatever else the machine does. */
const patience = 240_000

describe('the description', () => {
  test('changes together with the change log', () => {
    const { paths } = JSON.parse(document)
    const digest = createHash('sha256').update(JSON.stringify(paths)).digest('hex').slice(0, 16)
    const log = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
    const [, told] = /Digest of the description: `(\w+)`/.exec(log) ?? []
    expect(told, 'CHANGELOG.md, For clients: say what clients have to know, and give the new digest').toBe(digest)
  })

  test(
    'satisfies a linter',
    async () => {
      const config = await createConfig({
        extends: ['recommended'],
        // It does not look into `if` and `then`, which name fields that stand beside them.
        rules: { 'no-required-schema-properties-undefined': 'off' },
      })
      const problems = await lintFromString({ source: document, config })
      expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`)).toEqual(
        [],
      )
    },
    patience,
  )

  test('has a name, an answer and an example for every call', () => {
    const paths = JSON.parse(document).paths as Record<string, Record<string, Operation>>
    const wrong = Object.entries(paths).flatMap(([url, operations]) =>
      Object.entries(operations).flatMap(([method, { operationId, responses }]) => {
        const contents = Object.entries(responses[200]?.content ?? {})
        const isWhole = contents.some(([type, { schema, example }]) => schema && (example || !type.includes('json')))
        return operationId && isWhole && responses['4XX'] ? [] : [`${method} ${url}`]
      }),
    )
    expect(wrong).toEqual([])
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
