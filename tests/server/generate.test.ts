import { inflateRawSync } from 'node:zlib'
import { parseSync } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as engine from '#engine'
import { Code } from '#schemas/develop/code'
import { Model } from '#schemas/develop/model'
import { ModelPrototype } from '#schemas/develop/model-prototype'
import * as dictionaries from '#schemas/dictionaries'
import { type TestApp, testApp } from '../helper/app.ts'
import { loginAs, type Session } from '../helper/login.ts'
import { insert } from '../helper/sample.ts'

let t: TestApp
let admin: Session
let source: string

beforeAll(async () => {
  t = await testApp()
  admin = await loginAs(t, 'administrator')
  source = (await t.db.selectFrom('datasource').select('id').executeTakeFirstOrThrow()).id
})
afterAll(() => t?.close())

/** The files of an archive by their paths. */
function unzip(zip: Buffer): Record<string, string> {
  const files: Record<string, string> = {}
  let at = zip.readUInt32LE(zip.length - 6)
  for (let left = zip.readUInt16LE(zip.length - 12); left > 0; left--) {
    const [packed, name, extra, note] = [
      zip.readUInt32LE(at + 20),
      ...[28, 30, 32].map(by => zip.readUInt16LE(at + by)),
    ]
    const start = zip.readUInt32LE(at + 42)
    const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
    const bytes = zip.subarray(from, from + (packed ?? 0))
    const text = zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(bytes) : bytes
    files[zip.subarray(at + 46, at + 46 + (name ?? 0)).toString()] = text.toString()
    at += 46 + (name ?? 0) + (extra ?? 0) + (note ?? 0)
  }
  return files
}

/** What a comment would be if it could end the literal it stands in. */
const evil = `a', x: process.exit(1) //\n\\'\u2028<script>`

let counter = 0
async function makeModel(fields: Partial<engine.Row<typeof ModelPrototype>>[]): Promise<string> {
  const n = ++counter
  const names = { modelCode: `lamp_${n}`, modelClass: `Lamp${n}`, modelName: `灯${n}'`, modelTable: 'lamp' }
  const { id } = await insert(t.app, Model, { ...names, datasourceId: source })
  for (const field of fields)
    await insert(t.app, ModelPrototype, { modelId: id, isForm: 1, isList: 1, isRequired: 1, ...field })
  return id
}

const fields = [
  { propertyName: 'id', jdbcName: 'id', propertyType: 'Long', componentType: 'number' as const },
  {
    propertyName: 'lampName',
    jdbcName: 'lamp_name',
    jdbcComment: evil,
    componentType: 'input' as const,
    isQuery: 1 as const,
  },
  {
    propertyName: 'volts',
    jdbcName: 'volts',
    propertyType: 'Integer',
    componentType: 'number' as const,
    isRequired: 0 as const,
  },
  { propertyName: 'sexReq', jdbcName: 'sex', dictCode: 'sex', componentType: 'select' as const, jdbcComment: '性别' },
  {
    propertyName: 'since',
    jdbcName: 'since',
    componentType: 'datetime' as const,
    isRow: 1 as const,
    isList: 0 as const,
  },
]

async function generated(settings: object, system: string): Promise<Record<string, string>> {
  const { id } = await insert(t.app, Code, { ...{ serviceName: 'blade-lamp', codeName: '灯' }, ...settings })
  const answer = await t.app.inject({
    ...{ method: 'POST', headers: admin.headers },
    url: `/api/blade-develop/code/gen-code?ids=${id}&system=${system}`,
  })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip'])
  return unzip(answer.rawPayload)
}

/** Runs a generated module without its imports and answers what it exports. */
function run(text: string, words: object): unknown {
  const body = text
    .replace(/^import .*$/gm, '')
    .replace(/^export type .*$/gm, '')
    .replace(/export (const \w+ =|default)/, 'return')
  return new Function(...Object.keys(words), body)(...Object.values(words))
}

