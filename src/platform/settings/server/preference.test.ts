import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'

const base = '/api/blade-system/preference'
let t: TestApp
let one: Caller
let other: Caller
beforeAll(async () => {
  t = await testApp()
  one = await signIn(t, { role: 'exam_admin' })
  other = await signIn(t, { role: 'exam_admin' })
})
afterAll(() => t.close())

const change = ({ headers }: Caller, ...changes: object[]) =>
  t.call({ method: 'POST', url: `${base}/change`, headers, payload: { changes } })
const kept = async ({ headers }: Caller): Promise<Record<string, unknown>> => {
  const { data } = await t.call<{ name: string; value: unknown }[]>({ url: `${base}/list`, headers })
  return Object.fromEntries(data.map(({ name, value }) => [name, value]))
}

test('what a person has chosen is kept part by part, and is nobody else’s', async () => {
  await change(one, { name: 'table.param', value: { density: 'small', columns: ['a'] } }, { name: 'window', value: {} })
  await change(other, { name: 'table.param', value: { density: 'large' } })
  expect(await kept(one)).toEqual({ 'table.param': { density: 'small', columns: ['a'] }, window: {} })
  expect(await kept(other)).toEqual({ 'table.param': { density: 'large' } })
  // Null takes a part away; of two changes of one name both count.
  await change(
    one,
    { name: 'table.param', value: { density: null } },
    { name: 'table.param', value: { widths: { a: 90 } } },
  )
  expect((await kept(one))['table.param']).toEqual({ columns: ['a'], widths: { a: 90 } })
})

test('two windows that change different parts at once lose neither', async () => {
  const parts = Array.from({ length: 12 }, (_, at) => ({ [`part${at}`]: at }))
  // In opposite orders of names: who waits for whom must not go round in a circle.
  const answers = await Promise.all(
    parts.map((value, at) =>
      change(one, ...(at % 2 ? ['race.a', 'race.b'] : ['race.b', 'race.a']).map(name => ({ name, value }))),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(parts.map(() => 200))
  const all = Object.assign({}, ...parts)
  expect(await kept(one)).toMatchObject({ 'race.a': all, 'race.b': all })
})

test.each([
  [{ name: 'table.big', value: { text: 'x'.repeat(8200) } }, 'changes'],
  [{ name: 'table.list', value: [1] }, 'changes.0.value'],
  [{ name: 'not a name', value: {} }, 'changes'],
])('what does not fit is refused by its field, and nothing is kept of it', async (wrong, field) => {
  const before = await kept(other)
  const answer = await change(other, wrong, { name: 'table.fits', value: { density: 'small' } })
  expect(answer).toMatchObject({ status: 400, code: 29005 })
  expect(JSON.stringify(answer.data)).toContain(`"${field}`)
  expect(await kept(other)).toEqual(before)
})
