import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Dept } from '#schemas/system/dept'
import { Menu } from '#schemas/system/menu'
import permissions from '../../src/platform/access/server/permissions.ts'
import type { Person } from '../../src/platform/http/server/access.ts'
import clock from '../../src/platform/http/server/clock.ts'
import envelope, { ok } from '../../src/platform/http/server/envelope.ts'
import { refuse } from '../../src/platform/http/server/refusal.ts'
import { type TestApp, testApp, testConfig } from '../helper/app.ts'
import { signIn } from '../helper/person.ts'
import { insert } from '../helper/sample.ts'

const open = { config: { access: 'public' } } as const
const body = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { title: '姓名', kind: 'text', type: 'string', minLength: 1, maxLength: 5 },
    sex: { title: '性别', kind: 'dict', type: 'integer', enum: [1, 2] },
    phone: { title: '手机号码', anyOf: [{ enum: ['', null] }, { type: 'string', format: 'phone' }] },
  },
}

let t: TestApp
beforeAll(async () => {
  t = await testApp({
    now: '2026-03-01 09:00:00',
    prepare: app => {
      app.post('/api/echo', { ...open, schema: { body } }, async request => ok(request.body))
      app.post('/api/plain', open, async request => ok({ body: request.body ?? 'none', query: request.query }))
      app.get('/api/refused', open, async () => {
        throw refuse('signup.positionFull')
      })
      app.get('/api/twice', open, async () => {
        await app.pool.query(`INSERT INTO secret (name, version, value) VALUES ('vault', 1, 'x')`)
      })
      app.post<{ Body: { sql: string } }>('/api/write', open, async request => {
        await app.pool.query(request.body.sql)
        return ok()
      })
      app.get('/api/private', { config: { access: 'signed-in' } }, async () => ok())
    },
  })
})
afterAll(() => t.close())

const post = (url: string, payload: unknown, type = 'application/json') =>
  t.call({ method: 'POST', url, payload: payload as string, headers: { 'content-type': type } })

describe('a write that a rule of a table stops', () => {
  const room = `INSERT INTO school ("schoolName", "schoolCode", "schoolType"`
  const cases = [
    ['a missing value', `${room}) VALUES (NULL, 'A', 1)`, 'schoolName', '请输入学校名称', 'school name'],
    ['none of the choices', `${room}) VALUES ('a', 'A', 99)`, 'schoolType', '类型取值不正确，请重新选择', 'Type'],
    [
      'beyond its limits',
      `INSERT INTO examroom ("examId", "itemId", "schoolId", "roomNo", capacity) VALUES (1, 1, 1, '1', -1)`,
      'capacity',
      '座位数超出范围',
      'Seats',
    ],
    [
      'a row that is not there',
      `INSERT INTO examroom ("examId", "itemId", "schoolId", "roomNo") VALUES (1, 1, 1, '1')`,
      'examId',
      '考试不存在，请重新选择',
      'Exam',
    ],
  ] as const

  test.each(cases)('names the field: %s', async (_, sql, field, msg, english) => {
    const call = (language: string) =>
      t.call({ method: 'POST', url: '/api/write', payload: { sql }, headers: { 'accept-language': language } })
    const answer = await call('zh-CN')
    expect(answer).toMatchObject({ status: 400, code: 29005, data: [{ field, msg }] })
    expect(answer.msg).toContain(msg)
    const { data } = (await call('en')) as unknown as { data: { field: string; msg: string }[] }
    expect(data[0]?.field).toBe(field)
    expect(data[0]?.msg.toLowerCase()).toContain(english.toLowerCase())
    expect(data[0]?.msg).not.toMatch(/\p{Script=Han}/u)
  })

  test('knows no row of another tenant', async () => {
    await insert(t.app, Dept, { tenantId: '000009' })
    const { rows } = await t.pool.query<{ id: string }>(`SELECT id FROM dept WHERE "tenantId" = '000009'`)
    const move = (tenantId: string) =>
      t.call({
        method: 'POST',
        url: '/api/write',
        payload: {
          sql: `INSERT INTO dept SELECT (jsonb_populate_record(d, '{"id": "9${tenantId}", "parentId": ${rows[0]?.id}, "tenantId": "${tenantId}"}')).* FROM dept d WHERE id = ${rows[0]?.id}`,
        },
      })
    expect(await move('000009')).toMatchObject({ code: 200 })
    expect(await move('000000')).toMatchObject({ code: 29005, data: [{ field: 'parentId' }] })
  })

  test('says that others refer to a row that is to go', async () => {
    const { id } = await insert(t.app, Dept, { tenantId: '000009' })
    await insert(t.app, Dept, { tenantId: '000009', parentId: id })
    const answer = await t.call({
      method: 'POST',
      url: '/api/write',
      payload: { sql: `DELETE FROM dept WHERE id = ${id}` },
    })
    expect(answer.code).toBe(29003)
  })
})

