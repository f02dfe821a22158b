import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Param } from '#schemas/system/param'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { insert } from '../helper/sample.ts'

let one: TestApp
let two: TestApp
let admin: Caller

beforeAll(async () => {
  one = await testApp()
  two = await testApp({ url: one.url })
  admin = await signIn(one, { role: 'administrator' })
})
afterAll(async () => {
  await two.close()
  await one.close()
})

const get = <T = unknown>(t: TestApp, path: string, who: Caller = admin) =>
  t.call<T>({ url: `/api/blade-system/${path}`, headers: who.headers })
const post = (t: TestApp, path: string, payload: object, who: Caller = admin) =>
  t.call({ method: 'POST', url: `/api/blade-system/${path}`, headers: who.headers, payload })
const both = (path: string, who: Caller) => Promise.all([get(one, path, who), get(two, path, who)])

describe('what two servers keep in memory', () => {
  test('rights granted and taken at one count at the next request at the other', async () => {
    const reader = await signIn(one, { role: 'reader', permissions: ['param'] })
    const role = (await one.pool.query(`SELECT id FROM role WHERE "roleAlias" = 'reader'`)).rows[0].id
    const menu = (await one.pool.query(`SELECT id FROM menu WHERE code = 'param'`)).rows[0].id
    for (const t of [one, two, one]) {
      expect((await both('param/page', reader)).map(answer => answer.status)).toEqual([200, 200])
      expect((await post(t, 'role/grant', { roleIds: [role], menuIds: [] })).code).toBe(200)
      expect((await both('param/page', reader)).map(answer => answer.status)).toEqual([403, 403])
      expect((await post(t, 'role/grant', { roleIds: [role], menuIds: [menu] })).code).toBe(200)
    }
  })

  test('a session ended at one is refused at the other, however many ask at once', async () => {
    const guest = await signIn(one, { role: 'administrator' })
    const many = () => Promise.all(Array.from({ length: 20 }, (_, i) => get(i % 2 ? one : two, 'param/page', guest)))
    expect(new Set((await many()).map(answer => answer.status))).toEqual(new Set([200]))
    await one.pool.query(`UPDATE session SET "endTime" = now() WHERE "userId" = $1`, [guest.userId])
    expect(new Set((await many()).map(answer => answer.status))).toEqual(new Set([401]))
  })

  test('a word changed at one is the word at the other', async () => {
    const word = async (t: TestApp) =>
      (await get<{ dictValue: string }[]>(t, 'dict/dictionary?code=exam_status')).data[0]?.dictValue
    expect([await word(one), await word(two)]).toEqual(['草稿', '草稿'])
    await one.pool.query(`UPDATE dict SET "dictValue" = '新建' WHERE code = 'exam_status' AND "dictKey" = '0'`)
    expect([await word(one), await word(two)]).toEqual(['新建', '新建'])
  })
})

describe('rows asked for at the same moment', () => {
  test('come to whoever asked for them; what is not there is missing for him alone', async () => {
    const rows = []
    for (let n = 0; n < 30; n++) rows.push(await insert(one.app, Param, { paramKey: `moment.${n}`, remark: `${n}` }))
    const permissions = ['param', 'param_view']
    const other = await signIn(one, { role: 'elsewhere', permissions, tenantId: '000123' })
    const ask = (id: string, who: Caller) => get<{ remark: string }>(one, `param/detail?id=${id}`, who)
    const answers = await Promise.all([
      ...rows.map(row => ask(row.id, admin)),
      ask('1', admin),
      ...rows.slice(0, 3).map(row => ask(row.id, other)),
    ])
    expect(answers.map(({ code, data }) => (code === 200 ? data.remark : code))).toEqual([
      ...rows.map((_, n) => `${n}`),
      29001,
      29001,
      29001,
      29001,
    ])
  })
})

