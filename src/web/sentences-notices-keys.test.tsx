import '@testing-library/jest-dom/vitest'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { describe, expect, test, vi } from 'vitest'
import { bar, button, console_, given, inWindow, node, userEvent, where } from '../../tests/helper/chrome-window.tsx'
import { wire } from '../../tests/helper/screens-wire.ts'
import { tokens } from '../../tests/helper/wire.ts'
import { session } from '../platform/http/browser/session.ts'

const { default: EmbeddedPage } = await import('./chrome/EmbeddedPage.tsx')
const { reloadRights } = await import('../screens/providers/rights.ts')

const notice = (id: string, title: string, more: object = {}) => ({
  id,
  title,
  kind: 'notice',
  time: '2026-12-01 09:00:00',
  mustSure: false,
  read: false,
  opens: '',
  ...more,
})

describe('Notice popover', () => {
  const bell = (name: string | RegExp) => screen.findByRole('button', { name }, { timeout: 5000 })
  const panel = () => screen.findByRole('dialog', { name: '消息' })
  const titles = async () => [...(await panel()).querySelectorAll('.notice-title')].map(one => one.textContent)

  test('counts what is unread and lists it as the server has it; opening one reads it', async () => {
    given.notices = [notice('2', '第二条'), notice('1', '第一条')]
    bar()
    const open = await bell('消息，2 条未读')
    await userEvent.click(open)
    await waitFor(async () => expect(await titles()).toEqual(['第二条', '第一条']))
    await userEvent.click(screen.getByText('第二条'))
    expect(await screen.findByText('正文')).toBeInTheDocument()
    expect(await bell('消息，1 条未读')).toBe(open)
    expect(wire.seen.filter(one => one.path.endsWith('/readNotice')).map(one => one.query)).toEqual([{ noticeId: '2' }])
  })

  test('knows within ten seconds what has come, and lists it where it is open; asks seldom where nobody is there', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const asked = () => wire.seen.filter(one => one.path.endsWith('/inbox/unread')).length
    const later = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
    try {
      bar()
      await later(1300)
      expect(asked()).toBeGreaterThan(0)
      act(() => document.body.dispatchEvent(new Event('keydown', { bubbles: true })))
      given.notices = [notice('1', '第一条')]
      await later(10_100)
      fireEvent.click(await bell('消息，1 条未读'))
      expect(await titles()).toEqual(['第一条'])
      given.notices = [notice('2', '第二条'), notice('1', '第一条')]
      await later(10_100)
      await waitFor(async () => expect(await titles()).toEqual(['第二条', '第一条']))
      await later(180_000)
      const before = asked()
      await later(120_000)
      expect(asked() - before).toBeLessThanOrEqual(3)
      vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
      const unseen = asked()
      await later(120_000)
      expect(asked()).toBe(unseen)
    } finally {
      vi.restoreAllMocks()
      vi.useRealTimers()
    }
  })

  test('all are marked read at once', async () => {
    given.notices = [notice('3', '第三条')]
    bar()
    await userEvent.click(await bell(/^消息/))
    const all = await button('全部已读')
    given.notices = []
    await userEvent.click(all)
    expect(await screen.findByText('没有未读消息')).toBeInTheDocument()
    expect(wire.seen.some(one => one.method === 'POST' && one.path.endsWith('/inbox/readAll'))).toBe(true)
    await bell('消息')
  })

  test('what must be confirmed is confirmed there', async () => {
    given.notices = [notice('4', '须确认的', { mustSure: true, needSure: 1, sure: 0 })]
    bar()
    await userEvent.click(await bell(/^消息/))
    expect(await screen.findByText('须确认')).toBeInTheDocument()
    await userEvent.click(await screen.findByText('须确认的'))
    await userEvent.click(await button('我已阅读并确认'))
    await waitFor(() => expect(wire.seen.some(one => one.path.endsWith('/sureNotify'))).toBe(true))
  })

  test('a candidate is led to the page of the notice', async () => {
    session.begin(tokens('b', { userType: 2 }))
    given.notices = [notice('6', '给考生', { opens: '/signup/notice/6' })]
    bar()
    await userEvent.click(await bell(/^消息/))
    await userEvent.click(await screen.findByRole('link', { name: /给考生/ }))
    expect(where()).toBe('/signup/notice/6')
    expect(screen.queryByRole('dialog', { name: '消息' })).toBeNull()
  })

  test('Esc closes it and gives the focus back; the server is not asked again and again', async () => {
    bar()
    const open = await bell('消息')
    await userEvent.click(open)
    await panel()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog', { name: '消息' })).toBeNull()
    expect(open).toHaveFocus()
    await new Promise(resolve => setTimeout(resolve, 1500))
    expect(wire.seen.filter(one => /\/inbox\/(page|unread)$/.test(one.path)).length).toBeLessThanOrEqual(2)
  })
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
    given.menu = [node('own', '说明', '/guide.html')]
    await reloadRights()
    embedded('/guide.html')
    expect(await screen.findByTitle('说明')).toHaveAttribute('sandbox', 'allow-scripts allow-forms allow-popups')
  })

  test.each(['https://evil.example/', 'javascript:alert(1)//.html'])(
    'what is no page of the menu is not: %s',
    async to => {
      if (to.startsWith('javascript')) given.menu = [node('evil', '坏', to)]
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
    const { visit } = await import('./chrome/tab-list.ts')
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

  test('g and then a letter opens a page that the menu has, and the list of keys names those', async () => {
    given.menu = [...given.menu, node('examination', '考试', '/exam/examination')]
    await reloadRights()
    console_()
    await press('gu')
    await press('gx')
    await waitFor(() => expect(where()).toBe('/exam/examination'))
    await press('?')
    const sheet = await screen.findByRole('dialog', { name: '键盘快捷键' })
    const last = [...sheet.querySelectorAll('dl > div')].slice(-2).map(one => one.textContent)
    expect(last).toEqual(['Esc关闭对话框、搜索或下拉列表', 'G X考试'])
  })

  test('g and then n opens the notices', async () => {
    console_()
    await press('gn')
    expect(await screen.findByRole('dialog', { name: '消息' })).toBeInTheDocument()
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
