import { sm2 } from 'sm-crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../helper/app.ts'
import { loginAs, password, type Session } from '../helper/login.ts'
import { sampleIdCard } from '../helper/sample.ts'

/** A client of the open Blade family: what it sends, and what it must find in the answer. */

let t: TestApp
let administrator: Session

beforeAll(async () => {
  t = await testApp()
  administrator = await loginAs(t, 'administrator')
})
afterAll(() => t.close())

type Row = Record<string, unknown> & { children?: Row[] }
type Query = Record<string, string>

const get = <T = Row[]>(path: string, query: Query = {}) =>
  t.call<T>({ url: `/api${path}`, query, headers: administrator.headers })
const post = (path: string, payload: object = {}, query: Query = {}) =>
  t.call({ method: 'POST', url: `/api${path}`, query, payload, headers: administrator.headers })
const records = async (path: string, query: Query = {}) => {
  const answer = await get<Row[] | { records: Row[] }>(path, query)
  expect(answer, JSON.stringify(answer)).toMatchObject({ code: 200 })
  return Array.isArray(answer.data) ? answer.data : answer.data.records
}

/** What each kind of row that can stand at the top is submitted as: whole, with the parent that is none. */
const atTheTop: [path: string, find: Query, body: Row][] = [
  ['dict', { code: 'foreign' }, { code: 'foreign', dictValue: '外来', dictKey: -1, sort: 1, isSealed: 0 }],
  ['dict-biz', { code: 'foreign' }, { code: 'foreign', dictValue: '外来', dictKey: '-1', sort: 1, isSealed: 0 }],
  ['menu', { code: 'foreign' }, { code: 'foreign', name: '外来', alias: 'menu', sort: 1, category: 1, action: 0 }],
  ['dept', { deptName: '外来部门' }, { deptName: '外来部门', fullName: '外来部门', sort: 1 }],
  ['role', { roleAlias: 'foreign' }, { roleName: '外来', roleAlias: 'foreign', sort: 1 }],
]

describe.each(atTheTop)('%s at the top', (path, find, body) => {
  const base = `/blade-system/${path}`

  test('is added with the parent "0", and comes back with it', async () => {
    expect(await post(`${base}/submit`, { ...body, parentId: '0' })).toMatchObject({ code: 200 })
    const [row] = await records(`${base}/list`, find)
    expect(row).toMatchObject({ parentId: '0' })
    const { data } = await get<Row>(`${base}/detail`, { id: String(row?.id) })
    expect(data).toMatchObject({ parentId: '0', parentName: '' })
    for (const parentId of ['0', 0])
      expect(await post(`${base}/submit`, { ...data, parentId })).toMatchObject({ code: 200 })
    expect(await records(`${base}/list`, { ...find, parentId: '0' })).toHaveLength(1)
  })
})