describe('the envelope', () => {
  test('carries a success', async () => {
    expect(await t.call('/api/public/health')).toEqual({
      status: 200,
      code: 200,
      success: true,
      data: { status: 'up', database: 'up', disk: 'up' },
      msg: '操作成功',
    })
  })

  test('carries a refusal with its code, status and text', async () => {
    expect(await t.call('/api/refused')).toMatchObject({
      status: 409,
      code: 22005,
      success: false,
      msg: '该岗位报名人数已满',
    })
  })

  test('names each wrong field by its title and says what to do', async () => {
    const answer = await post('/api/echo', { sex: 3, phone: '123' })
    expect(answer).toMatchObject({ status: 400, code: 29005 })
    expect(answer.data).toEqual([
      { field: 'name', msg: '请输入姓名' },
      { field: 'sex', msg: '性别取值不正确，请重新选择' },
      { field: 'phone', msg: '手机号码格式不正确，请检查后重新填写' },
    ])
  })

  test('does not convert the types of a body', async () => {
    expect(await post('/api/echo', { name: '张三', sex: '1' })).toMatchObject({ code: 29005 })
    expect(await post('/api/echo', { name: '张三', sex: 1, phone: '' })).toMatchObject({ code: 200 })
  })

  test('turns a broken unique rule of the database into a refusal', async () => {
    expect(await t.call('/api/twice')).toMatchObject({ status: 409, code: 29004 })
  })

  test.each([
    ['no such call', 'GET', '/api/nothing', '', 404, 404],
    ['JSON that is none', 'POST', '/api/plain', '{', 400, 400],
    ['a body over 1 MB', 'POST', '/api/plain', `"${'x'.repeat(1_100_000)}"`, 400, 28002],
    ['a prototype in a body', 'POST', '/api/plain', '{"__proto__": {}}', 400, 400],
  ] as const)('answers %s', async (_name, method, url, payload, status, code) => {
    const headers = { 'content-type': 'application/json' }
    expect(await t.call({ method, url, payload, headers })).toMatchObject({ status, code, success: false })
  })

  test('takes the date from the clock', async () => {
    const answer = await t.app.inject('/api/public/health')
    expect(answer.headers.date).toBe('Sun, 01 Mar 2026 01:00:00 GMT')
  })
})

describe('bodies', () => {
  test('an empty one is none', async () => {
    expect((await post('/api/plain?ids=1', '')).data).toEqual({ body: 'none', query: { ids: '1' } })
    expect((await t.call({ method: 'POST', url: '/api/plain' })).data).toEqual({ body: 'none', query: {} })
  })

  test('a form is an object', async () => {
    const answer = await post('/api/plain', 'ids=1%2C2&x=', 'application/x-www-form-urlencoded')
    expect(answer.data).toMatchObject({ body: { ids: '1,2', x: '' } })
  })

  test('of a key given twice in the address the last value counts', async () => {
    expect((await t.call({ method: 'POST', url: '/api/plain?a=1&a=2' })).data).toMatchObject({ query: { a: '2' } })
  })
})

test('browsers may run scripts of this server only', async () => {
  const policy = String((await t.app.inject('/api/public/health')).headers['content-security-policy'])
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toContain('unsafe-eval')
  expect(policy).toContain("object-src 'none'")
})

test('describes its calls as OpenAPI, with a page', async () => {
  const { paths } = (await t.app.inject('/api/docs/json')).json()
  expect(Object.keys(paths)).toContain('/api/public/health')
  expect((await t.app.inject('/api/docs/')).statusCode).toBe(200)
})

test('outside the demonstration, what its calls are is for those who build on them', async () => {
  const real = await testApp({ config: { demo: false } })
  const read = async (permissions: string[] | null, path = 'json') => {
    const headers = permissions ? (await signIn(real, { role: 'reviewer', permissions })).headers : {}
    return (await real.app.inject({ url: `/api/docs/${path}`, headers })).statusCode
  }
  expect([await read(null), await read(null, 'yaml'), await read([]), await read(['code'])]).toEqual([
    401, 401, 403, 200,
  ])
  // The page holds nothing of ours, and asks with the token of whoever is signed in.
  const script = await real.app.inject('/api/docs/static/swagger-initializer.js')
  expect(script.payload).toContain('Blade-Auth')
  expect(script.payload).not.toContain('/blade-system')
  await real.close()
})

