import '@testing-library/jest-dom/vitest'
import '../../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { wire } from '../../../../../tests/helper/screens-wire.ts'
import type { Matrix } from '../../contract.ts'

const { StaffMatrix } = await import('./StaffMatrix.tsx')
const { CopyDialog } = await import('./CopyDialog.tsx')
const { useToggle } = await import('./use-toggle.tsx')

const person = (userId: string, name: string, more = {}) => ({
  userId,
  name,
  usable: true,
  idle: 0,
  all: false,
  units: [],
  part: [],
  timed: {},
  ...more,
})
const matrix: Matrix = {
  exam: { id: '9', examName: '甲', examStatus: 0, examineMode: 1 },
  examRole: 2,
  units: [
    { unit: 'u1', unitName: '人民医院', posts: 2, waiting: 0, lacking: [] },
    { unit: 'u2', unitName: '中医院', posts: 1, waiting: 7, lacking: ['B01'] },
  ],
  people: [person('1', '张三', { units: ['u1'] }), person('2', '李四', { all: true, units: ['u1', 'u2'] })],
}

function Shown() {
  const { busy, toggle } = useToggle(matrix)
  return <StaffMatrix units={matrix.units} people={matrix.people} busy={busy} onToggle={toggle} />
}

const within = (children: ReactNode) =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>{children}</App>
      </QueryClientProvider>
    </ConfigProvider>,
  )
const cell = (name: string) => screen.getByRole('button', { name: new RegExp(name) })
const sent = () => wire.seen.filter(one => one.method === 'POST')

beforeEach(() => {
  wire.seen = []
  wire.answer = () => ({ data: { changed: 1 } })
})

test('a unit without anybody says so and how many wait; a cell says what it is and appoints', async () => {
  within(<Shown />)
  const row = screen.getByRole('row', { name: /中医院/ })
  expect(row).toHaveTextContent('无人负责')
  expect(row).toHaveTextContent('待审 7 人')
  expect(screen.getByRole('row', { name: /人民医院/ })).not.toHaveTextContent('无人负责')
  expect(cell('人民医院 · 张三')).toHaveAttribute('aria-pressed', 'true')
  await userEvent.click(cell('中医院 · 张三'))
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({
    path: '/blade-examUser/examuser/appoint',
    body: { examId: '9', examRole: 2, userIds: ['1'], units: ['u2'] },
  })
})

test('the arrows move between cells, the tab key passes the table in one step', async () => {
  within(<Shown />)
  cell('人民医院 · 张三').focus()
  await userEvent.keyboard('{ArrowDown}{ArrowRight}{ArrowRight}')
  expect(cell('中医院 · 李四')).toHaveFocus()
  const stops = screen.getAllByRole('button').filter(one => one.dataset.cell && one.tabIndex === 0)
  expect(stops).toEqual([cell('中医院 · 李四')])
})

test('one unit of somebody with all of them is taken only after a question', async () => {
  within(<Shown />)
  await userEvent.click(cell('人民医院 · 李四'))
  expect((await screen.findAllByText(/李四负责全部单位/))[0]).toBeInTheDocument()
  expect(sent()).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: /OK|确定/ }))
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({ path: '/blade-examUser/examuser/dismiss', body: { userIds: ['2'], units: ['u1'] } })
})

test('a change that somebody else made first is told', async () => {
  wire.answer = () => ({ data: { changed: 0 } })
  within(<Shown />)
  await userEvent.click(cell('中医院 · 张三'))
  expect(await screen.findByText('已是这样，可能刚被他人改过')).toBeInTheDocument()
})

test('a copy says what could not come along', async () => {
  const left = [{ userName: '王五', examRole: 2, msg: '负责的单位都不在本考试中' }]
  wire.answer = ({ method, path }) => {
    if (method === 'POST') return { data: { copied: 3, same: 1, left } }
    return { data: path.endsWith('/select') ? [{ id: '8', label: '去年' }] : [] }
  }
  within(<CopyDialog examId="9" onClose={() => undefined} />)
  await userEvent.click(screen.getByRole('combobox', { name: /来源考试/ }))
  await userEvent.click(await screen.findByText('去年'))
  await userEvent.click(screen.getByRole('button', { name: '复制' }))
  expect(await screen.findByText('复制 3 条，原已有 1 条，1 条未能完整复制')).toBeInTheDocument()
  expect(screen.getByText('负责的单位都不在本考试中')).toBeInTheDocument()
  expect(sent()[0]?.body).toMatchObject({ examId: '9', fromExamId: '8' })
})
