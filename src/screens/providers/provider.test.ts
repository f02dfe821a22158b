import { beforeEach, expect, test } from 'vitest'
import { ok, type Reply, type Sent, wired } from '../../../tests/helper/wire.ts'
import { filtersToQuery, pageToQuery, sortersToQuery } from './query.ts'

beforeEach(() => localStorage.clear())

test('filters become query keys with Blade endings; empty ones are dropped', () => {
  expect(
    filtersToQuery([
      { field: 'paramName', operator: 'eq', value: '密码' },
      { field: 'paramKey', operator: 'contains', value: 'a' },
      { field: 'status', operator: 'ne', value: 0 },
      { field: 'createTime_dategt', operator: 'eq', value: '2026-01-01 00:00:00' },
      { field: 'signTime', operator: 'between', value: ['2026-01-01 00:00:00', '2026-02-01 00:00:00'] },
      { field: 'amount', operator: 'gte', value: 100 },
      { field: 'examStatus', operator: 'eq', value: [1, 2] },
      { field: 'remark', operator: 'eq', value: '' },
      { field: 'tags', operator: 'eq', value: [] },
      { field: 'unit', operator: 'eq', value: undefined },
    ]),
  ).toEqual({
    paramName: '密码',
    paramKey_like: 'a',
    status_notequal: '0',
    createTime_dategt: '2026-01-01 00:00:00',
    signTime_dategt: '2026-01-01 00:00:00',
    signTime_datelt: '2026-02-01 00:00:00',
    amount_ge: '100',
    examStatus: '1,2',
  })
})

test('an operator the server does not know is a mistake of the page', () => {
  expect(() => filtersToQuery([{ field: 'a', operator: 'nin', value: 1 }])).toThrow('nin')
})

test('orders and pages', () => {
  const sorters = [
    { field: 'sort', order: 'asc' },
    { field: 'createTime', order: 'desc' },
    { field: 'id', order: 'desc' },
  ] as const
  expect(sortersToQuery([...sorters])).toEqual({ ascs: 'sort', descs: 'createTime,id' })
  expect(pageToQuery({ currentPage: 3, pageSize: 50 })).toEqual({ current: 3, size: 50 })
  expect(pageToQuery({ mode: 'off' })).toEqual({})
})

async function provided(answer: (sent: Sent) => Reply) {
  const wire = await wired(answer)
  const { dataProvider } = await import('./data.ts')
  return { ...wire, dataProvider }
}

test('a list asks for a page and answers rows and total', async () => {
  const { dataProvider, sent } = await provided(() => ok({ records: [{ id: '1' }], total: '31' }))
  const answer = await dataProvider.getList({
    resource: 'param',
    pagination: { currentPage: 2, pageSize: 30 },
    sorters: [{ field: 'paramKey', order: 'asc' }],
    meta: { params: { deptId: '7' } },
  })
  expect(answer).toEqual({ data: [{ id: '1' }], total: 31 })
  expect(sent[0]).toMatchObject({ method: 'GET', path: '/blade-system/param/list' })
  expect(sent[0]?.params).toEqual({ current: 2, size: 30, ascs: 'paramKey', deptId: '7' })
})

test('a tree is answered whole', async () => {
  const tree = [{ id: '1', children: [{ id: '2' }] }]
  const { dataProvider } = await provided(() => ok(tree))
  expect(await dataProvider.getList({ resource: 'param' })).toEqual({ data: tree, total: 1 })
})

test('writing goes to submit, removing takes ids in the query', async () => {
  const { dataProvider, sent } = await provided(() => ok({}))
  await dataProvider.create({ resource: 'param', variables: { paramName: 'a' } })
  await dataProvider.update({ resource: 'param', id: '9', variables: { paramName: 'b' } })
  await dataProvider.deleteMany?.({ resource: 'param', ids: ['9', '10'] })
  expect(sent.map(one => [one.method, one.path])).toEqual([
    ['POST', '/blade-system/param/submit'],
    ['POST', '/blade-system/param/submit'],
    ['POST', '/blade-system/param/remove'],
  ])
  expect(JSON.parse(String(sent[1]?.data))).toEqual({ paramName: 'b', id: '9' })
  expect(sent[2]?.params).toEqual({ ids: '9,10' })
})

test('an unknown resource is a mistake of the page', async () => {
  const { dataProvider } = await provided(() => ok(null))
  await expect(dataProvider.getOne({ resource: 'nothing', id: '1' })).rejects.toThrow('nothing')
})
