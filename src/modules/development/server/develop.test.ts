import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { loginAs, type Session } from '../../../../tests/helper/login.ts'

let t: TestApp
let admin: Session
let own: string

beforeAll(async () => {
  t = await testApp()
  admin = await loginAs(t, 'administrator')
  own = (await t.db.selectFrom('datasource').select('id').where('url', '=', 'local').executeTakeFirstOrThrow()).id
})
afterAll(() => t?.close())

const at = (path: string) => `/api/blade-develop/${path}`
const get = <T = unknown>(path: string) => t.call<T>({ url: at(path), headers: admin.headers })
const post = <T = unknown>(path: string, payload?: unknown) =>
  t.call<T>({ method: 'POST', url: at(path), headers: admin.headers, payload: (payload ?? {}) as object })

interface Prototype {
  id: string
  jdbcName: string
  propertyName: string
  [name: string]: unknown
}

const model = (more: object = {}) => ({
  modelName: '考场',
  modelCode: `room${Math.random().toString(36).slice(2)}`,
  datasourceId: own,
  modelTable: 'examroom',
  modelClass: 'Examroom',
  ...more,
})

async function addModel(more: object = {}): Promise<string> {
  const row = model(more)
  expect((await post('model/submit', row)).msg).toBe('操作成功')
  const found = await t.db.selectFrom('model').select('id').where('modelCode', '=', row.modelCode).executeTakeFirst()
  return found?.id ?? ''
}

describe('the catalogue of the own database', () => {
  test('lists its tables with the words of their definitions', async () => {
    const { data } = await get<{ name: string; comment: string }[]>(`model/table-list?datasourceId=${own}`)
    expect(data).toContainEqual({ name: 'examroom', comment: '考场', entityName: 'Examroom' })
  })

  test('shows one table, and nothing for a name that is none', async () => {
    const info = (name: string) => get<{ fields: object[] }>(`model/table-info?datasourceId=${own}&tableName=${name}`)
    const { data } = await info('examroom')
    expect(data.fields).toContainEqual(
      expect.objectContaining({
        name: 'roomNo',
        type: 'varchar',
        comment: expect.stringMatching(/考场/),
        isKey: false,
      }),
    )
    expect(data.fields).toContainEqual(expect.objectContaining({ name: 'id', isKey: true }))
    expect((await info('no_such_table')).code).toBe(29001)
    expect((await info(encodeURIComponent('x"; DROP TABLE model; --'))).code).toBe(29005)
  })

  test('is built in', async () => {
    expect((await post('datasource/submit', { id: own, name: 'x' })).code).toBe(29008)
    expect((await post(`datasource/remove?ids=${own}`)).code).toBe(29008)
    expect((await post<{ count: number }>(`datasource/test?id=${own}`)).data.count).toBeGreaterThan(50)
  })
})

describe('18 · another database', () => {
  const source = { name: 'other', url: 'jdbc:postgresql://127.0.0.1:5999/x', username: 'u', password: 'Geheim-1' }
  let id = ''

  test('keeps its password unreadable, and never tells it', async () => {
    expect((await post('datasource/submit', source)).code).toBe(200)
    const row = await t.db.selectFrom('datasource').selectAll().where('name', '=', 'other').executeTakeFirstOrThrow()
    id = row.id
    expect(row.password).not.toContain(source.password)
    expect(t.app.vault.open(row.password)).toBe(source.password)
    expect((await get<object>(`datasource/detail?id=${id}`)).data).not.toHaveProperty('password')
    expect((await post('datasource/submit', { id, remark: 'changed' })).code).toBe(200)
    const after = await t.db.selectFrom('datasource').select('password').where('id', '=', id).executeTakeFirstOrThrow()
    expect(after.password).toBe(row.password)
  })

  test('is not connected to unless its host is allowed', async () => {
    expect((await get(`model/table-list?datasourceId=${id}`)).msg).toContain('develop.hosts')
    const allow = (paramValue: string) =>
      t.db.updateTable('param').set({ paramValue }).where('paramKey', '=', 'develop.hosts').execute()
    await allow('127.0.0.1:6000')
    expect((await get(`model/table-list?datasourceId=${id}`)).msg).toContain('develop.hosts')
    await allow('db.example.org, 127.0.0.1:5999')
    const tried = await get(`model/table-list?datasourceId=${id}`)
    expect([tried.code, tried.msg]).toEqual([29005, expect.stringContaining('连接失败')])
  })

  test.each(['local', 'http://127.0.0.1/', 'jdbc:postgresql://h/x?options=-c', 'jdbc:mysql://h/x'])(
    'has no address like %s',
    async url => expect((await post('datasource/submit', { ...source, name: url, url })).code).toBe(29005),
  )
})