test('a running request is finished before the server ends', async () => {
  let isBegun = false
  const other = await testApp({
    prepare: app => {
      app.get('/api/slow', open, async () => {
        isBegun = true
        await sleep(400)
        return ok((await app.pool.query('SELECT 1 AS done')).rows[0])
      })
    },
  })
  const address = await other.app.listen({ port: 0, host: '127.0.0.1' })
  const running = fetch(`${address}/api/slow`).then(answer => answer.json())
  await expect.poll(() => isBegun).toBe(true)
  await other.close()
  expect(await running).toMatchObject({ data: { done: 1 } })
})

describe('access', () => {
  const someone: Person = {
    userId: '1',
    tenantId: '000000',
    account: 'a',
    name: 'a',
    roleIds: [],
    roles: [],
    deptIds: [],
    userCode: '',
    userType: 2,
    isStaff: false,
    permissions: new Set(['param_add']),
    sessionId: '1',
    clientId: 'saber',
  }

  test('a route that does not say who may call it stops the start', async () => {
    const start = testApp({ prepare: app => void app.get('/api/open-to-whom', async () => ok()) })
    await expect(start).rejects.toThrow('GET /api/open-to-whom')
  })

  test('without a token it is 401, in the envelope', async () => {
    expect(await t.call('/api/private')).toEqual({
      status: 401,
      code: 401,
      success: false,
      data: {},
      msg: '请求未授权',
    })
  })

  test.each([
    ['signed-in', 200],
    ['candidate', 200],
    ['staff', 403],
    [{ permission: 'param_add' }, 200],
    [{ permission: ['param_edit', 'param_add'] }, 200],
    [{ permission: 'param_edit' }, 403],
    [{ permission: [] }, 403],
  ] as const)('%j answers a candidate with param_add %i', async (access, status) => {
    const app = Fastify()
    app.addHook('onRequest', async request => {
      request.person = someone
    })
    await app.register(clock, { config: testConfig() })
    await app.register(envelope)
    await app.register(permissions)
    app.get('/x', { config: { access } }, async () => ok())
    const answer = await app.inject('/x')
    expect(answer.statusCode).toBe(status)
    if (status === 403) expect(answer.json()).toMatchObject({ code: 403, msg: '没有访问权限' })
  })
})

describe('secrets', () => {
  test('are one set for all servers of a database', async () => {
    const second = await testApp({ url: t.url })
    const sealed = t.app.vault.seal('350102199001011234')
    expect(sealed).toMatch(/^v1:[\w+/=]+$/)
    expect(second.app.vault.open(sealed)).toBe('350102199001011234')
    expect(second.app.vault.hash('000000', 'x')).toBe(t.app.vault.hash('000000', 'x'))
    expect(second.app.vault.hash('000001', 'x')).not.toBe(t.app.vault.hash('000000', 'x'))
    await second.close()
  })

  test('a sealed text that was changed does not open', () => {
    const sealed = t.app.vault.seal('secret')
    const changed = sealed.replace(/:./, found => (found === ':A' ? ':B' : ':A'))
    expect(() => t.app.vault.open(changed)).toThrow()
  })

  test('another secret key opens nothing and stops the start', async () => {
    const start = testApp({ url: t.url, config: { secretKey: '0f1e2d3c4b5a69788796a5b4c3d2e1f0' } })
    await expect(start).rejects.toThrow(/SECRET_KEY/)
  })
})

test('a page may embed the outside pages of the menus and no others', async () => {
  const policy = async (url: string) =>
    String((await t.app.inject(url)).headers['content-security-policy']).match(/frame-src ([^;]*)/)?.[1]
  await insert(t.app, Menu, { code: 'outside', path: 'https://docs.example.org/a;b?c=1', parentId: null })
  await insert(t.app, Menu, { code: 'nonsense', path: 'http://', parentId: null })
  await insert(t.app, Menu, { code: 'gone', path: 'https://gone.example.org/', parentId: null, isDeleted: 1 })
  expect(await policy('/api/public/health')).toBe("'self' blob:")
  expect(await policy('/wel/index')).toBe("'self' blob: https://docs.example.org")
})
