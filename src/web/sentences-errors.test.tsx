import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { type ReactNode, Suspense } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import '../../tests/helper/screens-page.tsx'
import { wire } from '../../tests/helper/screens-wire.ts'
import { traffic } from '../platform/http/browser/http.ts'
import type { LogEntry } from '../screens/contract.ts'
import { ErrorBoundary } from '../screens/window/ErrorBoundary.tsx'
import { clearLog, fitting, record, useErrorLog, watchErrors } from '../screens/window/error-log.ts'
import { lazyPart, loadPart } from '../screens/window/lazy-page.ts'
import LogsDialog from './chrome/LogsDialog.tsx'

beforeAll(watchErrors)

beforeEach(() => {
  clearLog()
  sessionStorage.clear()
  wire.seen = []
  wire.answer = () => ({ data: [] })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const log = (): LogEntry[] => JSON.parse(localStorage.getItem('juxian-logs') ?? '[]')

test('Unhandled UI errors go to a local log (type error, message, stack, info, page address, time)', () => {
  const error = new Error('boom')
  dispatchEvent(new ErrorEvent('error', { error }))
  const [entry] = log()
  expect(entry).toMatchObject({
    type: 'error',
    message: 'boom',
    stack: error.stack,
    info: 'window',
    url: location.href,
  })
  expect(entry?.time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
})

/** A promise that nobody catches, as the browser tells of it. */
function uncaught(reason: unknown): void {
  dispatchEvent(Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason }))
}

test('a promise nobody catches is kept too; a refusal is an answer and no error', () => {
  uncaught(new Error('lost'))
  uncaught(Object.assign(new Error('不能发布'), { name: 'ApiError' }))
  expect(log().map(one => one.message)).toEqual(['lost'])
})

test('a failed call is kept with its address and stack; a refused or cancelled one is not', async () => {
  const { call } = await import('../platform/http/browser/http.ts')
  traffic.failed = record
  wire.answer = ({ path }) => ({ code: path === '/fault' ? 500 : 22003, msg: path })
  const stop = new AbortController()
  stop.abort()
  await Promise.allSettled([call('POST', '/fault'), call('GET', '/refused')])
  wire.answer = () => {
    throw new Error('Network Error')
  }
  await Promise.allSettled([call('GET', '/far'), call('GET', '/stopped', { signal: stop.signal })])
  expect(log().map(one => one.message)).toEqual(['GET /far: Network Error', 'POST /fault: /fault'])
  expect(log().every(one => one.stack.includes('at '))).toBe(true)
})

function Dialog(): ReactNode {
  return (
    <App>
      <output>{useErrorLog().length}</output>
      <LogsDialog open onClose={() => undefined} />
    </App>
  )
}

const press = async (name: string): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name }))
}
const agree = async (question: string): Promise<void> => {
  await screen.findByText(question)
  fireEvent.click(screen.getAllByRole('button', { name: /^(确\s?定|OK)$/ }).at(-1) as HTMLElement)
}

test('Logs dialog: full-screen, columns type, url, message, stack, time.', async () => {
  record(new Error('<b id="planted">one</b>'))
  record(new Error('<b id="planted">one</b>'))
  render(<Dialog />)
  const heads = screen.getAllByRole('columnheader').map(head => head.textContent)
  expect(heads).toEqual(['类型', '地址', '内容', '错误堆栈', '时间'])
  expect(document.querySelector<HTMLElement>('.ant-modal')?.style.width).toBe('100vw')
  // Nothing is rendered as HTML, and equal errors are two rows.
  expect(document.getElementById('planted')).toBeNull()
  expect(document.querySelectorAll('.ant-table-row')).toHaveLength(2)
})

test('Buttons: upload to server (confirm 确定上传本地日志到服务器?, success 发送成功!)', async () => {
  record(new Error('one'))
  render(<Dialog />)
  await press('上传服务器')
  await agree('确定上传本地日志到服务器?')
  await screen.findByText('发送成功!')
  expect(wire.seen[0]).toMatchObject({ method: 'POST', path: '/blade-auth/oauth/logout', body: [{ message: 'one' }] })
  expect(log()).toEqual([])
})

