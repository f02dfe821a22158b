import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { resources } from '#resources'
import '../../tests/helper/screens-page.tsx'
import { wire } from '../../tests/helper/screens-wire.ts'
import type { RowButton } from './ActionButtons.tsx'
import { ListCell } from './ListCell.tsx'
import { ShowRow } from './show-row.ts'

const granted = vi.hoisted(() => ({ now: {} as Record<string, true> }))
vi.mock('./providers/rights.ts', () => ({ useCan: (code: string) => granted.now[code] === true }))

afterEach(() => {
  cleanup()
  granted.now = {}
})

const orders = resources.find(one => one.name === 'payorder')!
const records = resources.find(one => one.name === 'payrecord')!
const [payer] = orders.columns
const stage = records.columns.find(one => one.field === 'itemId')!
const row = {
  id: '1',
  userId: '7',
  userIdName: '张敏',
  itemId: '3',
  itemIdName: '笔试',
  examId: '9',
  examIdName: '护理招聘',
}

const shown: string[] = []
const show = (of: typeof orders, column = payer!, open?: RowButton) =>
  render(
    <ShowRow value={(resource, id) => shown.push(`${resource.name} ${id}`)}>
      <ListCell resource={of} column={column} row={row} open={open} />
    </ShowRow>,
    { wrapper: MemoryRouter },
  )

test('the name of an exam leads to its workspace, wherever it stands', async () => {
  show(records, stage)
  expect((await screen.findByRole('link', { name: '护理招聘' })).getAttribute('href')).toBe('/exam/9')
})

test('another name shows its row to whoever may look at such rows, and to nobody else', async () => {
  show(records, stage)
  await screen.findByRole('link')
  expect(screen.queryByRole('button')).toBeNull()
  granted.now = { examinationitem_view: true, user_view: true }
  show(records, stage)
  await screen.findByRole('button', { name: '笔试' })
  show(orders)
  fireEvent.click(await screen.findByRole('button', { name: '张敏' }))
  await waitFor(() => expect(shown).toEqual(['user 7']))
})

test('the code of a position shows the position of that exam; one that is not met is said', async () => {
  granted.now = { examitems_view: true }
  shown.length = 0
  const unit = records.columns.find(one => one.with?.some(name => name === 'code'))!
  wire.answer = ({ query }) => ({ data: { records: query.code_equal === 'A01' ? [{ id: '77' }] : [], total: 1 } })
  const at = (code: string) =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <App>
          <ShowRow value={(resource, id) => shown.push(`${resource.name} ${id}`)}>
            <ListCell resource={records} column={unit} row={{ ...row, unit: '1', code }} />
          </ShowRow>
        </App>
      </QueryClientProvider>,
      { wrapper: MemoryRouter },
    )
  at('A01')
  fireEvent.click(await screen.findByRole('button', { name: 'A01' }))
  await waitFor(() => expect(shown).toEqual(['examitems 77']))
  expect(wire.seen.at(-1)?.query).toMatchObject({ code_equal: 'A01', examId_equal: '9' })
  at('B99')
  fireEvent.click(await screen.findByRole('button', { name: 'B99' }))
  expect(await screen.findByText('没有找到「B99」')).toBeDefined()
  granted.now = {}
  at('C01')
  await screen.findByText('C01')
  expect(screen.queryByRole('button', { name: 'C01' })).toBeNull()
})

test('what opens its own row leads nowhere else', async () => {
  granted.now = { user_view: true }
  show(orders, payer, { key: 'view', label: '查看', run: () => undefined })
  expect(document.querySelectorAll('.row-link')).toHaveLength(0)
  expect(screen.getAllByRole('button')).toHaveLength(1)
})

test('what opens a row is a link where it leads to a page, and a button where it shows the row here', () => {
  const run = vi.fn()
  show(records, stage, { key: 'enter', label: '打开', to: '/exam/9', run })
  expect(screen.getByRole('link', { name: '笔试' }).getAttribute('href')).toBe('/exam/9')
  cleanup()
  show(records, stage, { key: 'view', label: '查看', run })
  fireEvent.click(screen.getByRole('button', { name: '笔试' }))
  expect(run).toHaveBeenCalledOnce()
})

test('a file in the first column is saved by a press, and is no button in another', async () => {
  const files = resources.find(one => one.name === 'noticefile')!
  const column = files.columns.find(one => one.field === 'attachId')!
  wire.answer = () => ({ data: { id: '5', fileName: '公告.pdf' } })
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <ListCell
          resource={files}
          column={column}
          row={{ ...row, attachId: '5' }}
          open={{ key: 'view', label: '查看', run: () => undefined }}
        />
      </App>
    </QueryClientProvider>,
    { wrapper: MemoryRouter },
  )
  await screen.findByRole('button', { name: /公告\.pdf|下载/ })
  expect(container.querySelector(':is(button, a) :is(button, a)')).toBeNull()
})
