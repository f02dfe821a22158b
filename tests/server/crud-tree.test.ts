import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Dept } from '#schemas/system/dept'
import { growTree } from '../../src/server/crud/tree.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { insert } from '../helper/sample.ts'

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
      ...{ method: 'POST', url: '/api/blade-system/dept/submit', headers: admin.headers },
      payload: { id: top?.id, parentId: leaf?.id },
    })
    expect(answer.code).toBe(29005)
  })
})
