import '@testing-library/jest-dom/vitest'
import './screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { PointerEventsCheckLevel, userEvent as people } from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { session } from '../../src/web/session.ts'
import { type Seen, wire } from './screens-wire.ts'
import { tokens } from './wire.ts'

// Whether something could be seen is a browser's question; here it would cost most of the time.
configure({ defaultHidden: true })
const userEvent = people.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never, delay: null })

const leaveFor = vi.hoisted(() => vi.fn())
vi.mock(import('../../src/web/providers/auth.ts'), async original => {
  const real = await original()
  return { ...real, signOut: async () => leaveFor('/login') }
})
const taken = vi.hoisted(() => ({ pictures: [] as string[] }))
vi.mock(import('../../src/web/transfer.ts'), async original => ({
  ...(await original()),
  imageUrl: async (_path, options) => {
    taken.pictures.push(String(options?.params?.id))
    return 'blob:own'
  },
}))

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
const resize = (isSmall: boolean) =>
  act(() => {
    media.small = isSmall
    for (const listener of media.listeners) listener()
  })

const { default: StaffLayout } = await import('../../src/web/chrome/StaffLayout.tsx')
const { TopBar } = await import('../../src/web/chrome/TopBar.tsx')
const { default: Settings } = await import('../../src/web/chrome/Settings.tsx')
const { default: EmbeddedPage } = await import('../../src/web/chrome/EmbeddedPage.tsx')
const { clearLog, record } = await import('../../src/web/chrome/error-log.ts')
const { useAppearance } = await import('../../src/web/chrome/appearance.ts')
const { LOOKS } = await import('../../src/web/chrome/looks.ts')
const { openDialog } = await import('../../src/web/chrome/dialogs.ts')
const { reloadRights } = await import('../../src/web/providers/rights.ts')
const { DEFAULT_COLOUR } = await import('../../src/web/palette.ts')

const node = (code: string, name: string, path: string, rest: object = {}) => ({
  ...{ id: code, name, path, source: '', code, ...rest },
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
const notice = (id: string, title: string, more: object = {}) => ({
  ...{ id, title, releaseTime: '2026-12-01 09:00:00', needSure: 0, read: 0, sure: 0, ...more },
})

let menu: object[] = tree
let topMenu: object[] = []
let notices: object[] = []
const answers: Record<string, (seen: Seen) => unknown> = {
  '/menu/routes': ({ query }) => (query.topMenuId ? [tree[2]] : menu),
  '/menu/top-menu': () => topMenu,
  '/getRoleList': () => [{ roleName: '考务管理员', roleAlias: 'exam_admin' }],
  '/getNoticeList': ({ query }) => {
    const records = query.unread ? notices.filter(one => (one as { read: number }).read === 0) : notices
    return { records, total: records.length }
  },
  '/getNoticeInfo': () => ({ ...notices[0], content: '<p>正文</p>', files: [] }),
}

beforeEach(async () => {
  localStorage.clear()
  window.dispatchEvent(new Event('storage'))
  session.begin(tokens('a', { nick_name: '小张', role_name: 'exam_admin' }))
  ;[menu, topMenu, notices] = [tree, [], []]
  taken.pictures = []
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
const inWindow = (children: ReactNode, at = '/wel/index') =>
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
const console_ = () =>
  inWindow(
    <Routes>
      <Route element={<StaffLayout />}>
        <Route path="*" element={<input aria-label="字段" />} />
      </Route>
    </Routes>,
  )
const bar = () => inWindow(<TopBar routes={tree} folded={false} onFold={() => undefined} onPart={() => undefined} />)
const where = () => screen.getByTestId('where').textContent
const button = (name: string | RegExp) => screen.findByRole('button', { name })

describe('Top bar: collapse toggle, search, FAQ button, lock, role name and nick name, avatar (default picture when none), dropdown with user info and logout (confirm, then return to /login), theme picker, colour picker, logs badge (capped at 99), language, notices.', () => {
  test('collapse toggle', async () => {
    console_()
    await userEvent.click(await button('收起菜单'))
    expect(document.querySelector('aside.side')).toHaveAttribute('data-folded')
    expect(await button('展开菜单')).toBeInTheDocument()
  })

  test('search, FAQ button in a new browser tab, lock, language, notices: each says what it is', async () => {
    bar()
    expect(screen.getByPlaceholderText('搜索菜单')).toBeInTheDocument()
    const faq = screen.getByRole('link', { name: '常见问题' })
    expect([faq.getAttribute('href'), faq.getAttribute('target')]).toEqual(['/problem/problem', '_blank'])
    for (const name of ['锁屏', 'English', '通知', '全屏', '外观', '深色'])
      expect(await button(name)).toBeInTheDocument()
    for (const one of screen.getAllByRole('button')) expect(one).toHaveAccessibleName()
  })

  test('role name and nick name, avatar (default picture when none)', async () => {
    bar()
    const person = await screen.findByRole('button', { name: /小张/ })
    expect(await within(person).findByText('考务管理员')).toBeInTheDocument()
    expect(within(person).getByText('小张')).toBeInTheDocument()
    expect(person.querySelector('img')).toBeNull()
    expect(person.querySelector('.ant-avatar-icon svg')).not.toBeNull()
    act(() => session.update({ avatar: '77' }))
    await waitFor(() => expect(person.querySelector('img')).toHaveAttribute('src', 'blob:own'))
    expect(taken.pictures).toEqual(['77'])
  })

  test('dropdown with user info and logout (confirm, then return to /login)', async () => {
    bar()
    await userEvent.click(await button(/小张/))
    await userEvent.click(await screen.findByRole('menuitem', { name: /个人信息/ }))
    expect(where()).toBe('/info/index')
    await userEvent.click(await button(/小张/))
    await userEvent.click(await screen.findByRole('menuitem', { name: /退出登录/ }))
    await screen.findByText('退出系统, 是否继续?')
    expect(leaveFor).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: /确\s*定|OK/ }))
    expect(leaveFor).toHaveBeenCalledWith('/login')
  })

  test('logs badge (capped at 99)', async () => {
    bar()
    expect(screen.queryByRole('button', { name: '本地错误日志' })).toBeNull()
    act(() => record(new Error('first')))
    expect(await button('本地错误日志')).toBeInTheDocument()
    act(() => {
      for (let at = 0; at < 120; at++) record(new Error(`error ${at}`))
    })
    expect(await screen.findByText('99+')).toBeInTheDocument()
  })
})

describe('Top menu: a home item plus items from a top-menu call.', () => {
  test('its items filter the sidebar, the home item brings all of it back', async () => {
    topMenu = [{ id: '5', name: '统计' }]
    console_()
    await userEvent.click(await button('统计'))
    const side = document.querySelector('aside.side') as HTMLElement
    await waitFor(() => expect(within(side).queryByText('系统')).toBeNull())
    expect(within(side).getByText('大屏')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: '首页' }))
    expect(await within(side).findByText('系统')).toBeInTheDocument()
  })
})