describe('code for this product', () => {
  test('is a schema and a resource that are right', async () => {
    const modelId = await makeModel(fields)
    const files = await generated({ modelId, templateType: 'crud' }, 'juxian')
    const [schema, definition] = ['schemas/lamp/lamp-1.ts', 'resources/lamp/lamp-1.ts'].map(path => files[path] ?? '')
    expect(Object.keys(files)).toHaveLength(2)
    for (const [path, text] of Object.entries(files)) expect(parseSync(path, text).errors).toEqual([])
    const Lamp1 = run(schema ?? '', { ...engine, ...dictionaries }) as engine.Entity
    expect(Lamp1).toMatchObject({
      ...{ name: 'lamp-1', title: "灯1'", required: ['lampName', 'sexReq', 'since'] },
      properties: {
        volts: { kind: 'integer', optional: true },
        sexReq: { kind: 'dict', dict: 'sex' },
        since: { kind: 'dateTime' },
      },
    })
    expect(Lamp1.properties.lampName?.title).toContain("a', x: process.exit(1)")
    const made = run(definition ?? '', { ...engine, Lamp1 }) as engine.Resource
    expect(engine.check([made])).toEqual([])
    expect(made).toMatchObject({
      ...{ path: '/blade-lamp/lamp-1', search: ['lampName', 'createTime'] },
      columns: [{ field: 'lampName' }, { field: 'volts' }, { field: 'sexReq' }],
    })
  })
})

describe('code for Saber', () => {
  test('calls the addresses of this wire and has every field', async () => {
    const files = await generated({ modelId: await makeModel(fields), templateType: 'crud' }, '')
    const slug = `lamp-${counter}`
    expect(Object.keys(files)).toEqual(
      ['api/lamp', 'option/lamp', 'views/lamp'].map(one => expect.stringContaining(one)),
    )
    const [api = '', options = '', view = ''] = Object.values(files)
    for (const text of [api, options, /<script>([\s\S]*)<\/script>/.exec(view)?.[1] ?? ''])
      expect(parseSync('a.js', text).errors).toEqual([])
    expect(api).toContain(`'/api/blade-lamp/${slug}/page'`)
    const { column } = run(options, {}) as { column: Record<string, unknown>[] }
    expect(column.map(one => one.prop)).toEqual(['id', 'lampName', 'volts', 'sexReq', 'since'])
    expect(column[1]).toMatchObject({ search: true, rules: [{ required: true }] })
    expect(column[4]).toMatchObject({ hide: true, span: 24, valueFormat: 'YYYY-MM-DD HH:mm:ss' })
  })
})

test('a parent brings its children, a tree its parent field', async () => {
  const [modelId, subModelId] = [await makeModel(fields), await makeModel(fields)]
  const parent = await generated({ modelId, templateType: 'sub', subModelId, subFkId: 'volts' }, 'juxian')
  expect(Object.keys(parent)).toHaveLength(4)
  expect(parent[`resources/lamp/lamp-${counter - 1}.ts`]).toContain(`resource: 'lamp-${counter}', by: 'volts'`)
  const tree = { modelId, templateType: 'tree', treeId: 'id', treePid: 'volts', treeName: 'lampName' }
  expect(Object.values(await generated(tree, 'juxian')).join()).toContain("tree: { parent: 'volts' }")
})

test('18 · what is generated goes into an archive, and no path leads out of it', async () => {
  const modelId = await makeModel(fields)
  const files = await generated({ modelId, templateType: 'crud', webPath: '/../../etc/..\\x' }, 'saber')
  for (const path of Object.keys(files)) expect(path).not.toMatch(/(^|\/)\.\.(\/|$)|^\/|\\/)
})

test('nothing is generated without fields, for strangers or for unknown targets', async () => {
  const { id } = await insert(t.app, Code, { modelId: await makeModel([]), codeName: '空' })
  const ask = (query: string, who = admin) =>
    t.call({ method: 'POST', url: `/api/blade-develop/code/gen-code?${query}`, headers: who.headers })
  expect((await ask(`ids=${id}`)).msg).toContain('请先配置模型字段')
  expect((await ask('ids=1')).code).toBe(29001)
  expect((await ask(`ids=${id}&system=../x`)).code).toBe(29005)
  expect((await ask(`ids=${id}`, await loginAs(t, 'admin'))).code).toBe(403)
})