describe('rows added at the same moment', () => {
  let datasourceId: string
  beforeAll(async () => {
    datasourceId = (await one.db.selectFrom('datasource').select('id').executeTakeFirstOrThrow()).id
  })
  const add = (t: TestApp, modelCode: string, modelName = '名') =>
    t.call({
      method: 'POST',
      url: '/api/blade-develop/model/submit',
      headers: admin.headers,
      payload: { modelName, modelCode, modelClass: modelCode, modelTable: 'lamp', datasourceId },
    })
  const codes = async (like: string): Promise<string[]> =>
    (await one.pool.query(`SELECT "modelCode" AS code FROM model WHERE "modelCode" LIKE $1`, [like])).rows.map(
      row => row.code,
    )
  const statements = async () =>
    Number(
      (await one.pool.query(`SELECT coalesce(sum(count), 0) AS n FROM change_count WHERE "table" = 'model'`)).rows[0].n,
    )

  test('each have their own answer, also where some are refused', async () => {
    const asked = Array.from({ length: 60 }, (_, n) => `A${n % 40}`)
    const answers = await Promise.all(asked.map((code, n) => add(n % 2 ? one : two, code)))
    const done = asked.filter((_, n) => answers[n]?.code === 200)
    expect(done.sort()).toEqual([...new Set(asked)].sort())
    const refused = answers.filter(answer => answer.code !== 200)
    expect(refused.map(answer => [answer.status, answer.code])).toEqual(Array(20).fill([409, 29004]))
    expect((await codes('A%')).sort()).toEqual([...new Set(asked)].sort())
  })

  test('are fewer statements than rows', async () => {
    const before = await statements()
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => add(one, `F${n}`)))
    expect(new Set(answers.map(answer => answer.code))).toEqual(new Set([200]))
    expect(await codes('F%')).toHaveLength(60)
    expect((await statements()) - before).toBeLessThan(30)
  })

  describe('that refer to others', () => {
    const refer = (t: TestApp, userId: string, userCode: string, key?: string) =>
      t.call<{ field: string }[]>({
        method: 'POST',
        url: '/api/blade-userCode/usercode/submit',
        headers: { ...admin.headers, ...(key && { 'idempotency-key': key }) },
        payload: { userId, userCode, codeType: 1 },
      })
    const made = async () =>
      (await one.pool.query<{ userCode: string }>('SELECT "userCode" FROM usercode')).rows.map(row => row.userCode)

    test('are fewer statements than rows', async () => {
      const count = async () =>
        Number(
          (await one.pool.query(`SELECT coalesce(sum(count), 0) AS n FROM change_count WHERE "table" = 'usercode'`))
            .rows[0].n,
        )
      const before = await count()
      const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => refer(one, admin.userId, `S${n}`)))
      expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([200]))
      expect((await made()).filter(code => code.startsWith('S'))).toHaveLength(40)
      expect((await count()) - before).toBeLessThan(20)
    })

    test('are refused one by one where what they refer to is not there, was removed, or is of another tenant', async () => {
      const elsewhere = await signIn(one, { role: 'elsewhere', permissions: [], tenantId: '000124' })
      const gone = await signIn(one, { permissions: [] })
      await one.pool.query(`UPDATE "user" SET "isDeleted" = 1 WHERE id = $1`, [gone.userId])
      const wrong = ['1', elsewhere.userId, gone.userId]
      const asked = Array.from({ length: 30 }, (_, n) =>
        n % 3 === 2 ? (wrong[n % 9 === 2 ? 0 : n % 9 === 5 ? 1 : 2] ?? '') : admin.userId,
      )
      const answers = await Promise.all(asked.map((userId, n) => refer(n % 2 ? one : two, userId, `R${n}`)))
      const refused = answers.map(({ code, data }) => (code === 200 ? 'added' : `${code} ${data[0]?.field}`))
      expect(refused).toEqual(asked.map(userId => (userId === admin.userId ? 'added' : '29005 userId')))
      const right = asked.flatMap((userId, n) => (userId === admin.userId ? [`R${n}`] : []))
      expect((await made()).filter(code => code.startsWith('R')).sort()).toEqual(right.sort())
    })

    test('are added once for a key, however often and wherever it is sent at the same moment', async () => {
      const asked = Array.from({ length: 60 }, (_, n) => n % 12)
      const answers = await Promise.all(
        asked.map((n, i) => refer(i % 2 ? one : two, admin.userId, `K${n}`, `key.${n}`)),
      )
      expect(new Set(answers.map(({ code, data }) => JSON.stringify([code, data])))).toEqual(new Set(['[200,{}]']))
      expect((await made()).filter(code => code.startsWith('K')).sort()).toEqual(
        [...new Set(asked.map(n => `K${n}`))].sort(),
      )
      expect(await refer(one, admin.userId, 'K0', 'key.0')).toMatchObject({ code: 200, data: {} })
      expect(await refer(two, admin.userId, 'K99', 'key.0')).not.toMatchObject({ code: 200 })
      expect(await refer(two, '1', 'K98', 'key.98')).toMatchObject({ code: 29005 })
      expect(await refer(two, admin.userId, 'K98', 'key.98')).toMatchObject({ code: 200 })
      expect((await made()).filter(code => /^K9[89]/.test(code))).toEqual(['K98'])
    })

    test('wait for whoever removes what they refer to, and then are refused', async () => {
      const leaving = await signIn(one, { permissions: [] })
      const client = await two.pool.connect()
      await client.query('BEGIN')
      await client.query('SELECT 1 FROM "user" WHERE id = $1 FOR UPDATE', [leaving.userId])
      await client.query(`UPDATE "user" SET "isDeleted" = 1 WHERE id = $1`, [leaving.userId])
      const adding = refer(one, leaving.userId, 'W1')
      await new Promise(resolve => setTimeout(resolve, 300))
      await client.query('COMMIT')
      client.release()
      expect(await adding).toMatchObject({ code: 29005, data: [{ field: 'userId' }] })
      expect(await made()).not.toContain('W1')
    })
  })

  test('keep every character that a database can hold', async () => {
    const texts = ['a"b\\c', '{"a":1}', "it's", '𠮷😀', '$1 null', '[1,2]']
    await Promise.all(texts.map((text, n) => add(one, `T${n}`, text)))
    const { rows } = await one.pool.query(
      `SELECT "modelName" AS name FROM model WHERE "modelCode" LIKE 'T%' ORDER BY "modelCode"`,
    )
    expect(rows.map(row => row.name)).toEqual(texts)
  })
})
