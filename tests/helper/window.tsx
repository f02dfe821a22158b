import { act, cleanup, configure, render } from '@testing-library/react'
import { App } from 'antd'
import { BrowserRouter } from 'react-router-dom'
import { afterEach, beforeEach, vi } from 'vitest'
import type { PageRoute } from '../../src/screens/parts/route.ts'
import type { MenuNode } from '../../src/screens/providers/rights.ts'
import { tokens } from './wire.ts'

/** Where the application was left for, newest last. */
export const left: string[] = []

/** The window without what stands around tabs and pages. */
async function layout() {
  const { QueryClient, QueryClientProvider } = await import('@tanstack/react-query')
  const { Outlet } = await import('react-router-dom')
  const { TabStrip } = await import('../../src/web/chrome/TabStrip.tsx')
  const client = new QueryClient()
  const Layout = () => (
    <QueryClientProvider client={client}>
      <TabStrip />
      <Outlet />
    </QueryClientProvider>
  )
  return { default: Layout, client }
}

/** What a test of the window brings itself: its pages, its frame, and an ear for where one is sent. */
function stand(pages: readonly PageRoute[]): void {
  vi.resetModules()
  vi.doMock('../../src/web/pages.ts', () => ({ pages }))
  vi.doMock('../../src/web/chrome/StaffLayout.tsx', layout)
  vi.doMock(import('../../src/screens/providers/auth.ts'), async original => ({
    ...(await original()),
    leaveFor: address => void left.push(address),
  }))
}

configure({ asyncUtilTimeout: 30_000 })
vi.stubGlobal('matchMedia', () => ({ matches: false, addListener: () => {}, removeListener: () => {} }))
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  },
)
vi.stubGlobal('scrollTo', (_left: number, top: number) => {
  Object.assign(globalThis, { scrollY: top })
  dispatchEvent(new Event('scroll'))
})
Element.prototype.scrollIntoView = () => undefined

/** An entry of the menu. */
export const entry = (path: string, rest: Partial<MenuNode> = {}): MenuNode => ({
  id: path,
  name: path,
  path,
  source: '',
  code: path,
  ...rest,
})

interface Setup {
  pages: readonly PageRoute[]
  menu?: readonly MenuNode[]
  signedIn?: boolean
}

/** Opens a window of the application at an address. Modules are fresh, as after loading the page. */
export async function openWindow(at: string, { pages, menu = [], signedIn = true }: Setup) {
  const { default: axios } = await import('axios')
  axios.defaults.adapter = async config => {
    const data = config.url === '/blade-system/menu/routes' ? menu : []
    return { data: { code: 200, success: true, data, msg: '' }, status: 200, statusText: '', headers: {}, config }
  }
  stand(pages)
  const { session } = await import('../../src/platform/http/browser/session.ts')
  if (signedIn && !session.token()) session.begin(tokens('one'))
  const { startLanguage } = await import('../../src/platform/i18n/i18n.ts')
  await startLanguage()
  const { loadRights } = await import('../../src/screens/providers/rights.ts')
  if (signedIn) loadRights()
  const { AppRoutes } = await import('../../src/web/routes.tsx')
  history.replaceState({ idx: 0 }, '', at)
  render(
    <App>
      <BrowserRouter>
        <AppRoutes />
      </BrowserRouter>
    </App>,
  )
}

let steps = 0

/** Follows a link inside the application. */
export async function goTo(address: string): Promise<void> {
  await act(async () => {
    history.pushState({ idx: ++steps, key: String(steps) }, '', address)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  })
}

/** A page of words, with a line to type in. */
export const page = (path: string, rest: Partial<PageRoute> = {}): PageRoute => ({
  path,
  title: path,
  load: async () => ({
    default: () => (
      <>
        <p>{`page ${path}`}</p>
        <input aria-label={`input ${path}`} />
      </>
    ),
  }),
  ...rest,
})

/** Names of the tabs, in order. */
export const tabs = (): string[] => [...document.querySelectorAll('.tabs a')].map(link => link.textContent ?? '')

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  left.splice(0)
})

afterEach(async () => {
  cleanup()
  const { lock } = await import('../../src/platform/http/browser/lock.ts')
  lock.off()
})
