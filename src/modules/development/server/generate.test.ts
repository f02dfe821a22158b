import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { parseSync } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as engine from '#engine'
import { Code } from '#schemas/development/code'
import { Model } from '#schemas/development/model'
import { ModelPrototype } from '#schemas/development/model-prototype'
import * as dictionaries from '#schemas/dictionaries'
import { Dict } from '#schemas/system/dict'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { type Copy, copyProgram } from '../../../../tests/helper/copy.ts'
import { loginAs, type Session } from '../../../../tests/helper/login.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'

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
  const { id } = await insert(t.app, Code, { serviceName: 'blade-lamp', codeName: '灯', ...settings })
  const answer = await t.app.inject({
    method: 'POST',
    headers: admin.headers,
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
    .replace(/^declare module [\s\S]*$/m, '')
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
      name: 'lamp-1',
      title: "灯1'",
      required: ['lampName', 'sexReq', 'since'],
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
      path: '/blade-lamp/lamp-1',
      search: ['lampName'],
      columns: [{ field: 'lampName' }, { field: 'volts' }, { field: 'sexReq' }],
    })
  })
})

/** A model with everything one can say of a field. */
const whole: Partial<engine.Row<typeof ModelPrototype>>[] = [
  {
    propertyName: 'benchNo',
    jdbcName: 'bench_no',
    jdbcComment: '工位号',
    maxLength: 8,
    isUnique: 1,
    isQuery: 1,
    queryType: 'eq',
  },
  { propertyName: 'site', jdbcName: 'site', jdbcComment: '地点', uniqueGroup: 'a', isQuery: 1, queryType: 'like' },
  { propertyName: 'place', jdbcName: 'place', jdbcComment: '位置', uniqueGroup: 'a', propertyType: 'Integer' },
  {
    propertyName: 'volts',
    jdbcName: 'volts',
    jdbcComment: '电压',
    propertyType: 'Integer',
    isRequired: 0,
    isQuery: 1,
    queryType: 'between',
    defaultValue: '220',
  },
  {
    propertyName: 'weight',
    jdbcName: 'weight',
    jdbcComment: '重量',
    propertyType: 'BigDecimal',
    isRequired: 0,
    isQuery: 1,
    queryType: 'ge',
  },
  {
    propertyName: 'sex',
    jdbcName: 'sex',
    jdbcComment: '性别',
    dictCode: 'sex',
    componentType: 'select',
    defaultValue: '2',
  },
  {
    propertyName: 'wood',
    jdbcName: 'wood',
    jdbcComment: '木料',
    dictCode: 'bench_wood',
    componentType: 'select',
    isQuery: 1,
  },
  {
    propertyName: 'progress',
    jdbcName: 'progress',
    jdbcComment: '进度',
    dictCode: 'bench_progress',
    isState: 1,
    isForm: 0,
    isQuery: 1,
  },
  {
    propertyName: 'until',
    jdbcName: 'until',
    jdbcComment: '有效期',
    componentType: 'date',
    isRequired: 0,
    isQuery: 1,
    queryType: 'le',
  },
  {
    propertyName: 'note',
    jdbcName: 'note',
    jdbcComment: '说明',
    componentType: 'textarea',
    maxLength: 20,
    isRequired: 0,
    isList: 0,
  },
]

/** Words that stand in the database alone. */
async function makeWords(code: string, title: string, entries: Readonly<Record<string, string>>): Promise<void> {
  const head = await insert(t.app, Dict, { code, dictKey: '-1', dictValue: title, parentId: '0', sort: 1 } as never)
  for (const [key, word] of Object.entries(entries))
    await insert(t.app, Dict, { code, dictKey: key, dictValue: word, parentId: head.id, sort: 1 } as never)
}

