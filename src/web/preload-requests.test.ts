import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const asked = (): string[] =>
  [...document.querySelectorAll<HTMLLinkElement>('link[rel=preload]')].map(
    link => `${link.as} ${new URL(link.href).pathname}`,
  )

/** The page as the build leaves it: 100,000 bytes of its own, as many of the window, and what comes next for whom. */
function page(): void {
  const facts = {
    own: 100_000,
    window: 100_000,
    desk: ['/a.js', '/a.css', '/b.js'],
    list: ['/l.js'],
    candidate: ['/c.js'],
  }
  document.head.innerHTML = `<script type="application/json" id="ahead">${JSON.stringify(facts)}</script>
    <script type="module" src="/own.js"></script><link rel="modulepreload" href="/b.js">`
}

/** Runs the script for somebody; `downlink` in megabits a second. */
async function run(downlink: number | undefined, userType = 1): Promise<void> {
  vi.stubGlobal('navigator', { connection: downlink && { downlink } })
  localStorage.setItem('juxian-access-token', 'x')
  localStorage.setItem('juxian-user-info', JSON.stringify({ user_id: '1', userType }))
  vi.resetModules()
  await import('./preload-requests.ts')
}

beforeEach(() => {
  localStorage.clear()
  page()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(performance, 'now').mockReturnValue(300)
  const arrival = [{ responseEnd: 200 }] as PerformanceNavigationTiming[]
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue(arrival)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('on a slow line what comes next is asked for when the own files are nearly here, and only what nobody has asked for', async () => {
  await run(1)
  // 800 ms for the bytes, of which 100 have gone since the page was here.
  await vi.advanceTimersByTimeAsync(690)
  expect(asked()).toEqual([])
  await vi.advanceTimersByTimeAsync(20)
  expect(asked()).toEqual(['script /a.js', 'style /a.css'])
})

test('what a list needs is asked for when the window is nearly here, but for the home page', async () => {
  for (const path of ['/wel/index', '/system/post']) {
    page()
    history.replaceState(null, '', path)
    await run(1)
    await vi.advanceTimersByTimeAsync(1490)
    expect(asked()).toEqual(['script /a.js', 'style /a.css'])
    await vi.advanceTimersByTimeAsync(20)
    expect(asked().includes('script /l.js')).toBe(path !== '/wel/index')
  }
})

test('candidates get what candidates need', async () => {
  await run(10, 2)
  await vi.advanceTimersByTimeAsync(1)
  expect(asked()).toEqual(['script /c.js'])
})

test('where the browser knows nothing of the line: the window when the own file has come, the list when the window has', async () => {
  let told = (_list: { getEntries: () => { name: string }[] }): void => undefined
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(callback: typeof told) {
        told = callback
      }
      observe = () => undefined
      disconnect = () => undefined
    },
  )
  await run(undefined)
  await vi.advanceTimersByTimeAsync(5000)
  expect(asked()).toEqual([])
  told({ getEntries: () => [{ name: new URL('/own.js', location.href).href }] })
  await vi.advanceTimersByTimeAsync(0)
  expect(asked()).toEqual(['script /a.js', 'style /a.css'])
  for (const link of document.querySelectorAll('link[rel=preload]')) link.dispatchEvent(new Event('load'))
  await vi.advanceTimersByTimeAsync(0)
  expect(asked()).toEqual(['script /a.js', 'style /a.css', 'script /l.js'])
})

test('who is not signed in gets nothing ahead', async () => {
  vi.resetModules()
  await import('./preload-requests.ts')
  await vi.advanceTimersByTimeAsync(5000)
  expect(asked()).toEqual([])
})
