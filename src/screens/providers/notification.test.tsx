import { act, render, screen } from '@testing-library/react'
import { App, ConfigProvider } from 'antd'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useNotificationProvider } from './notification.ts'

let provider: ReturnType<typeof useNotificationProvider>

function Holder() {
  provider = useNotificationProvider()
  return null
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Lets time pass, in steps that are drawn: milliseconds. */
async function pass(ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += 100) await act(() => vi.advanceTimersByTimeAsync(100))
}

test('the second of two like messages stays as long as the first did', async () => {
  render(
    <ConfigProvider theme={{ token: { motion: false } }}>
      <App>
        <Holder />
      </App>
    </ConfigProvider>,
  )
  const saved = { type: 'success', message: '新增成功', key: 'create-user-notification' } as const
  act(() => provider.open(saved))
  await pass(2500)
  act(() => provider.open(saved))
  await pass(1500)
  expect(screen.getAllByText('新增成功')).not.toEqual([])
  await pass(3000)
  expect(screen.queryByText('新增成功')).toBeNull()
})
