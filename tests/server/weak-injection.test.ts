import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Field, Resource } from '#engine'
import { resources } from '#resources'
import { Post } from '#schemas/system/post'
import { filterNames } from '../../src/crud/filter.ts'
import { uploadKinds } from '../../src/platform/attachments/server/kinds.ts'
import { readRows } from '../../src/platform/workbook/workbook-read.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { inTurns } from '../helper/in-turns.ts'
import { askToken, login, loginAs, password, type Session } from '../helper/login.ts'
import { insert } from '../helper/sample.ts'
import { uploadAs } from '../helper/upload.ts'

// The numbered weaknesses of consoles of this family, and what holds against each: what comes in and what goes out. 18 stands in
// develop.test.ts and generate.test.ts, under its number.

const faults: Readonly<Record<string, () => unknown>> = {
  plain: () => {
    throw new Error('relation "salary" does not exist')
  },
  text: () => {
    throw 'secret text'
  },
  status: () => {
    throw Object.assign(new Error('upstream http://10.0.0.1/internal said no'), { statusCode: 502 })
  },
  type: () => (undefined as unknown as { salary: number }).salary,
  sql: () => t.pool.query('SELECT salary FROM payroll'),
}

let t: TestApp
let root: Session
beforeAll(async () => {
  t = await testApp({
    prepare: app => {
      for (const [name, fail] of Object.entries(faults))
        app.get(`/api/broken/${name}`, { config: { access: 'public' } }, async () => fail())
    },
  })
  root = await loginAs(t, 'administrator')
})
afterAll(() => t.close())

const get = <T>(url: string, { headers } = root) => t.call<T>({ url: `/api${url}`, headers })
const post = <T>(url: string, payload: object, { headers } = root) =>
  t.call<T>({ method: 'POST', url: `/api${url}`, headers, payload })

/** Columns that no list may be asked for or put in order by, because the answer would tell what stands in them. */
function secretColumns(resource: Resource): string[] {
  const fields = Object.entries(resource.entity.properties as Record<string, Field>)
  const derived = fields.flatMap(([name, { kind }]) => (kind === 'sealed' ? [`${name}Hash`, `${name}Mask`] : []))
  const hidden = fields.flatMap(([name, one]) => (one.hidden || one.kind === 'secret' ? [name] : []))
  return [...hidden, ...derived, 'isDeleted'].filter(name => !filterNames(resource).has(name))
}

test('15 · lists are filtered and sorted by the names of their definition; no secret column can be asked about', async () => {
  const cases = (resources as readonly Resource[]).flatMap(resource =>
    secretColumns(resource).flatMap(name =>
      [`${name}_likeright=9`, `${name}_null=1`, `descs=id,${name}`].map(query => `${resource.path}/page?${query}`),
    ),
  )
  expect(cases.length).toBeGreaterThan(300)
  for (const name of ['password', 'clientSecret', 'phoneHash'])
    expect(cases.some(one => one.endsWith(`descs=id,${name}`))).toBe(true)
  const answered = await inTurns(6, cases, async url => {
    const { status, code } = await get(url)
    return status === 400 && code === 29005 ? [] : [`${url} ${status}`]
  })
  expect(answered.flat()).toEqual([])
})