describe('a list', () => {
  test.each([
    ['/blade-system/dict/list', { code_equal: 'sex' }, 'code'],
    ['/blade-system/dict-biz/list', { code: 'recruit_unit' }, 'code'],
    ['/blade-system/dict/list', { dictKey_equal: '1' }, 'dictKey'],
  ])('%s %j has only what was asked for', async (path, query, name) => {
    const rows = await records(path, query)
    const wanted = Object.values(query)[0]
    const flat = (list: Row[]): Row[] => list.flatMap(row => [row, ...flat(row.children ?? [])])
    expect(rows.length).toBeGreaterThan(0)
    expect(flat(rows).every(row => row[name] === wanted)).toBe(true)
  })

  const paged = ['user/page', 'tenant/list', 'param/list', 'post/list', 'client/list', 'topmenu/list', 'region/list']
  test.each(paged)('%s drops the token in the address, empty inputs it does not know, and a size of 0', async path => {
    const query = { current: '1', size: '0', ascs: '', 'blade-auth': 'bearer abc', nonsense: '', categoryName: '' }
    const { code, data } = await get<{ size: number }>(`/blade-system/${path}`, query)
    expect({ code, size: data.size ?? 10 }).toEqual({ code: 200, size: 10 })
  })

  test('refuses an unknown input that says something', async () => {
    expect(await get('/blade-system/param/list', { nonsense: '1' })).toMatchObject({ code: 29005 })
  })

  test('with inputs left empty is answered by calls written by hand, too', async () => {
    const query = { current: '0', size: '0', category: '', processDefinitionName: '', nonsense: '', 'blade-auth': 'x' }
    for (const list of ['manager/list', 'follow/list', 'work/todo-list'])
      expect(await get(`/blade-flow/${list}`, query)).toMatchObject({ code: 200 })
  })

  /** Columns that lists of Blade's clients search, with a value that nothing has. */
  test.each([
    ['/blade-system/user/page', ['tenantId', 'name', 'email', 'account', 'realName', 'code']],
    ['/blade-system/dept/list', ['fullName', 'deptName', 'remark']],
    ['/blade-system/tenant/list', ['linkman', 'contactNumber', 'address', 'tenantName', 'domain', 'tenantId']],
    ['/blade-system/post/list', ['postCode', 'postName', 'tenantId']],
    ['/blade-system/role/list', ['roleName', 'roleAlias', 'tenantId']],
    ['/blade-system/menu/list', ['name', 'path', 'code', 'alias']],
    ['/blade-system/param/list', ['paramName', 'paramKey', 'paramValue']],
    ['/blade-log/usual/list', ['serverHost', 'serviceId', 'logId']],
    ['/blade-log/api/list', ['serverHost', 'serviceId', 'title', 'requestUri']],
    ['/blade-log/error/list', ['serverHost', 'serviceId', 'exceptionName']],
    ['/blade-flow/model/list', ['key', 'name', 'modelKey']],
    ['/blade-flow/manager/list', ['key', 'name']],
    ['/blade-flow/follow/list', ['key', 'name']],
    ['/blade-resource/oss/list', ['ossCode', 'endpoint', 'bucketName']],
    ['/blade-resource/attach/list', ['name', 'originalName', 'link']],
    ['/blade-develop/code/list', ['codeName', 'tableName', 'packageName']],
    ['/blade-develop/datasource/list', ['name', 'driverClass', 'username']],
  ])('%s is searched by %j', async (path, names) => {
    for (const name of names) expect(await records(path, { [name]: 'zzzzzz' }), name).toEqual([])
  })

  test('of users is searched by their roles', async () => {
    const [me] = await records('/blade-system/user/page', { account: administrator.body.account ?? '' })
    const found = await records('/blade-system/user/page', { roleId: String(me?.roleId), size: '500' })
    expect(found.some(({ id }) => id === me?.id)).toBe(true)
  })

  test('of processes is searched by the key that its rows carry', async () => {
    const [first] = await records('/blade-flow/model/list')
    expect(first?.key).toBe(first?.modelKey)
    const found = await records('/blade-flow/model/list', { key_equal: String(first?.key), ascs: 'key' })
    expect(found.map(({ id }) => id)).toEqual([first?.id])
  })

  test('of logs says which machine wrote a line', async () => {
    await t.app.journal.flush()
    const [line] = await records('/blade-log/api/list')
    expect(line?.serverHost).toMatch(/./)
    expect(await records('/blade-log/api/list', { serverHost: String(line?.serverHost) })).not.toEqual([])
  })

  test('of choices is found by no more than the search bar has', async () => {
    expect(await get('/blade-system/user/select', { email: 'a' })).toMatchObject({ code: 29005 })
  })
})

test('a day is taken in the full form of an instant, and stays a day', async () => {
  const [row] = await records('/blade-system/user/page', { account: administrator.body.account ?? '' })
  const change = { id: row?.id, birthday: '1990-06-21 00:00:00' }
  expect(await post('/blade-system/user/submit', change)).toMatchObject({ code: 200 })
  const found = await records('/blade-system/user/page', { birthday: '1990-06-21 00:00:00' })
  expect(found.map(one => one.birthday)).toEqual(['1990-06-21'])
  const wrong = { ...change, birthday: '1990-02-30 00:00:00' }
  expect(await post('/blade-system/user/submit', wrong)).toMatchObject({ code: 29005, data: [{ field: 'birthday' }] })
})

