import '@testing-library/jest-dom/vitest'
import '../../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { wire } from '../../../../../tests/helper/screens-wire.ts'

const { default: ScorePage } = await import('./ScorePage.tsx')
const { GroupedBars, TimeLine } = await import('../../../statistics/pages/charts.tsx')

const shown = (children: ReactNode) =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    </ConfigProvider>,
  )

const score = (more = {}) => ({
  id: '1',
  examName: '公开招聘',
  itemName: '笔试',
  unitName: '人民医院',
  postName: '医师',
  code: 'A01',
  ticketNo: 'T1',
  score: '72.5',
  addScore: '',
  fullScore: '100',
  totalScore: '',
  resultFlag: 1,
  rankNo: 3,
  isPass: 1,
  isNext: 1,
  confirmStatus: 0,
  confirmTime: '',
  confirmEnd: '',
  canConfirm: false,
  isPromoted: false,
  releaseTime: '2027-01-20 09:00:00',
  appealEndTime: '2099-01-01 00:00:00',
  canAppeal: true,
  appeal: '',
  serverTime: '2027-01-21 09:00:00',
  ...more,
})

beforeEach(() => {
  wire.seen = []
})

test('a score has its rank and what it leads to; absence is a word and no number', async () => {
  wire.answer = () => ({
    data: [score(), score({ id: '2', itemName: '面试', score: '', rankNo: '', resultFlag: 2, isNext: 0 })],
  })
  shown(<ScorePage />)
  const [first, second] = await screen.findAllByRole('region')
  expect(within(first as HTMLElement).getByText('入围')).toBeVisible()
  expect(within(first as HTMLElement).getByText('第 3 名')).toBeVisible()
  expect(first).toHaveTextContent('72.5 / 100')
  expect(within(second as HTMLElement).getByText('缺考')).toBeVisible()
  expect(second).not.toHaveTextContent('/ 100')
})

test('nothing out yet says what will stand here', async () => {
  wire.answer = () => ({ code: 26001, msg: '成绩2027-01-21 09:00:00公布' })
  shown(<ScorePage />)
  expect(await screen.findByText('成绩2027-01-21 09:00:00公布')).toBeVisible()
  expect(await screen.findByText(/公布后可在这里查看成绩/)).toBeVisible()
  expect(screen.queryByRole('button', { name: '重试' })).toBeNull()
})

test('when it is too late for an appeal, it is said why', async () => {
  const appealBlock = '复核申请已于2027-01-25 17:00:00截止'
  wire.answer = () => ({ data: [score({ canAppeal: false, appealBlock })] })
  shown(<ScorePage />)
  expect(await screen.findByText(appealBlock)).toBeVisible()
  expect(screen.queryByRole('button', { name: '申请复核' })).toBeNull()
})

test('an appeal needs a reason, and keeps it when it is refused', async () => {
  wire.answer = ({ method }) => (method === 'POST' ? { code: 26004, msg: '复核申请已截止' } : { data: [score()] })
  shown(<ScorePage />)
  await userEvent.click(await screen.findByRole('button', { name: '申请复核' }))
  const reason = screen.getByLabelText(/申请理由/)
  expect(screen.getByRole('button', { name: '提交申请' })).toBeDisabled()
  await userEvent.type(reason, '怀疑漏判')
  await userEvent.click(screen.getByRole('button', { name: '提交申请' }))
  expect(wire.seen.at(-1)?.body).toEqual({ resultId: '1', reason: '怀疑漏判' })
  expect(screen.getByLabelText(/申请理由/)).toHaveValue('怀疑漏判')
})

test('a chart has its numbers as a table behind it', () => {
  const series = [
    { name: '招聘计划数', colour: 'red', values: [3, 1] },
    { name: '报名人数', colour: 'blue', values: [30, 0] },
  ]
  shown(<GroupedBars label="岗位类别" words={['临床', '护理']} series={series} />)
  const rows = [...screen.getByRole('table', { hidden: true }).querySelectorAll('tr')]
  expect(rows.map(row => [...row.children].map(cell => cell.textContent))).toEqual([
    ['岗位类别', '招聘计划数', '报名人数'],
    ['临床', '3', '30'],
    ['护理', '1', '0'],
  ])
})

test('few numbers are no picture: they stand as they are, with what they are compared with', () => {
  const numbers = () => [...document.querySelectorAll('.chart-numbers > div')].map(one => one.textContent)
  const series = [
    { name: '招聘计划数', colour: 'red', values: [4] },
    { name: '报名人数', colour: 'blue', values: [6] },
  ]
  const one = shown(<GroupedBars label="岗位类别" words={['临床']} series={series} />)
  expect([screen.getByText('临床'), numbers()]).toEqual([expect.anything(), ['招聘计划数4 ', '报名人数6 150%']])
  one.unmount()
  const day = { time: '2026-12-01', num: 2, total: 2 }
  const line = shown(<TimeLine label="趋势" points={[day]} which="num" />)
  expect(numbers()).toEqual(['2026-12-012 累计 2'])
  line.rerender(<TimeLine label="趋势" points={['01', '02', '03'].map(time => ({ ...day, time }))} which="num" />)
  expect(line.container.querySelectorAll('path')[1]?.getAttribute('d')).toBe('M0.00,50.00 L50.00,50.00 L100.00,50.00')
  line.rerender(<TimeLine label="趋势" points={[]} which="num" />)
  expect(screen.getByText('还没有人提交报名')).toBeVisible()
})