test('The sidebar shows a tip when the menu is empty.', async () => {
  menu = []
  await reloadRights()
  console_()
  expect(await screen.findByText('没有可用的菜单，请联系管理员授权')).toBeInTheDocument()
})

test("A menu item with code 'data' opens in a new window.", async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  console_()
  await userEvent.click(await screen.findByText('大屏'))
  expect(open).toHaveBeenCalledWith('/statistics/screen', '_blank', 'noopener')
  expect(where()).toBe('/wel/index')
  open.mockRestore()
})

test('On small screens a click collapses the sidebar.', async () => {
  resize(true)
  console_()
  await userEvent.click(await button('展开菜单'))
  await userEvent.click(await screen.findByText('系统'))
  await userEvent.click(await screen.findByText('系统参数'))
  expect(where()).toBe('/system/param')
  await waitFor(() => expect(document.querySelector('.ant-drawer-open')).toBeNull())
})

describe('Menu search (Esc closes it) and a top search box that autocompletes by name prefix.', () => {
  const options = () => [...document.querySelectorAll('.ant-select-item-option')].map(one => one.textContent)
  const goThere = async () => {
    bar()
    await userEvent.click(screen.getByPlaceholderText('搜索菜单'))
    return screen.findByRole<HTMLInputElement>('combobox', { name: '搜索菜单' })
  }

  test('by the beginning of the name, not by its middle', async () => {
    const input = await goThere()
    await userEvent.type(input, '系统')
    await waitFor(() => expect(options()).toEqual(['系统参数', '系统字典']))
    await userEvent.clear(input)
    await userEvent.type(input, '参数')
    expect(await screen.findByText('没有这个菜单')).toBeInTheDocument()
  })

  test('by the initials of its pinyin; what is chosen opens', async () => {
    await userEvent.type(await goThere(), 'xtz')
    await waitFor(() => expect(options()).toEqual(['系统字典']))
    fireEvent.click(document.querySelector('.ant-select-item-option') as Element)
    expect(where()).toBe('/system/dict')
  })

  test('Esc closes it', async () => {
    const input = await goThere()
    await userEvent.type(input, '系')
    await waitFor(() => expect(options()).toHaveLength(2))
    await userEvent.keyboard('{Escape}')
    expect(input.value).toBe('')
    expect(input).not.toHaveFocus()
    expect(input).toHaveAttribute('aria-expanded', 'false')
  })

  test('on a small screen it is a dialog, which Esc closes', async () => {
    resize(true)
    console_()
    await userEvent.click(await button('搜索菜单'))
    const dialog = await screen.findByRole('dialog', { name: '搜索菜单' })
    await userEvent.type(await within(dialog).findByRole('combobox'), 'xtcs')
    await waitFor(() => expect(options()).toEqual(['系统参数']))
    await userEvent.keyboard('{Escape}{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: '搜索菜单' })).toBeNull())
  })
})

describe('Notice popover', () => {
  const bell = (name: string | RegExp) => screen.findByRole('button', { name }, { timeout: 5000 })
  const panel = () => screen.findByRole('dialog', { name: '通知' })
  const titles = async () => [...(await panel()).querySelectorAll('.notice-title')].map(one => one.textContent)

  test('counts what is unread and lists it as the server has it; opening one reads it', async () => {
    notices = [notice('2', '第二条'), notice('1', '第一条')]
    bar()
    const open = await bell('通知，2 条未读')
    await userEvent.click(open)
    await waitFor(async () => expect(await titles()).toEqual(['第二条', '第一条']))
    await userEvent.click(screen.getByText('第二条'))
    expect(await screen.findByText('正文')).toBeInTheDocument()
    expect(await bell('通知，1 条未读')).toBe(open)
    expect(wire.seen.filter(one => one.path.endsWith('/readNotice')).map(one => one.query)).toEqual([{ noticeId: '2' }])
  })

  test('all are marked read at once', async () => {
    notices = [notice('3', '第三条')]
    bar()
    await userEvent.click(await bell(/^通知/))
    const all = await button('全部已读')
    notices = []
    await userEvent.click(all)
    expect(await screen.findByText('没有未读通知')).toBeInTheDocument()
    expect(wire.seen.some(one => one.method === 'POST' && one.path.endsWith('/readAllNotices'))).toBe(true)
    await bell('通知')
  })

  test('what must be confirmed is confirmed there', async () => {
    notices = [notice('4', '须确认的', { needSure: 1 })]
    bar()
    await userEvent.click(await bell(/^通知/))
    expect(await screen.findByText('须确认')).toBeInTheDocument()
    await userEvent.click(await screen.findByText('须确认的'))
    await userEvent.click(await button('我已阅读并确认'))
    await waitFor(() => expect(wire.seen.some(one => one.path.endsWith('/sureNotify'))).toBe(true))
  })

  test('a candidate is led to the page of the notice', async () => {
    session.begin(tokens('b', { userType: 2 }))
    notices = [notice('6', '给考生')]
    bar()
    await userEvent.click(await bell(/^通知/))
    await userEvent.click(await screen.findByRole('link', { name: /给考生/ }))
    expect(where()).toBe('/signup/notice/6')
    expect(screen.queryByRole('dialog', { name: '通知' })).toBeNull()
  })

  test('Esc closes it and gives the focus back; the server is not asked again and again', async () => {
    bar()
    const open = await bell('通知')
    await userEvent.click(open)
    await panel()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog', { name: '通知' })).toBeNull()
    expect(open).toHaveFocus()
    await new Promise(resolve => setTimeout(resolve, 1500))
    expect(wire.seen.filter(one => one.path.endsWith('/getNoticeList')).length).toBeLessThanOrEqual(2)
  })
})

test('Logo shows a two-line product title.', async () => {
  console_()
  const logo = await screen.findByRole('link', { name: /聚贤/ })
  expect([...(logo.querySelector('span')?.children ?? [])].map(one => one.textContent)).toEqual([
    '聚贤',
    '卫健公开招聘考试报名',
  ])
})

test('Theme list: default, white, dark, star, smart, iview, vip, cool, d2, hey, lte.', async () => {
  const names = 'default, white, dark, star, smart, iview, vip, cool, d2, hey, lte'
  expect(LOOKS.map(look => look.name).join(', ')).toBe(names)
  inWindow(
    <>
      <TopBar routes={[]} folded={false} onFold={() => undefined} onPart={() => undefined} />
      <Settings open onClose={() => undefined} />
    </>,
  )
  const group = await screen.findByRole('group', { name: '主题' })
  const choices = within(group).getAllByRole('button')
  expect(choices).toHaveLength(11)
  for (const [at, look] of LOOKS.entries()) {
    fireEvent.click(choices[at] as HTMLElement)
    await waitFor(() => expect(document.documentElement.dataset.style).toBe(look.name))
    expect(choices[at]).toHaveAttribute('aria-pressed', 'true')
    expect(document.documentElement.style.getPropertyValue('--jx-radius')).toBe(`${look.radius}px`)
  }
})

test('Default theme is hey, but the top bar forces smart on mount.', async () => {
  const worn = () => document.documentElement.dataset.style
  expect(worn()).toBe('hey')
  const first = bar()
  expect(worn()).toBe('smart')
  first.unmount()
  expect(worn()).toBe('hey')
  localStorage.setItem('juxian-style', 'vip')
  window.dispatchEvent(new Event('storage'))
  bar()
  await waitFor(() => expect(worn()).toBe('vip'))
})

test('Default colour #409EFF.', () => {
  const Colour = () => <output>{useAppearance().colour}</output>
  const { container } = render(<Colour />)
  expect([container.textContent, DEFAULT_COLOUR]).toEqual(['#409EFF', '#409EFF'])
})

describe('/myiframe/:routerPath: embedded page; external http/https or html menu links open here', () => {
  const embedded = (address: string) =>
    inWindow(
      <Routes>
        <Route path="/myiframe/:routerPath" element={<EmbeddedPage />} />
        <Route path="/403" element={<p>nothing</p>} />
      </Routes>,
      `/myiframe/${encodeURIComponent(address)}`,
    )

  test('a page of the menu is shown in a sandbox and is told no token', async () => {
    embedded('https://example.org/page')
    const frame = await screen.findByTitle('外站')
    expect(frame).toHaveAttribute('src', 'https://example.org/page')
    expect(frame).toHaveAttribute('sandbox', 'allow-scripts allow-forms allow-popups allow-same-origin')
    expect(frame).toHaveAttribute('referrerpolicy', 'no-referrer')
  })

  test('a page of our own does not count as ours there', async () => {
    menu = [node('own', '说明', '/guide.html')]
    await reloadRights()
    embedded('/guide.html')
    expect(await screen.findByTitle('说明')).toHaveAttribute('sandbox', 'allow-scripts allow-forms allow-popups')
  })

  test.each(['https://evil.example/', 'javascript:alert(1)//.html'])(
    'what is no page of the menu is not: %s',
    async to => {
      if (to.startsWith('javascript')) menu = [node('evil', '坏', to)]
      await reloadRights()
      embedded(to)
      await waitFor(() => expect(where()).toBe('/403'))
      expect(document.querySelector('iframe')).toBeNull()
    },
  )
})

describe('keyboard shortcuts', () => {
  const press = (keys: string) => userEvent.keyboard(keys)

  test('? lists every one of them; Esc closes the list', async () => {
    console_()
    await press('?')
    const sheet = await screen.findByRole('dialog', { name: '键盘快捷键' })
    for (const key of ['?', '/', 'Ctrl', 'K', 'G', 'H', 'Alt', '←', '→', 'Esc'])
      expect(within(sheet).getAllByText(key).length).toBeGreaterThan(0)
    await press('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: '键盘快捷键' })).toBeNull())
  })

  test.each([['/'], ['{Control>}k{/Control}']])('%s goes to the search', async keys => {
    console_()
    await press(keys)
    await waitFor(() => expect(document.activeElement).toHaveAttribute('id', 'menu-search'))
  })

  test('g and then h goes home, Alt and an arrow to the tab beside', async () => {
    const { visit } = await import('../../src/web/chrome/tab-list.ts')
    for (const path of ['/a', '/b']) act(() => visit({ path, search: '', title: path }))
    console_()
    await press('[[')
    const to = async (keys: string, path: string) => {
      await press(keys)
      await waitFor(() => expect(where()).toBe(path))
    }
    await to('{Alt>}{ArrowRight}{/Alt}', '/a')
    await to('{Alt>}{ArrowRight}{/Alt}', '/b')
    await to('{Alt>}{ArrowLeft}{/Alt}', '/a')
    await to('gh', '/wel/index')
    await to('{Alt>}{ArrowLeft}{/Alt}', '/b')
  })

  test('g and then n opens the notices', async () => {
    console_()
    await press('gn')
    expect(await screen.findByRole('dialog', { name: '通知' })).toBeInTheDocument()
  })

  test('never while somebody types, and none of a single key for who switched them off', async () => {
    console_()
    await userEvent.type(await screen.findByLabelText('字段'), '?[[gh')
    expect(screen.getByLabelText('字段')).toHaveValue('?[gh')
    act(() => (document.activeElement as HTMLElement).blur())
    await press('?')
    const sheet = await screen.findByRole('dialog', { name: '键盘快捷键' })
    expect(document.querySelector('aside.side')).not.toHaveAttribute('data-folded')
    await userEvent.click(within(sheet).getByRole('switch'))
    await press('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: '键盘快捷键' })).toBeNull())
    await press('?[[')
    expect(screen.queryByRole('dialog', { name: '键盘快捷键' })).toBeNull()
    expect(document.querySelector('aside.side')).not.toHaveAttribute('data-folded')
  })
})
