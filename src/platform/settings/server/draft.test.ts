import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'

let t: TestApp
let one: Caller
let other: Caller
beforeAll(async () => {
  t = await testApp()
  one = await signIn(t, { role: 'administrator' })
  other = await signIn(t, { role: 'administrator' })
})
afterAll(() => t.close())

const place = { form: 'sms', rowId: '7' }
const post = (who: Caller, what: string, payload: object) =>
  t.call({ method: 'POST', url: `/api/blade-system/draft/${what}`, headers: who.headers, payload })
const read = async (who: Caller, { form, rowId = '' }: { form: string; rowId?: string }) =>
  (await t.call<object[]>({ url: `/api/blade-system/draft/list?form=${form}&rowId=${rowId}`, headers: who.headers }))
    .data
const keep = (who: Caller, values: object, more: object = {}) =>
  post(who, 'submit', { ...place, key: 'k1', base: {}, values, ...more })

test('a draft is its owner’s alone, the last one counts, and it is gone when it is dropped', async () => {
  expect((await keep(one, { signName: '甲' })).code).toBe(200)
  expect((await keep(one, { signName: '甲乙' }, { key: 'k2', base: { signName: '旧' } })).code).toBe(200)
  expect(await read(one, place)).toMatchObject([{ key: 'k2', values: { signName: '甲乙' }, base: { signName: '旧' } }])
  expect([await read(other, place), await read(one, { form: 'sms' })]).toEqual([[], []])
  await post(other, 'remove', place)
  expect(await read(one, place)).toHaveLength(1)
  await post(one, 'remove', place)
  expect(await read(one, place)).toEqual([])
})

test('secrets are left out, of rows in the form, too, and what is kept is sealed', async () => {
  await keep(one, { signName: '甲', secretKey: 'hunter22', user: [{ realName: '乙', password: 'hunter22' }] })
  expect(await read(one, place)).toMatchObject([{ values: { signName: '甲', user: [{ realName: '乙' }] } }])
  const { rows } = await t.pool.query('SELECT content FROM draft')
  expect(rows[0].content).toMatch(/^v\d+:/)
  expect(JSON.stringify(await read(one, place))).not.toContain('hunter22')
})

test('a draft that is too large, of no form or a candidate’s is refused', async () => {
  expect(await keep(one, { remark: 'x'.repeat(210_000) })).toMatchObject({ status: 400, code: 28002 })
  expect((await keep(one, {}, { form: 'a b' })).code).toBe(29005)
  expect((await keep(one, ['x'])).data).toEqual([{ field: 'values', msg: '内容应为字段与值' }])
  const candidate = await signIn(t, { role: 'candidate' })
  expect((await keep(candidate, {})).status).toBe(403)
})

test('of one person a hundred stay, and none longer than 30 days', async () => {
  for (let n = 0; n < 102; n++) await keep(other, { n }, { rowId: String(n) })
  const { rows } = await t.pool.query('SELECT count(*)::int AS n FROM draft WHERE "userId" = $1', [other.userId])
  expect([rows[0].n, await read(other, { form: 'sms', rowId: '0' })]).toEqual([100, []])
  await t.pool.query(`UPDATE draft SET "savedTime" = now() - interval '31 days' WHERE "userId" = $1`, [other.userId])
  expect(await read(other, { form: 'sms', rowId: '101' })).toEqual([])
  await t.app.jobs.run('draft-purge')
  const left = await t.pool.query('SELECT 1 FROM draft WHERE "userId" = $1', [other.userId])
  expect(left.rowCount).toBe(0)
})