describe('a definition that is generated from a model with all of it', () => {
  let copy: Copy
  let made: TestApp
  let who: Caller
  const at = '/api/blade-exam/bench-all'

  beforeAll(async () => {
    await makeWords('bench_wood', '木料', { oak: '橡木', ash: '白蜡木' })
    await makeWords('bench_progress', '工位进度', { 1: '筹备', 2: '开放', 3: '关闭' })
    const names = { modelCode: 'bench_all', modelClass: 'BenchAll', modelName: '工位', modelTable: 'bench_all' }
    const { id } = await insert(t.app, Model, { ...names, datasourceId: source })
    for (const field of whole)
      await insert(t.app, ModelPrototype, { modelId: id, isForm: 1, isList: 1, isRequired: 1, ...field })
    const files = await generated({ modelId: id, templateType: 'crud', serviceName: 'blade-exam' }, 'juxian')
    copy = await copyProgram(files, {
      'schemas/all.ts': `export * from './exams/bench-all.ts'`,
      'resources/exams/index.ts': `export * from './bench-all.ts'`,
    })
    const { buildApp } = await import(/* @vite-ignore */ path.join(copy.folder, 'src/server/app.ts'))
    made = await testApp({ build: buildApp })
    who = await signIn(made, { role: 'administrator' })
  })
  afterAll(async () => {
    await made?.close()
    await copy?.remove()
  })

  const call = <T = Record<string, unknown>>(url: string, payload?: object) =>
    made.call<T>({ url: at + url, headers: who.headers, ...(payload ? { method: 'POST', payload } : {}) })
  const row = { benchNo: 'A1', site: '一号楼东区', place: 1, sex: 1, wood: 'oak' }
  const found = async (query: string) => {
    const { code, data } = await call<{ records: { benchNo: string }[] }>(`/page?${query}`)
    return code === 200 ? data.records.map(one => one.benchNo).toSorted() : code
  }

  test('compiles', () => {
    const config = path.join(copy.folder, 'tsconfig.definitions.json')
    writeFileSync(
      config,
      JSON.stringify({
        extends: './tsconfig.json',
        include: ['schemas', 'resources', 'src/engine', 'src/**/refusals.ts'],
      }),
    )
    const tsc = path.resolve('node_modules/typescript/bin/tsc')
    expect(() => execFileSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8' })).not.toThrow()
  })

  test('takes a row that is right, with the defaults of the model', async () => {
    expect(await call('/submit', row)).toMatchObject({ code: 200 })
    const { data } = await call<{ records: object[] }>('/page?benchNo=A1')
    expect(data.records).toMatchObject([{ ...row, volts: 220, progress: 1 }])
  })

  test.each([
    ['what must be there', { benchNo: '' }, 'benchNo'],
    ['a line that is too long', { benchNo: 'A23456789' }, 'benchNo'],
    ['a text that is too long', { note: 'x'.repeat(21) }, 'note'],
    ['a key that is in no dictionary of the program', { sex: 9 }, 'sex'],
    ['a key that is in no dictionary of the console', { wood: 'plastic' }, 'wood'],
    ['a required key that is missing', { wood: '' }, 'wood'],
    ['a day that is none', { until: '2026-02-30' }, 'until'],
  ])('refuses %s', async (_, change, field) => {
    const answer = await call<{ field: string }[]>('/submit', { ...row, benchNo: 'B1', place: 2, ...change })
    expect([answer.code, answer.data.map(one => one.field)]).toEqual([29005, [field]])
  })

  test('keeps what is unique, alone and together', async () => {
    expect(await call('/submit', { ...row, place: 3 })).toMatchObject({ code: 29004 })
    expect(await call('/submit', { ...row, benchNo: 'A2' })).toMatchObject({ code: 29004 })
    expect(await call('/submit', { ...row, benchNo: 'A2', place: 3, volts: 110, weight: '2.5' })).toMatchObject({
      code: 200,
    })
  })

  test('moves its state by actions alone', async () => {
    const { data } = await call<{ records: { id: string }[] }>('/page?benchNo=A1')
    const id = data.records[0]?.id ?? ''
    await call('/submit', { ...row, id, progress: 3 })
    expect(await found('progress=3')).toEqual([])
    expect(await call(`/progressTo2?ids=${id}`, {})).toMatchObject({ data: { changed: 1 } })
    expect(await found('progress=2')).toEqual(['A1'])
  })

  test.each([
    ['benchNo=A', []],
    ['benchNo=A1', ['A1']],
    ['site=东', ['A1', 'A2']],
    ['volts_ge=200&volts_le=300', ['A1']],
    ['weight=2', ['A2']],
    ['weight=3', []],
    ['wood=oak', ['A1', 'A2']],
    ['until=2026-01-01', []],
    ['place=1', 29005],
    ['note=x', 29005],
    ['sex=1', 29005],
  ])('is searched as the model says: %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test('offers those searches, and its dictionaries as choices', async () => {
    const all = (await import(/* @vite-ignore */ path.join(copy.folder, 'resources/index.ts')))
      .resources as engine.Resource[]
    const bench = all.find(one => one.name === 'bench-all')
    expect(engine.check(all)).toEqual([])
    expect(bench).toMatchObject({
      search: ['benchNo', 'site', 'volts', 'weight', 'wood', 'progress', 'until'],
      searchBy: { benchNo: 'whole', volts: 'between', weight: 'from', until: 'to' },
    })
    expect(bench?.form[0]?.inputs.map(one => one.field)).not.toContain('progress')
    const words = await made.call<{ dictValue: string }[]>({
      url: '/api/blade-system/dict/dictionary?code=bench_wood',
      headers: who.headers,
    })
    expect(words.data.map(one => one.dictValue).toSorted()).toEqual(['橡木', '白蜡木'])
  })
})

