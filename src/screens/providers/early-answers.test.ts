import { beforeEach, expect, test, vi } from 'vitest'
import { ok, type Reply, refusal, type Sent, wired } from '../../../tests/helper/wire.ts'

beforeEach(() => localStorage.clear())

async function opened(answer: (sent: Sent, at: number) => Reply) {
  const wire = await wired(answer)
  const { askFirstPage } = await import('../window/screens.ts')
  const { dataProvider } = await import('./data.ts')
  const list = (currentPage = 1) =>
    dataProvider.getList({ resource: 'param', pagination: { currentPage, pageSize: 10, mode: 'server' } })
  const { takeFirst } = await import('./early-answers.ts')
  const list1 = {
    path: '/blade-system/param',
    calls: { list: 'GET list', detail: 'GET detail?id', submit: 'POST submit', remove: 'POST remove?ids' },
    pageSize: 10,
    chip: null,
  } as const
  const first = () => takeFirst(list1)
  const save = () => dataProvider.create({ resource: 'param', variables: { paramName: 'x' } })
  return { ...wire, askFirstPage, list, first, save }
}

test('rows asked for before the list was there are those that it shows, once', async () => {
  const { askFirstPage, list, sent } = await opened(() => ok({ records: [{ id: '1' }], total: '1' }))
  await askFirstPage('/system/param')
  expect(await list()).toEqual({ data: [{ id: '1' }], total: 1 })
  expect(sent).toHaveLength(1)
  await list()
  expect(sent).toHaveLength(2)
})

test('other rows, and rows that came too early, the list asks for itself', async () => {
  const { askFirstPage, list, sent } = await opened(() => ok({ records: [], total: '0' }))
  await askFirstPage('/system/param')
  await list(2)
  expect(sent).toHaveLength(2)
  const later = Date.now() + 11_000
  const clock = vi.spyOn(Date, 'now').mockReturnValue(later)
  await list()
  clock.mockRestore()
  expect(sent).toHaveLength(3)
})

test('what is refused early nobody sees; the list asks again and says what it then hears', async () => {
  const rows = ok({ records: [{ id: '1' }], total: '1' })
  const { askFirstPage, list, shown } = await opened((_sent, at) =>
    at === 0 ? refusal(29007, '请稍后再试', 429) : rows,
  )
  await askFirstPage('/system/param')
  expect(await list()).toEqual({ data: [{ id: '1' }], total: 1 })
  expect(shown).toEqual([])
})

test('rows from before a save are not shown after it', async () => {
  const { askFirstPage, list, save, sent } = await opened(() => ok({ records: [], total: '0' }))
  await askFirstPage('/system/param')
  await save()
  await list()
  expect(sent).toHaveLength(3)
})

test('the first rows are drawn at once where they have come before the list, once', async () => {
  const { askFirstPage, first, list, save, sent } = await opened(() => ok({ records: [], total: '0' }))
  void askFirstPage('/system/param')
  expect(first()).toBeUndefined()
  await askFirstPage('/system/param')
  await expect.poll(first).toEqual({ records: [], total: '0' })
  expect(first()).toBeUndefined()
  expect(sent).toHaveLength(1)
  await askFirstPage('/system/param')
  await save()
  expect(first()).toBeUndefined()
  await list()
  expect(sent).toHaveLength(4)
})
