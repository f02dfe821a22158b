import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { english } from '../../../../tests/helper/english.ts'
import { straight } from '../../../../tests/helper/flow-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { flowActions } from './actions.ts'
import { flowForms } from './forms.ts'

let t: TestApp
let admin: Caller

beforeAll(async () => {
  t = await testApp()
  admin = await signIn(t, { role: 'administrator' })
})
afterAll(() => t?.close())

const get = <T = unknown>(path: string, who = admin) =>
  t.call<T>({ url: `/api/blade-flow/${path}`, headers: who.headers })
const post = <T = unknown>(path: string, payload: object = {}, who = admin) =>
  t.call<T>({ method: 'POST', url: `/api/blade-flow/${path}`, headers: who.headers, payload })

const model = (modelKey: string) => ({ modelKey, name: `流程${modelKey}`, category: 2, xml: straight(modelKey) })

interface Choices {
  forms: { key: string; title: string }[]
  actions: { name: string; fields: { name: string; required: boolean; isPeople: boolean }[] }[]
  processes: { modelKey: string; suspensionState: number }[]
}
interface Saved {
  id: string
  version: number
}

test('a drawing may name the forms and actions that are registered, and the processes that its tenant has deployed', async () => {
  const { data: drawn } = await post<Saved>('model/submit', model('called'))
  await post('model/submit', model('never-deployed'))
  await post(`model/deploy?modelId=${drawn.id}`)
  const chief = await signIn(t, { role: 'admin', tenantId: '900001', permissions: ['flow_deployment_add'] })
  const { data } = await get<Choices>('model/choices')
  expect(data.forms).toContainEqual({ key: 'expense', title: '报销' })
  expect(data.actions.find(one => one.name === 'copy')?.fields).toEqual([
    { name: 'users', title: '抄送人', required: true, isPeople: true },
  ])
  // A call to another system is a kind of step of its own.
  expect(data.actions.map(one => one.name)).not.toContain('http')
  const keys = ({ processes }: Choices) => processes.map(one => one.modelKey)
  expect(keys(data)).toContain('called')
  expect(keys(data)).not.toContain('never-deployed')
  expect(keys((await get<Choices>('model/choices', chief)).data)).not.toContain('called')
  const nobody = await signIn(t, { role: 'reviewer' })
  expect((await get('model/choices', nobody)).code).toBe(403)
})

test('everything that a drawing may name has English', () => {
  const titles = [
    ...flowForms.map(one => one.entity.title),
    ...flowActions
      .filter(one => one.name !== 'http')
      .flatMap(one => [one.title, ...one.fields.map(field => field.title)]),
  ]
  expect(titles.filter(title => english[title] === undefined)).toEqual([])
})

test('of two who change one version of a model, one is told of the other', async () => {
  const { data: first } = await post<Saved>('model/submit', model('shared'))
  expect(first.version).toBe(1)
  const { id } = first
  const saves = await Promise.all(
    ['甲', '乙'].map(name => post<Saved>('model/submit', { id, name, version: first.version })),
  )
  expect(saves.map(one => one.code).toSorted()).toEqual([200, 29002])
  const won = saves.findIndex(one => one.code === 200)
  expect((await get(`model/detail?id=${id}`)).data).toMatchObject({ name: ['甲', '乙'][won], version: 2 })
  // What was not said to be of a version is saved as ever.
  expect((await post<Saved>('model/submit', { id, name: '丙' })).data).toEqual({ id, version: 3 })
  expect((await post('model/submit', { id, name: '丁', version: '' })).code).toBe(200)
})

test('a model is deployed as its drawer has seen it, and not as somebody else has saved it in between', async () => {
  const { data } = await post<Saved>('model/submit', model('seen'))
  await post('model/submit', { id: data.id, name: '别人的' })
  expect((await post(`model/deploy?modelId=${data.id}&version=${data.version}`)).code).toBe(29002)
  expect((await post(`model/deploy?modelId=${data.id}&version=2`)).code).toBe(200)
  expect((await post(`model/deploy?modelId=${data.id}`)).code).toBe(200)
})