describe('what a client does not know has a default', () => {
  const fresh: [call: string, body: () => Row, list: string, find: Query, given: Row][] = [
    [
      '/blade-system/user/submit',
      () => ({
        account: 'foreign',
        name: '外来',
        realName: '外来人',
        phone: '13900008888',
        idCard: sampleIdCard(77_000),
        roleId: roleId(),
      }),
      '/blade-system/user/page',
      { account: 'foreign' },
      { userType: 1, idType: 1 },
    ],
    [
      '/blade-system/dept/submit',
      () => ({ deptName: '新部门', fullName: '新部门', sort: 1 }),
      '/blade-system/dept/list',
      { deptName: '新部门' },
      { deptCategory: 2 },
    ],
    [
      '/blade-system/client/submit',
      () => client('plain'),
      '/blade-system/client/list',
      { clientId: 'plain' },
      { clientStatus: 1 },
    ],
    [
      '/blade-desk/notice/submit',
      () => ({ title: '外来公告', category: 1, content: '<p>内容</p>' }),
      '/blade-desk/notice/page',
      { title: '外来公告' },
      { noticeType: 1, scope1: 1 },
    ],
    [
      '/blade-news/news/submit',
      () => ({ title: '外来新闻', category: 1, content: '<p>内容</p>' }),
      '/blade-news/news/page',
      { title: '外来新闻' },
      {},
    ],
    [
      '/blade-develop/code/submit',
      () => ({ codeName: '外来', serviceName: 's', tableName: 'no_such_table', packageName: 'a.b' }),
      '/blade-develop/code/list',
      { codeName: '外来' },
      { modelId: '', templateType: 'crud' },
    ],
  ]
  const client = (clientId: string): Row => ({
    clientId,
    clientSecret: 'a-secret-of-a-client',
    scope: 'all',
    authorizedGrantTypes: 'password,refresh_token',
  })
  const roleId = () => administrator.body.role_id

  test.each(fresh)('%s', async (call, body, list, find, given) => {
    // As on an installation whose tables were made before there were defaults.
    for (const name of Object.keys(given))
      await t.pool.query(`ALTER TABLE "${tableOf(call)}" ALTER COLUMN "${name}" DROP DEFAULT`)
    expect(await post(call, body())).toMatchObject({ code: 200 })
    const [row] = await records(list, find)
    expect(row).toMatchObject(given)
    if ('releaseTime' in (row ?? {})) expect(row?.releaseTime).toMatch(/^\d{4}/)
    // A change of something else leaves them alone.
    if (call.includes('user')) {
      expect(await post(call, { id: row?.id, idType: 4, idCard: '' })).toMatchObject({ code: 200 })
      expect(await post(call, { id: row?.id, name: '又一个' })).toMatchObject({ code: 200 })
      expect((await records(list, find))[0]).toMatchObject({ idType: 4, name: '又一个' })
    }
  })
  const tableOf = (call: string) => call.split('/')[2]

  test('code settings find the model of their table, and say what is missing when nothing can be generated', async () => {
    const [source] = await records('/blade-develop/datasource/list')
    const model = {
      modelName: '外来',
      modelCode: 'foreign',
      datasourceId: source?.id,
      modelTable: 'Foreign_Table',
      modelClass: 'Foreign',
    }
    expect(await post('/blade-develop/model/submit', model)).toMatchObject({ code: 200 })
    const code = { codeName: '有模型', serviceName: 's', tableName: 'foreign_table', packageName: 'a.b' }
    expect(await post('/blade-develop/code/submit', code)).toMatchObject({ code: 200 })
    const [found] = await records('/blade-develop/code/list', { codeName: '有模型' })
    expect(found).toMatchObject({ modelName: '外来' })
    const [bare] = await records('/blade-develop/code/list', { codeName: '外来' })
    const answer = await post('/blade-develop/code/gen-code', {}, { ids: String(bare?.id), system: 'saber' })
    expect(answer).toMatchObject({ code: 29005, msg: expect.stringContaining('选择数据模型') })
  })

  test('a client may bring its own key pair, and what it encrypts is read with it', async () => {
    const { publicKey, privateKey } = sm2.generateKeyPairHex()
    const row = { ...client('vue'), publicKey, privateKey }
    const other = sm2.generateKeyPairHex().privateKey
    const submit = (body: Row) => post('/blade-system/client/submit', body)
    expect(await submit({ ...row, privateKey: other })).toMatchObject({ code: 29005, data: [{ field: 'publicKey' }] })
    expect(await submit({ ...row, privateKey: '' })).toMatchObject({ code: 29005, data: [{ field: 'privateKey' }] })
    expect(await submit(row)).toMatchObject({ code: 200 })
    const [kept] = await records('/blade-system/client/list', { clientId: 'vue' })
    expect(kept).not.toHaveProperty('privateKey')
    const stored = await t.pool.query(`SELECT "privateKey" FROM client WHERE "clientId" = 'vue'`)
    expect(stored.rows[0].privateKey).not.toContain(privateKey)
    const token = async (secret: string, key = publicKey) => {
      const answer = await t.app.inject({
        method: 'POST',
        url: '/api/blade-auth/oauth/token',
        headers: { authorization: `Basic ${Buffer.from(`vue:${secret}`).toString('base64')}` },
        query: {
          grant_type: 'password',
          username: String(administrator.body.account),
          password: sm2.doEncrypt(password, key, 0),
        },
      })
      return { status: answer.statusCode, ...answer.json() }
    }
    expect(await token('a-secret-of-a-client')).toMatchObject({ status: 200, token_type: 'bearer' })
    expect(await token('a-secret-of-a-client', sm2.generateKeyPairHex().publicKey)).toMatchObject({ status: 400 })
    expect(await token('another')).toMatchObject({ status: 401, error_code: 401 })
    // Whoever changes something else does not know the private half, and keeps it.
    expect(await submit({ id: kept?.id, scope: 'all' })).toMatchObject({ code: 200 })
    expect(await token('a-secret-of-a-client')).toMatchObject({ status: 200 })
  })
})

