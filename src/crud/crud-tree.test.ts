import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Dept } from '#schemas/system/dept'
import { type TestApp, testApp } from '../../tests/helper/app.ts'
import { type Caller, signIn } from '../../tests/helper/person.ts'
import { insert } from '../../tests/helper/sample.ts'
import { growTree } from './tree.ts'

let t: TestApp
let admin: Caller

interface Node {
  id: string
  deptName: string
  hasChildren?: boolean
  children?: Node[]
}

beforeAll(async () => {
  t = await testApp()
  admin = await signIn(t, { role: 'administrator' })
  const top = await insert(t.app, Dept, { deptName: '树根', parentId: null, sort: 1 })
  const middle = await insert(t.app, Dept, { deptName: '树枝', parentId: top.id, sort: 1 })
  await insert(t.app, Dept, { deptName: '树叶乙', parentId: middle.id, sort: 2 })
  await insert(t.app, Dept, { deptName: '树叶甲', parentId: middle.id, sort: 1 })
})
afterAll(() => t.close())

const list = async (query = '') =>
  (await t.call<Node[]>({ url: `/api/blade-system/dept/list${query}`, headers: admin.headers })).data

describe('a tree', () => {
  test('is answered whole, in order, leaves without children', async () => {
    const top = (await list()).find(one => one.deptName === '树根')
    expect(top?.children?.map(one => one.deptName)).toEqual(['树枝'])
    const leaves = top?.children?.[0]?.children ?? []
    expect(leaves.map(one => one.deptName)).toEqual(['树叶甲', '树叶乙'])
    expect(leaves.every(one => !('children' in one))).toBe(true)
  })

  test('shows what a filter finds, even without its parents', async () => {
    const found = await list(`?deptName=${encodeURIComponent('树叶')}`)
    expect(found.map(one => one.deptName)).toEqual(['树叶甲', '树叶乙'])
  })

  test('never loses rows that point at themselves or nowhere', () => {
    const rows = [
      { id: '1', parentId: '1' },
      { id: '2', parentId: '9' },
    ]
    expect(growTree(rows, 'parentId', 'id')).toHaveLength(2)
  })

  test('cannot be bent into a ring', async () => {
    const top = (await list()).find(one => one.deptName === '树根')
    const leaf = top?.children?.[0]
    const answer = await t.call({
      method: 'POST',
      url: '/api/blade-system/dept/submit',
      headers: admin.headers,
      payload: { id: top?.id, parentId: leaf?.id },
    })
    expect(answer.code).toBe(29005)
  })

  test('is not bent into one by two moves at the same moment either', async () => {
    const move = (id: string, parentId: string) =>
      t.call({
        method: 'POST',
        url: '/api/blade-system/dept/submit',
        headers: admin.headers,
        payload: { id, parentId },
      })
    const place = (deptName: string, parentId: string | null) => insert(t.app, Dept, { deptName, parentId, sort: 1 })
    for (let i = 0; i < 8; i++) {
      const [one, other] = [await place(`甲${i}`, null), await place(`乙${i}`, null)]
      const [belowOne, belowOther] = [await place(`甲${i}一`, one.id), await place(`乙${i}一`, other.id)]
      const answers = await Promise.all([move(one.id, belowOther.id), move(other.id, belowOne.id)])
      expect(answers.map(answer => answer.code).toSorted()).toEqual([200, 29005])
    }
  })
})

describe('a region', () => {
  const submit = async (values: object) =>
    (await t.call({ method: 'POST', url: '/api/blade-system/region/submit', headers: admin.headers, payload: values }))
      .code
  const region = async (code: string) =>
    (await t.db.selectFrom('region').selectAll().where('code', '=', code).execute()).find(row => row.isDeleted === 0)

  test('is not removed while one below it is being added', async () => {
    for (let round = 10; round < 30; round++) {
      const [parent, child] = [`35${round}`, `35${round}01`]
      await submit({ code: parent, parentCode: '35', name: '竞争市', regionLevel: 2 })
      const above = await region(parent)
      const remove = { method: 'POST', headers: admin.headers } as const
      const answers = await Promise.all([
        submit({ code: child, parentCode: parent, name: '竞争区', regionLevel: 3 }),
        t.call({ ...remove, url: `/api/blade-system/region/remove?id=${above?.id}` }).then(answer => answer.code),
      ])
      // Exactly one of the two is refused.
      expect(answers.filter(code => code === 200)).toHaveLength(1)
    }
  })

  test('keeps its place while others stand below it, and gives them its new name', async () => {
    const city = await region('3501')
    const whole = { id: city?.id, code: '3501', parentCode: '35', regionLevel: 2 }
    expect(await submit({ ...whole, name: '榕城市' })).toBe(200)
    expect(await region('350102')).toMatchObject({ cityName: '榕城市', name: '鼓楼区' })
    expect(await submit({ ...whole, name: '福州市', parentCode: '11' })).toBe(29005)
    expect(await submit({ ...whole, name: '福州市', parentCode: '350102', regionLevel: 4 })).toBe(29005)
    expect(await submit({ ...whole, name: '福州市' })).toBe(200)
    expect(await region('350102')).toMatchObject({ cityName: '福州市' })
  })
})