test('16 · a data scope is a rule over named columns with bound values, never SQL', async () => {
  const { id: menuId } = await t.db.selectFrom('menu').select('id').where('code', '=', 'post').executeTakeFirstOrThrow()
  const scope = { menuId, scopeName: '规则', resourceCode: 'rule16', scopeClass: 'post', scopeType: 2 }
  expect(await post('/blade-system/data-scope/submit', scope)).toMatchObject({ code: 200 })
  const bad = [
    { scopeColumn: '"createUser" OR 1=1 --' },
    { scopeColumn: 'postName' },
    { scopeClass: 'post p, "user" u' },
    ...['1=1', ['1=1'], { '1=1 OR "postName"': '1' }, { postName: { raw: '1=1' } }, { password: 'x' }].map(
      scopeValue => ({ scopeType: 5, scopeValue }),
    ),
  ]
  for (const one of bad) {
    expect([
      one,
      (await post('/blade-system/data-scope/submit', { ...scope, resourceCode: 'bad16', ...one })).code,
    ]).toEqual([one, 29005])
  }
  const wicked = [`x' OR '1'='1`, `$caller' OR true --`, `#{userId}`, `a'b"c\\`]
  await insert(t.app, Post, { postName: wicked[3]!, category: 1 })
  const counts = await Promise.all(
    wicked.map(async postName => {
      const rule = { scopeClass: 'post', scopeType: 5, scopeValue: { postName }, userId: root.body.user_id }
      return (await post<{ count: number; total: number }>('/blade-system/data-scope/test', rule)).data
    }),
  )
  const { total } = counts[0]!
  expect(counts.map(one => [one.count, one.total])).toEqual([0, 0, 0, 1].map(count => [count, total]))
})

test.each(Object.keys(faults))('17 · a fault says nothing of the inside: %s', async name => {
  const { headers, payload, statusCode } = await t.app.inject(`/api/broken/${name}`)
  const { msg, ...rest } = JSON.parse(payload) as { msg: string }
  expect([statusCode, rest]).toEqual([500, { code: 500, success: false, data: {} }])
  expect(msg).toMatch(/^系统异常，请联系管理员（[0-9a-f]{8}-[0-9a-f]{4}）$/)
  expect(JSON.stringify(headers)).not.toMatch(/fastify|node|postgres/i)
})

test('19 · what people type is kept as typed and goes out as data; files are judged, and sheets hold no formulas', async () => {
  const wish = {
    category: 1,
    postCode: 'p19',
    postName: `=1+<b onclick="x">&amp; 'a' "b"`,
    sort: 1,
    remark: '@SUM(A1)',
  }
  expect((await post('/blade-system/post/submit', wish)).code).toBe(200)
  const listed = await t.app.inject({ url: '/api/blade-system/post/list?postCode=p19', headers: root.headers })
  expect(listed.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
  })
  expect(listed.json().data.records).toMatchObject([{ postName: wish.postName, remark: wish.remark }])
  const mine = await loginAs(t, 'finance', { account: 'typed' })
  const newPassword = `<i>&'"% ;--A9`
  const change = { oldPassword: password, newPassword, newPassword1: newPassword }
  expect((await post('/blade-system/user/update-password', change, mine)).code).toBe(200)
  expect((await askToken(t, 'typed', newPassword.replace('&', '&amp;'))).status).toBe(400)
  const again = await login(t, 'typed', newPassword)
  const book = await t.app.inject({ url: '/api/blade-system/post/export?postCode=p19', headers: root.headers })
  const kinds = []
  for await (const { cells } of readRows(book.rawPayload)) kinds.push(...cells.map(cell => cell.kind))
  expect(kinds).toContain('text')
  expect(kinds).not.toContain('formula')
  const tooLong = (async () => {
    for await (const _ of readRows(book.rawPayload, { maxRows: 0, heads: 1 }));
  })()
  await expect(tooLong).rejects.toMatchObject({ code: 28008 })
  const bytes = '<html><script>alert(1)</script></html>'
  for (const owner of Object.keys(uploadKinds)) {
    const upload = (name: string) =>
      uploadAs(t, root, `/api/blade-resource/attach/upload?owner=${owner}`, { name, bytes })
    expect([owner, (await upload('me.jpg')).code, (await upload('me.html')).code]).toEqual([owner, 28003, 28001])
  }
  const removing = t.app.routeTable.filter(({ url }) => /\/blade-resource\/.*(remove|delete|bucket|submit)/.test(url))
  expect(removing.length).toBeGreaterThan(4)
  for (const { method, url } of removing)
    expect([url, (await t.call({ method: method as 'POST', url, headers: again.headers })).status]).toEqual([url, 403])
})