describe('names beside keys', () => {
  test.each<[string, Query, Row]>([
    [
      '/blade-system/user/page',
      { account: 'foreign' },
      { roleName: /./, deptName: '', postName: '', sexName: /^[男女]$/, userTypeName: '后台' },
    ],
    [
      '/blade-system/menu/list',
      { code_equal: 'param_add' },
      { parentName: '系统参数', categoryName: '按钮', actionName: '工具栏', isOpenName: '否' },
    ],
    ['/blade-system/dept/list', { deptName: '新部门' }, { parentName: '', deptCategoryName: '部门' }],
    ['/blade-system/region/list', { code: '3501' }, { parentName: /./ }],
    ['/blade-desk/notice/page', { title: '外来公告' }, { categoryName: '招聘公告' }],
    ['/blade-develop/code/list', { codeName: '有模型' }, { modelName: '外来' }],
  ])('%s', async (path, query, names) => {
    const [row] = await records(path, query)
    for (const [name, word] of Object.entries(names))
      if (word instanceof RegExp) expect(row?.[name], name).toMatch(word)
      else expect(row?.[name], name).toBe(word)
  })

  test('follow the dictionary as it is now', async () => {
    await t.pool.query(`UPDATE dict SET "dictValue" = '男性' WHERE code = 'sex' AND "dictKey" = '1'`)
    await t.pool.query(`UPDATE "user" SET sex = 1 WHERE account = 'foreign'`)
    expect((await records('/blade-system/user/page', { account: 'foreign' }))[0]).toMatchObject({ sexName: '男性' })
  })

  test('a choice of tenants carries their numbers', async () => {
    const [row] = await records('/blade-system/tenant/select')
    expect(row).toMatchObject({ tenantId: '000000', tenantName: expect.stringMatching(/./) })
  })

  test('buttons are whole rows: where they stand, in the words of the dictionary; menus have none', async () => {
    const { data } = await get<Row[]>('/blade-system/menu/buttons')
    const flat = (rows: Row[]): Row[] => rows.flatMap(row => [row, ...flat(row.children ?? [])])
    const all = new Map(flat(data).map(row => [row.code, row]))
    const places = Object.fromEntries(
      ['param', 'param_add', 'param_edit', 'param_delete'].map(code => [code, all.get(code)?.action]),
    )
    expect(places).toEqual({ param: 0, param_add: 1, param_edit: 2, param_delete: 3 })
    expect(all.get('param')).toMatchObject({
      path: '/system/param',
      alias: 'param',
      parentId: expect.stringMatching(/^\d+$/),
    })
    for (const code of ['topmenu_setting', 'data_scope_setting', 'api_scope_setting'])
      expect([...all.keys()]).toContain(code)
    expect([...all.values()].every(row => !('children' in row) || (row.children as Row[]).length > 0)).toBe(true)
    const keys = (await records('/blade-system/dict/dictionary', { code: 'button_func' })).map(row => row.dictKey)
    expect(keys).toEqual(['1', '2', '3'])
  })

  test('the setting of scopes stands for adding, changing and removing them', async () => {
    const other = await loginAs(t, 'auditor', { account: 'scopes' })
    const { rows } = await t.pool.query(`SELECT id FROM menu WHERE code = 'api_scope_setting'`)
    await t.pool.query(
      `INSERT INTO role_menu ("roleId", "menuId") SELECT "roleId"::bigint, $1 FROM "user" WHERE account = 'scopes'`,
      [rows[0].id],
    )
    const { data } = await t.call<Row[]>({ url: '/api/blade-system/menu/buttons', headers: other.headers })
    const text = JSON.stringify(data)
    for (const code of ['api_scope', 'api_scope_add', 'api_scope_edit', 'api_scope_delete'])
      expect(text).toContain(`"${code}"`)
    expect(text).not.toContain('"data_scope_add"')
  })

  test('a top menu keeps its path', async () => {
    const body = { code: 'foreign', name: '外来', source: 'x', path: '/foreign', sort: 1 }
    expect(await post('/blade-system/topmenu/submit', body)).toMatchObject({ code: 200 })
    const [row] = await records('/blade-system/topmenu/list', { code: 'foreign' })
    expect(row).toMatchObject({ path: '/foreign' })
    const [menu] = await records('/blade-system/menu/list', { code_equal: 'param' })
    expect(await post('/blade-system/topmenu/grant', { topMenuIds: [row?.id], menuIds: [menu?.id] })).toMatchObject({
      code: 200,
    })
    expect(await records('/blade-system/menu/top-menu')).toContainEqual(
      expect.objectContaining({ code: 'foreign', path: '/foreign' }),
    )
  })

  test('levels of places are a dictionary', async () => {
    const rows = await records('/blade-system/dict/dictionary', { code: 'region' })
    expect(rows.map(row => row.dictKey)).toEqual(['0', '1', '2', '3', '4', '5'])
    const [city] = await records('/blade-system/region/list', { code: '3501' })
    expect(city?.level).toBe(city?.regionLevel)
  })
})