describe('the fields of a model', () => {
  test('come from the table first, and from what was saved afterwards', async () => {
    const id = await addModel()
    const read = async () => (await get<Prototype[]>(`model/model-prototype?modelId=${id}`)).data
    const fresh = await read()
    expect(fresh.map(one => one.jdbcName)).toContain('roomNo')
    expect(fresh.find(one => one.jdbcName === 'tenantId')).toMatchObject({ isList: 0, isForm: 0 })
    const [first, second] = fresh
    const changed = [{ ...second, jdbcComment: '改过' }, first]
    expect((await post('model-prototype/submit-list', changed)).msg).toBe('操作成功')
    const saved = await read()
    expect(saved.length).toBe(fresh.length)
    expect(saved.slice(0, 2)).toMatchObject([
      { jdbcName: second?.jdbcName, jdbcComment: '改过' },
      { jdbcName: first?.jdbcName },
    ])
    // Names may change places: the rows are saved as a whole.
    const [a, b] = saved as [Prototype, Prototype]
    const swapped = [
      { ...a, propertyName: b.propertyName },
      { ...b, propertyName: a.propertyName },
    ]
    expect((await post('model-prototype/submit-list', swapped)).code).toBe(200)
    const rows = await t.db.selectFrom('model_prototype').selectAll().where('modelId', '=', id).execute()
    expect(rows.map(row => [row.id, row.isDeleted])).toHaveLength(2)
    const choices = await get<object[]>(`model-prototype/select?modelId=${id}`)
    expect(choices.data).toHaveLength(2)
  })

  test('come with what the table says: lengths, what is unique, dictionaries, states and defaults', async () => {
    const modelId = await addModel({ modelTable: 'examitems', modelClass: 'Position' })
    const fresh = (await get<Prototype[]>(`model/model-prototype?modelId=${modelId}`)).data
    const field = (name: string) => fresh.find(one => one.propertyName === name)
    expect(field('code')).toMatchObject({ maxLength: 30, isUnique: 0, uniqueGroup: expect.stringMatching(/^U\d+$/) })
    expect(field('examId')?.uniqueGroup).toBe(field('code')?.uniqueGroup)
    expect(field('postStatus')).toMatchObject({ dictCode: 'post_status', isState: 1, defaultValue: '1' })
    const saved = await post(
      'model-prototype/submit-list',
      fresh.filter(one => !/^\w*(Id|Ids)$/.test(one.propertyName)),
    )
    expect(saved.data ?? saved.msg).toMatchObject([{ msg: expect.stringContaining('组合唯一至少要有两个字段') }])
    expect((await post('model-prototype/submit-list', fresh)).msg).toBe('操作成功')
    expect((await get<Prototype[]>(`model/model-prototype?modelId=${modelId}`)).data).toMatchObject(
      fresh.map(({ propertyName, maxLength, uniqueGroup }) => ({ propertyName, maxLength, uniqueGroup })),
    )
  })

  test('are saved all or not at all', async () => {
    const id = await addModel()
    const one = { modelId: id, jdbcName: 'a', jdbcType: 'int4', propertyName: 'a', propertyType: 'Integer' }
    const twice = await post('model-prototype/submit-list', [one, { ...one, jdbcName: 'b' }])
    expect([twice.code, twice.msg]).toEqual([29005, expect.stringContaining('属性名重复')])
    const wrong = await post('model-prototype/submit-list', [one, { ...one, jdbcName: 'b; DROP', propertyName: 'b' }])
    expect([wrong.code, wrong.msg]).toEqual([29005, expect.stringContaining('第2行')])
    const foreign = await post('model-prototype/submit-list', [
      one,
      { ...one, id: '1', jdbcName: 'c', propertyName: 'c' },
    ])
    expect(foreign.code).toBe(29001)
    expect((await post('model-prototype/submit-list', {})).code).toBe(29005)
    expect(await t.db.selectFrom('model_prototype').select('id').where('modelId', '=', id).execute()).toEqual([])
  })

  test('go with their model', async () => {
    const id = await addModel()
    const one = { modelId: id, jdbcName: 'a', jdbcType: 'int4', propertyName: 'a', propertyType: 'Integer' }
    await post('model-prototype/submit-list', [one])
    expect((await post(`model/remove?ids=${id}`)).code).toBe(200)
    const left = t.db.selectFrom('model_prototype').select('id').where('modelId', '=', id).where('isDeleted', '=', 0)
    expect(await left.execute()).toEqual([])
  })
})

describe('code settings', () => {
  const settings = { serviceName: 'blade-exam', codeName: '考场', packageName: 'org.example', templateType: 'crud' }

  test('are copied', async () => {
    const modelId = await addModel()
    expect((await post('code/submit', { ...settings, modelId })).code).toBe(200)
    const { id } = await t.db.selectFrom('code').select('id').where('modelId', '=', modelId).executeTakeFirstOrThrow()
    const copy = await post<{ id: string }>(`code/copy?id=${id}`)
    expect((await get(`code/detail?id=${copy.data.id}`)).data).toMatchObject({ codeName: '考场-copy', modelId })
    expect((await post('code/copy?id=1')).code).toBe(29001)
  })

  test('have what their template needs', async () => {
    const answer = await post('code/submit', {
      ...settings,
      modelId: await addModel(),
      templateType: 'tree',
      treeId: 'id',
    })
    expect([answer.code, answer.msg]).toEqual([29005, expect.stringContaining('请输入树父键')])
  })
})

test('a tenant administrator reads none of it', async () => {
  const other = await loginAs(t, 'admin')
  const call = (url: string) => t.call({ url: at(url), headers: other.headers })
  for (const url of [`model/table-list?datasourceId=${own}`, 'datasource/list', 'code/list'])
    expect((await call(url)).code).toBe(403)
})
