import '@testing-library/jest-dom/vitest'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { JobInfo } from '#schemas/jobs/job-info'
import '../../../tests/helper/screens-page.tsx'
import { type Said, type Seen, wire } from '../../../tests/helper/screens-wire.ts'
import { FieldInput } from './inputs.tsx'

const times = ['2026-11-22 02:00:00', '2026-11-23 02:00:00']

beforeEach(() => {
  wire.seen.length = 0
  wire.answer = ({ query }: Seen): Said =>
    query.expression === 'x' ? { code: 29005, msg: 'CRON表达式应为6段或7段' } : { data: { times } }
})

let kept: string | undefined

/** The input with its kind of timing, which a button changes. */
function Timing({ type: first, value: initial }: { type: number; value?: string }) {
  const [value, setValue] = useState<unknown>(initial)
  const [type, setType] = useState(first)
  kept = value as string | undefined
  return (
    <App>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <FieldInput
          as="jobTiming"
          id="timing"
          name="timeExpression"
          field={JobInfo.properties.timeExpression}
          value={value}
          onChange={setValue}
          beside={type}
        />
        <button type="button" onClick={() => setType(3)}>
          固定频率
        </button>
      </QueryClientProvider>
    </App>
  )
}

const asked = () => wire.seen.filter(({ path }) => path.endsWith('/next')).map(({ query }) => query.expression)

test('the next times stand under an expression; what is wrong with it stands there instead', async () => {
  render(<Timing type={2} value="0 0 2 * * ?" />)
  for (const time of times) expect(await screen.findByText(time)).toBeVisible()
  const input = screen.getByRole('textbox')
  await userEvent.clear(input)
  expect(screen.queryByText(times[0] as string)).toBeNull()
  await userEvent.type(input, 'x')
  expect(await screen.findByText('CRON表达式应为6段或7段')).toBeVisible()
  expect(asked()).toEqual(['0 0 2 * * ?', 'x'])
})

test('an expression of another kind of timing is taken away; milliseconds are a number', async () => {
  render(<Timing type={2} value="0 0 2 * * ?" />)
  await userEvent.click(screen.getByText('固定频率'))
  await waitFor(() => expect(kept).toBeUndefined())
  await userEvent.type(screen.getByRole('spinbutton'), '60000')
  expect(kept).toBe('60000')
})

test('a daily interval is entered in words, and is JSON as job servers write it', async () => {
  const value = JSON.stringify({ interval: 5, startTimeOfDay: '09:00:00', endTimeOfDay: '18:00:00' })
  render(<Timing type={11} value={value} />)
  expect(screen.getByText('秒')).toBeVisible()
  expect(screen.getByLabelText('开始时间')).toHaveValue('09:00:00')
  await userEvent.click(screen.getByRole('checkbox', { name: '周日' }))
  const interval = screen.getByRole('spinbutton')
  await userEvent.clear(interval)
  await userEvent.type(interval, '30')
  expect(JSON.parse(kept ?? '')).toEqual({
    interval: 30,
    intervalUnit: 'SECONDS',
    startTimeOfDay: '09:00:00',
    endTimeOfDay: '18:00:00',
    daysOfWeek: [1, 2, 3, 4, 5, 6],
  })
})