describe('what is not offered', () => {
  test.each([
    ['/blade-payrecord/payrecord', {}, 'add', 'releasePay'],
    ['/blade-payOrder/payorder', {}, 'add', '发起支付'],
    ['/blade-exportpay/exportpay', {}, 'add', 'exportpaymain/create'],
    ['/blade-exportpay/exportpay', { id: '1' }, 'edit', 'exportpaymain/create'],
    ['/blade-exportpaymain/exportpaymain', {}, 'add', 'exportpaymain/create'],
    ['/blade-exportpaymain/exportpaymain', { id: '1' }, 'edit', 'exportpaymain/create'],
    ['/blade-payrecordmain/payrecordmain', { id: '1' }, 'edit', 'exampay/submit'],
    ['/blade-ticket/examinationticket', {}, 'add', 'allotTicket'],
    ['/blade-resource/attach', {}, 'add', 'put-file'],
    ['/blade-noticeRead/noticeread', {}, 'add', 'readNotice'],
    ['/blade-notifyRead/notifyread', {}, 'add', 'sureNotify'],
    ['/blade-payrecord/payrecord', null, 'remove', 'deletePay'],
    ['/blade-payOrder/payorder', null, 'remove', 'payorder/close'],
    ['/blade-noticeRead/noticeread', null, 'remove', '不能删除'],
  ])('%s %j: %s names what to do instead', async (path, body, _what, words) => {
    const answer = body ? await post(`${path}/submit`, body) : await post(`${path}/remove`, {}, { ids: '1' })
    expect(answer).toMatchObject({ success: false, msg: expect.stringContaining(words) })
    const headers = { ...administrator.headers, 'accept-language': 'en' }
    const url = `/api${path}/${body ? 'submit' : 'remove'}`
    const { msg } = await t.call({ method: 'POST', url, headers, payload: body ?? {} })
    expect(msg).not.toMatch(/\p{Script=Han}/u)
  })

  test('a tenant is not removed by its id alone, and is told what else it takes', async () => {
    await post('/blade-system/tenant/submit', { tenantName: '外来租户' })
    const [row] = await records('/blade-system/tenant/list', { tenantName: '外来租户' })
    const ids = String(row?.id)
    const { headers } = await loginAs(t, 'administrator')
    // Whoever moved a tenant into the recycle bin does not remove it.
    const remove = () => t.call({ method: 'POST', url: '/api/blade-system/tenant/remove', query: { ids }, headers })
    expect(await remove()).toMatchObject({ code: 29009, msg: expect.stringContaining('tenant/recycle') })
    expect(await post('/blade-system/tenant/recycle', {}, { ids })).toMatchObject({ code: 200 })
    expect(await remove()).toMatchObject({ code: 29005, msg: expect.stringContaining('confirmNumber') })
  })
})

