import '../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, test } from 'vitest'
import { wire } from '../../tests/helper/screens-wire.ts'
import { putNotices } from '../modules/notifications/pages/parts/unread.ts'
import { Side } from './chrome/Side.tsx'

let waiting = 0
const asked = () => wire.seen.filter(({ path }) => path.endsWith('/home/staff')).length

beforeEach(() => {
  wire.seen.length = 0
  wire.answer = () => ({ data: { todo: Array.from({ length: waiting }, (_, n) => ({ code: String(n) })) } })
})

function show(small: boolean): void {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={['/system/param']}>
        <Side routes={[]} folded={false} onFold={() => undefined} small={small} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

test('a drawer that was opened says at once how much waits', async () => {
  waiting = 2
  show(true)
  const link = await screen.findByRole('link', { name: /我的待办/ })
  await waitFor(() => expect(link.textContent).toBe('我的待办2'))
})

test('the menu leads to what waits, says how much once somebody is there, and counts again when something comes', async () => {
  waiting = 2
  show(false)
  const link = screen.getByRole('link', { name: '我的待办' })
  expect([link.getAttribute('href'), asked()]).toEqual(['/wel/index', 0])
  fireEvent.pointerMove(document.body)
  await waitFor(() => expect(link.textContent).toBe('我的待办2'))
  expect(asked()).toBe(1)
  waiting = 3
  act(() => putNotices({ records: [], total: 5 }))
  await waitFor(() => expect(link.textContent).toBe('我的待办3'))
  expect(asked()).toBe(2)
  waiting = 0
  act(() => putNotices({ records: [], total: 4 }))
  await waitFor(() => expect(link.textContent).toBe('我的待办'))
})
