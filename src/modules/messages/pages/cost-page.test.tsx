import '@testing-library/jest-dom/vitest'
import '../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { wire } from '../../../../tests/helper/screens-wire.ts'

vi.mock(import('../../../screens/providers/rights.ts'), async original => ({
  ...(await original()),
  useRights: () => ({
    rights: { routes: [], names: new Map(), paths: new Set(['/send/message']), permissions: {} },
    isPending: false,
    error: null,
  }),
}))

const { default: CostPage } = await import('./CostPage.tsx')

const span = { from: '2026-12-01', to: '2026-12-30' }
const line = { key: '7', name: '春季招聘', title: '', texts: 1340, segments: 4, amount: 20 }
const answerOf = (lines: readonly (typeof line)[]) => {
  const sum = (name: 'texts' | 'segments' | 'amount') => lines.reduce((all, one) => all + one[name], 0)
  const total = { texts: sum('texts'), segments: sum('segments'), amount: sum('amount') }
  return { data: { ...span, unitFen: 5, total, lines } }
}

let address = ''
function Address() {
  const { search } = useLocation()
  address = search
  return null
}

const shown = (at = '/send/cost') =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <App>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <MemoryRouter initialEntries={[at]}>
            <CostPage />
            <Address />
          </MemoryRouter>
        </QueryClientProvider>
      </App>
    </ConfigProvider>,
  )

beforeEach(() => {
  wire.seen = []
})

const hrefs = () => screen.queryAllByRole('link').map(one => one.getAttribute('href'))
const asked = () => wire.seen.at(-1)?.query

test('the grouping stands in the address, and each exam leads to its messages of these days', async () => {
  wire.answer = ({ query }) =>
    answerOf(query.by === 'exam' ? [line, { ...line, key: '', name: '' }] : [{ ...line, key: '2026-12-30' }])
  shown()
  expect(await screen.findByText('2026-12-30')).toBeVisible()
  await waitFor(() => expect(screen.getByLabelText('日期')).toHaveValue('2026-12-01'))
  expect(asked()).toEqual({ by: 'day' })
  expect(screen.getByRole('link')).toHaveTextContent('1,340')
  expect(hrefs()).toEqual([
    '/send/message?sendTime_dategt=2026-12-30+00%3A00%3A00&sendTime_datelt=2026-12-30+23%3A59%3A59',
  ])
  await userEvent.click(screen.getByText('按考试'))
  expect(await screen.findByText('春季招聘')).toBeVisible()
  expect(screen.getByText('与考试无关')).toBeVisible()
  expect(address).toBe('?by=exam')
  expect(hrefs()).toEqual([
    '/send/message?send.examId=7&sendTime_dategt=2026-12-01+00%3A00%3A00&sendTime_datelt=2026-12-30+23%3A59%3A59',
  ])
})

test('days and grouping of the address are asked for; an event leads to its messages, what is of none does not', async () => {
  wire.answer = () =>
    answerOf([
      { ...line, key: 'signup.passed', name: '审核通过', title: '审核通过' },
      { ...line, key: 'validate', name: '短信验证码' },
    ])
  shown('/send/cost?by=event&from=2026-12-01&to=2026-12-30')
  expect(await screen.findByText('短信验证码')).toBeVisible()
  expect(asked()).toEqual({ by: 'event', ...span })
  expect(hrefs()).toEqual([expect.stringContaining(`send.title=${encodeURIComponent('审核通过')}&`)])
  expect(screen.getByText('金额合计').closest('.ant-statistic')).toHaveTextContent('¥0.40')
})

test('days without text messages say so; a failure can be tried again', async () => {
  wire.answer = () => ({ code: 29005, msg: '最多统计366天' })
  shown()
  await userEvent.click(await screen.findByRole('button', { name: '重试' }, { timeout: 20_000 }))
  wire.answer = () => answerOf([])
  await userEvent.click(await screen.findByRole('button', { name: '重试' }, { timeout: 20_000 }))
  await waitFor(() => expect(screen.getByText('这些天没有计费的短信')).toBeVisible())
})