describe('calls of older clients', () => {
  test('users as a workbook, and the empty one to fill in', async () => {
    for (const name of ['export-user', 'export-template']) {
      const answer = await t.app.inject({ url: `/api/blade-system/user/${name}`, headers: administrator.headers })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toContain('spreadsheet')
      expect(answer.rawPayload.subarray(0, 2).toString()).toBe('PK')
    }
    expect(await post('/blade-system/user/import-user')).toMatchObject({
      success: false,
      msg: expect.stringMatching(/./),
    })
  })

  test('parameters are saved and updated', async () => {
    const row = { paramName: '外来', paramKey: 'account.registerUser', paramValue: 'true' }
    expect(await post('/blade-system/param/save', row)).toMatchObject({ code: 200 })
    const [kept] = await records('/blade-system/param/list', { paramKey: row.paramKey })
    expect(await post('/blade-system/param/update', { ...kept, paramValue: 'false' })).toMatchObject({ code: 200 })
    expect((await records('/blade-system/param/list', { paramKey: row.paramKey })).map(one => one.paramValue)).toEqual([
      'false',
    ])
    expect(await post('/blade-system/param/update', row)).toMatchObject({ code: 29001 })
  })

  test('a wrong method, a wrong kind of body', async () => {
    const wrong = await t.app.inject({
      method: 'GET',
      url: '/api/blade-system/param/submit',
      headers: administrator.headers,
    })
    expect([wrong.statusCode, wrong.json().code, wrong.headers.allow]).toEqual([405, 405, 'POST'])
    const other = await t.app.inject({
      method: 'PUT',
      url: '/api/blade-system/param/page?size=1',
      headers: administrator.headers,
    })
    expect([other.statusCode, other.headers.allow]).toEqual([405, 'GET'])
    expect((await t.app.inject('/api/blade-system/nothing')).statusCode).toBe(404)
    for (const type of ['text/xml', 'multipart/form-data; boundary=x']) {
      const headers = { ...administrator.headers, 'content-type': type }
      const call = { method: 'POST', url: '/api/blade-system/param/submit', headers, payload: '--x--' } as const
      expect((await t.app.inject(call)).statusCode).toBe(415)
    }
  })
})