test('what the server does not take stays in the local log', async () => {
  record(new Error('one'))
  wire.answer = () => ({ code: 29007, msg: '操作过于频繁' })
  render(<Dialog />)
  await press('上传服务器')
  await agree('确定上传本地日志到服务器?')
  await waitFor(() => expect(wire.seen).toHaveLength(1))
  await act(() => Promise.resolve())
  expect(log()).toHaveLength(1)
})

test('and clear local log (confirm 确定清空本地日志记录?, success 清空成功!).', async () => {
  record(new Error('one'))
  render(<Dialog />)
  await press('清空本地日志')
  await agree('确定清空本地日志记录?')
  await screen.findByText('清空成功!')
  expect(log()).toEqual([])
  expect(wire.seen).toEqual([])
})

test('a full log of long stacks fits into one upload', () => {
  const one = {
    url: location.href,
    time: '',
    type: 'error' as const,
    message: '错'.repeat(3000),
    info: 'i'.repeat(9000),
  }
  const all = fitting(Array.from({ length: 100 }, () => ({ ...one, stack: 's'.repeat(9000) })))
  expect(all).toHaveLength(100)
  expect(new Blob([JSON.stringify(all)]).size).toBeLessThan(200 * 1024)
  expect(fitting([{ ...one, stack: 'short' }])[0]).toMatchObject({ stack: 'short', message: one.message })
})

test.each([
  ['Failed to fetch dynamically imported module: /assets/a.js', 'ChunkLoadError'],
  ['Unable to preload CSS for /assets/a.css', 'CSS_CHUNK_LOAD_FAILED'],
])('Code-split load failures raise ChunkLoadError or CSS_CHUNK_LOAD_FAILED: %s', async (text, name) => {
  await expect(loadPart(() => Promise.reject(new TypeError(text)))).rejects.toMatchObject({ name, message: text })
})

test('Code-split load failures raise ChunkLoadError after a time-out of 120 s.', async () => {
  vi.useFakeTimers()
  const late = loadPart(() => new Promise(() => undefined))
  const outcome = vi.fn()
  late.catch(outcome)
  await vi.advanceTimersByTimeAsync(119_999)
  expect(outcome).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(outcome.mock.calls[0]?.[0]).toMatchObject({ name: 'ChunkLoadError' })
})

const gone = new TypeError('Failed to fetch dynamically imported module: /assets/a.js')

/** Shows a page whose file is gone; `reached` says whether the server answers. Answers what would reload the window. */
async function missing(reached: boolean) {
  const real = location
  const reload = vi.fn()
  vi.stubGlobal('location', { ...real, pathname: '/a', href: real.href, reload })
  vi.stubGlobal('fetch', async () => {
    if (!reached) throw new TypeError('Failed to fetch')
    return new Response(null)
  })
  const { Component } = lazyPart<object>(() => Promise.reject(gone))
  render(
    <ErrorBoundary>
      <Suspense>
        <Component />
      </Suspense>
    </ErrorBoundary>,
  )
  await screen.findByText('页面没有加载成功')
  await act(async () => void (await new Promise(done => setTimeout(done, 20))))
  vi.stubGlobal('location', real)
  return reload
}

test('a page that cannot be loaded is loaded anew once, and then says so', async () => {
  expect(await missing(true)).toHaveBeenCalledTimes(1)
  cleanup()
  expect(await missing(true)).not.toHaveBeenCalled()
  expect(screen.getByRole('alert').textContent).toContain('可能是网络不稳定，或系统刚刚更新。')
})

test('without a network a page that cannot be loaded leaves the window as it is', async () => {
  expect(await missing(false)).not.toHaveBeenCalled()
})

test('whoever presses a button whose part cannot be loaded is told', () => {
  const told = vi.fn()
  traffic.refused = told
  uncaught(gone)
  uncaught(new Error('another'))
  expect(told).toHaveBeenCalledExactlyOnceWith('没有加载成功，请检查网络后重试或刷新页面')
})
