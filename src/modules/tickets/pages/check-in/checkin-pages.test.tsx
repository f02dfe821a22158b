import '@testing-library/jest-dom/vitest'
import '../../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { wire } from '../../../../../tests/helper/screens-wire.ts'

vi.mock('../../../../screens/providers/rights.ts', () => ({ useCan: (code: string) => code !== 'checkin_appoint' }))
const { default: CheckInPage } = await import('./CheckInPage.tsx')

const day = 24 * 3600_000
const wireTime = (at: number) => new Date(at + 8 * 3600_000).toISOString().slice(0, 19).replace('T', ' ')

/** A stage that begins in some days, as the server tells it to a proctor of one room. */
const stageIn = (days: number, more: object = {}) => {
  const start = Date.now() + days * day
  return {
    itemId: '7',
    examName: '考试',
    itemName: '笔试',
    ticketRelease: 1,
    rooms: 1,
    people: 30,
    arrived: 0,
    absent: 0,
    breach: 0,
    rehearsed: 0,
    startTime: wireTime(start),
    endTime: wireTime(start + 7_200_000),
    openFrom: wireTime(start - day),
    openUntil: wireTime(start + 7_200_000 + day),
    ...more,
  }
}
const room = { roomId: '70', roomNo: '001', roomName: '', schoolName: '一中', proctors: [], people: 30 }

async function shown(stage: object) {
  wire.answer = ({ path }) => ({
    data: path.endsWith('/stages') ? [stage] : [{ ...room, arrived: 0, absent: 0, breach: 0 }],
  })
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <App>
        <QueryClientProvider client={new QueryClient()}>
          <MemoryRouter>
            <CheckInPage />
          </MemoryRouter>
        </QueryClientProvider>
      </App>
    </ConfigProvider>,
  )
  await screen.findByText('001')
}
const addresses = () => screen.queryAllByRole('link').map(one => one.getAttribute('href'))

beforeEach(() => {
  wire.seen = []
})

test('before its check-in a stage can be rehearsed, and what was noted then be deleted', async () => {
  await shown(stageIn(6, { rehearsed: 3 }))
  expect(addresses()).toEqual(['/ticket/checkin/70?rehearsal=1'])
  expect(screen.queryByRole('button', { name: '打开名单' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '清除演练记录（3）' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'OK' }))
  await waitFor(() =>
    expect(wire.seen.filter(one => one.method === 'POST')).toMatchObject([
      { path: '/blade-exam/checkIn/clearRehearsal', body: { itemId: '7' } },
    ]),
  )
})

test.each([
  ['in its check-in', stageIn(0.5), ['/ticket/checkin/70']],
  ['before its tickets are out', stageIn(6, { ticketRelease: 0 }), []],
  ['after its check-in', stageIn(-3), []],
])('%s a stage cannot be rehearsed', async (_when, stage, doors) => {
  await shown(stage)
  expect(addresses()).toEqual(doors)
  expect(screen.queryByText('现在可以演练')).toBeNull()
})
