import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { type ReactNode, StrictMode } from 'react'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { setLanguage, startLanguage, t, useT } from '../platform/i18n/i18n.ts'
import { ErrorBoundary } from '../screens/window/ErrorBoundary.tsx'
import { useUnpaidNotices } from './chrome/unpaid.ts'

const unpaid = vi.hoisted(() => ({ items: [] as unknown[] }))
vi.mock(import('../platform/http/browser/http.ts'), async original => ({
  ...(await original()),
  call: async <T,>() => unpaid.items as T,
}))

beforeAll(async () => {
  const listeners = { addListener: () => {}, removeListener: () => {}, addEventListener: () => {} }
  vi.stubGlobal('matchMedia', () => ({ matches: false, ...listeners }))
  await startLanguage()
})

beforeEach(() => localStorage.clear())

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function Candidate(): ReactNode {
  useUnpaidNotices()
  return <p>{useLocation().pathname}</p>
}

const entered = (
  <StrictMode>
    <App>
      <MemoryRouter>
        <Candidate />
      </MemoryRouter>
    </App>
  </StrictMode>
)

const due = (id: string) => ({
  payRecordId: id,
  examName: '考试',
  itemName: `笔试${id}`,
  amount: 10000,
  endTime: '2026-12-01 18:00:00',
})
const notices = (): Element[] => screen.queryAllByText(/待缴 100.00 元/)

test('one notification for each unpaid item, 300 ms apart, staying until closed, leading to the payments', async () => {
  vi.useFakeTimers()
  unpaid.items = [due('1'), due('2'), due('3')]
  render(entered)
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(notices()).toHaveLength(1)
  await act(() => vi.advanceTimersByTimeAsync(299))
  expect(notices()).toHaveLength(1)
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(notices()).toHaveLength(2)
  await act(() => vi.advanceTimersByTimeAsync(120_000))
  expect(notices()).toHaveLength(3)
  fireEvent.click(screen.getByText(/笔试2/))
  expect(screen.getByText('/signup/examPay')).toBeTruthy()
})

test('nothing is shown to who owes nothing', async () => {
  vi.useFakeTimers()
  unpaid.items = []
  render(entered)
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(notices()).toHaveLength(0)
})

test('a failing page is kept in the log, the rest of the window lives, and one can try again', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let broken = true
  function Page(): ReactNode {
    if (broken) throw new Error('boom')
    return <p>fine</p>
  }
  render(
    <>
      <p>window</p>
      <ErrorBoundary>
        <Page />
      </ErrorBoundary>
    </>,
  )
  expect(screen.getByRole('alert').textContent).toContain('页面出错了')
  expect(screen.getByText('window')).toBeTruthy()
  expect(localStorage.getItem('juxian-logs')).toContain('boom')
  broken = false
  fireEvent.click(screen.getByText('重试'))
  expect(screen.getByText('fine')).toBeTruthy()
})

test('the language changes without a reload, keeps what was typed, and is remembered', async () => {
  function Form(): ReactNode {
    useT()
    return <input aria-label={t('保存')} defaultValue="" />
  }
  const { Appearance } = await import('./chrome/Appearance.tsx')
  render(
    <Appearance>
      <Form />
    </Appearance>,
  )
  fireEvent.change(screen.getByLabelText('保存'), { target: { value: 'typed' } })
  await act(() => setLanguage('en'))
  expect((screen.getByLabelText('Save') as HTMLInputElement).value).toBe('typed')
  expect(localStorage.getItem('juxian-lang')).toBe('en')
  await act(() => setLanguage('zh'))
  expect(screen.getByLabelText('保存')).toBeTruthy()
})

test('of messages two stand there at most; a refusal stays until it is closed, what is done for five seconds', async () => {
  vi.useFakeTimers()
  const { Appearance } = await import('./chrome/Appearance.tsx')
  const { traffic } = await import('../platform/http/browser/http.ts')
  let messages: ReturnType<typeof App.useApp>['message'] | undefined
  function Page(): ReactNode {
    messages = App.useApp().message
    return null
  }
  render(
    <Appearance>
      <Page />
    </Appearance>,
  )
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  // What goes takes its time to leave, which is not told here.
  const shown = () =>
    [...document.querySelectorAll('.ant-message-notice')].flatMap(one =>
      one.closest('[class*="-leave"]') ? [] : (one.textContent ?? ''),
    )
  act(() => {
    for (const text of ['第一', '第二', '第三', '第三']) traffic.refused(text)
  })
  await pass(1000)
  expect(shown()).toEqual(['第二×', '第三×'])
  act(() => void messages?.success('新增成功 · 某考试'))
  await pass(4000)
  expect(shown()).toEqual(['第三×', '新增成功 · 某考试'])
  await pass(60_000)
  expect(shown()).toEqual(['第三×'])
  fireEvent.click(screen.getAllByRole('button', { name: '关闭' }).at(-1) as HTMLElement)
  await pass(1000)
  expect(shown()).toEqual([])
})