test.each([
  ['a dictionary that is not there', { dictCode: 'nowhere' }, '字典nowhere不存在'],
  ['a state without words', { isState: 1 }, '状态须有系统字典'],
  ['a length of a number', { propertyType: 'Integer', maxLength: 3 }, '只有文本有最大长度'],
  ['one alone that is unique together', { uniqueGroup: 'a' }, '组合唯一至少要有两个字段'],
  ['what must be there and can be entered nowhere', { isForm: 0 }, '必填字段须在表单中，或有默认值'],
  ['part of a number', { propertyType: 'Integer', isQuery: 1, queryType: 'like' }, '该类型的字段不能这样查询'],
  ['a default that is no number', { propertyType: 'Integer', defaultValue: 'x' }, '默认值应为整数'],
  ['a default that is no key', { dictCode: 'sex', defaultValue: '9' }, '默认值不在字典中'],
] as const)('%s is refused when the fields are saved, and when code is generated', async (_, change, msg) => {
  const field = { jdbcName: 'one', jdbcType: 'varchar', propertyName: 'one', propertyType: 'String', ...change }
  const modelId = await makeModel([field as never])
  const flags = { isList: 1, isForm: 1, isRow: 0, isRequired: 1, isQuery: 0 }
  const saved = await t.call<{ field: string; msg: string }[]>({
    method: 'POST',
    url: '/api/blade-develop/model-prototype/submit-list',
    headers: admin.headers,
    payload: [{ modelId, ...flags, ...field }],
  })
  expect(saved).toMatchObject({ code: 29005, data: [{ field: 'one', msg: `one：${msg}` }] })
  const { id } = await insert(t.app, Code, { serviceName: 'blade-lamp', codeName: '灯', modelId, templateType: 'crud' })
  const url = `/api/blade-develop/code/gen-code?ids=${id}&system=juxian`
  const answer = await t.call({ method: 'POST', url, headers: admin.headers })
  expect(answer).toMatchObject({ code: 29005, msg: expect.stringContaining(msg) })
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
  const children = new RegExp(`children: \\{ 'lamp-${counter}': \\{ label: '.+', by: 'volts' \\} \\}`)
  expect(parent[`resources/lamp/lamp-${counter - 1}.ts`]).toMatch(children)
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
