import './screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, configure, render, screen } from '@testing-library/react'
import { PointerEventsCheckLevel, userEvent as people } from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom'
import { afterEach, beforeEach, vi } from 'vitest'
import { session } from '../../src/platform/http/browser/session.ts'
import { type Seen, wire } from './screens-wire.ts'
import { tokens } from './wire.ts'

// Whether something could be seen is a browser's question; here it would cost most of the time.
configure({ defaultHidden: true })
export const userEvent = people.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never, delay: null })

const heard = vi.hoisted(() => ({ leaveFor: vi.fn(), pictures: [] as string[] }))
vi.mock(import('../../src/screens/providers/auth.ts'), async original => {
  const real = await original()
  return { ...real, signOut: async () => heard.leaveFor('/login') }
})
vi.mock(import('../../src/platform/http/browser/transfer.ts'), async original => ({
  ...(await original()),
  imageUrl: async (_path, options) => {
    heard.pictures.push(String(options?.params?.id))
    return 'blob:own'
  },
}))
/** Where the application was left for, and the ids of the pictures that were taken. */
export const { leaveFor, pictures } = heard

// Asked once, when the modules are read: how wide this window is.
const media = { small: false, listeners: new Set<() => void>() }
vi.stubGlobal('matchMedia', (query: string) => {
  const isWidth = query.includes('max-width: 767px')
  return {
    get matches() {
      return isWidth && media.small
    },
    addEventListener: (_kind: string, listener: () => void) => isWidth && media.listeners.add(listener),
    removeEventListener: (_kind: string, listener: () => void) => media.listeners.delete(listener),
    addListener: () => undefined,
    removeListener: () => undefined,
  }
})
Element.prototype.scrollIntoView = () => undefined

/** Makes the window as wide as a phone, or wide again. */
export const resize = (isSmall: boolean) =>
  act(() => {
    media.small = isSmall
    for (const listener of media.listeners) listener()
  })

const { default: StaffLayout } = await import('../../src/web/chrome/StaffLayout.tsx')
const { TopBar } = await import('../../src/web/chrome/TopBar.tsx')
const { clearLog } = await import('../../src/screens/window/error-log.ts')
const { openDialog } = await import('../../src/web/chrome/dialogs.ts')
const { reloadRights } = await import('../../src/screens/providers/rights.ts')

/** An item of the menu as the server sends it. */
export const node = (code: string, name: string, path: string, rest: object = {}) => ({
  id: code,
  name,
  path,
  source: '',
  code,
  ...rest,
})
const tree = [
  node('wel', '首页', '/wel/index'),
  node('system', '系统', '', {
    children: [
      node('param', '系统参数', '/system/param'),
      node('dict', '系统字典', '/system/dict'),
      node('secret', '绝密', '/system/secret', { meta: { roles: ['boss'] } }),
    ],
  }),
  node('data', '大屏', '/statistics/screen'),
  node('outer', '外站', 'https://example.org/page'),
]

/** What the server has: a test changes it before the window asks. */
export const given = { menu: tree as object[], topMenu: [] as object[], notices: [] as object[] }
const answers: Record<string, (seen: Seen) => unknown> = {
  '/menu/routes': ({ query }) => (query.topMenuId ? [tree[2]] : given.menu),
  '/menu/top-menu': () => given.topMenu,
  '/getRoleList': () => [{ roleName: '考务管理员', roleAlias: 'exam_admin' }],
  '/inbox/unread': () => {
    const notices = given.notices.filter(one => !(one as { read: boolean }).read).length
    return { messages: 0, notices, mustSure: 0, todos: 0 }
  },
  '/readNotice': ({ query }) => {
    for (const one of given.notices as { id: string; read: boolean }[]) if (one.id === query.noticeId) one.read = true
    return null
  },
  '/inbox/page': ({ query }) => {
    const { notices } = given
    const records = query.tab === 'unread' ? notices.filter(one => !(one as { read: boolean }).read) : notices
    return { records, total: records.length }
  },
  '/getNoticeInfo': () => ({ ...given.notices[0], content: '<p>正文</p>', files: [] }),
}

beforeEach(async () => {
  localStorage.clear()
  window.dispatchEvent(new Event('storage'))
  session.begin(tokens('a', { nick_name: '小张', role_name: 'exam_admin' }))
  Object.assign(given, { menu: tree, topMenu: [], notices: [] })
  pictures.splice(0)
  leaveFor.mockClear()
  wire.answer = seen => ({ data: Object.entries(answers).find(([end]) => seen.path.endsWith(end))?.[1](seen) ?? [] })
  wire.seen = []
  await reloadRights()
})
afterEach(() => {
  act(() => {
    clearLog()
    openDialog()
  })
  resize(false)
})

const Where = () => <output data-testid="where">{useLocation().pathname}</output>

/** Draws a part of the window by itself. */
export const inWindow = (children: ReactNode, at = '/wel/index') =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <App>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <MemoryRouter initialEntries={[at]}>
            {children}
            <Where />
          </MemoryRouter>
        </QueryClientProvider>
      </App>
    </ConfigProvider>,
  )

/** The whole console, with a field to type in as its page. */
export const console_ = () =>
  inWindow(
    <Routes>
      <Route element={<StaffLayout />}>
        <Route path="*" element={<input aria-label="字段" />} />
      </Route>
    </Routes>,
  )

/** The top bar alone. */
export const bar = () =>
  inWindow(<TopBar routes={tree} folded={false} onFold={() => undefined} onPart={() => undefined} />)

/** The path at which the window is. */
export const where = () => screen.getByTestId('where').textContent

/** A button by its name, once it is there. */
export const button = (name: string | RegExp) => screen.findByRole('button', { name })
