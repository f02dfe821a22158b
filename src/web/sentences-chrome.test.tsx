import '@testing-library/jest-dom/vitest'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import {
  bar,
  button,
  console_,
  given,
  inWindow,
  leaveFor,
  node,
  pictures,
  resize,
  userEvent,
  where,
} from '../../tests/helper/chrome-window.tsx'
import { wire } from '../../tests/helper/screens-wire.ts'
import { session } from '../platform/http/browser/session.ts'
import type { MenuNode } from '../screens/providers/rights.ts'

const { TopBar } = await import('./chrome/TopBar.tsx')
const { PageHead } = await import('./chrome/PageHead.tsx')
const { Sidebar } = await import('./chrome/Sidebar.tsx')
const { default: Settings } = await import('./chrome/Settings.tsx')
const { record } = await import('../screens/window/error-log.ts')
const { useAppearance } = await import('../screens/window/appearance.ts')
const { LOOKS } = await import('../screens/window/looks.ts')
const { reloadRights } = await import('../screens/providers/rights.ts')
const { DEFAULT_COLOUR } = await import('../screens/window/palette.ts')

describe('Top bar: collapse toggle, search, FAQ button, lock, role name and nick name, avatar (default picture when none), dropdown with user info and logout (confirm, then return to /login), theme picker, colour picker, logs badge (capped at 99), language, notices.', () => {
  test('collapse toggle', async () => {
    console_()
    await userEvent.click(await button('收起菜单'))
    expect(document.querySelector('aside.side')).toHaveAttribute('data-folded')
    expect(await button('展开菜单')).toBeInTheDocument()
  })

  test('search, FAQ button in a new browser tab, lock, language, notices: each says what it is', async () => {
    bar()
    expect(screen.getByPlaceholderText('搜索页面、考试、人员')).toBeInTheDocument()
    const faq = screen.getByRole('link', { name: '常见问题' })
    expect([faq.getAttribute('href'), faq.getAttribute('target')]).toEqual(['/problem/problem', '_blank'])
    for (const name of ['锁屏', 'English', '消息', '全屏', '外观', '深色'])
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
    expect(pictures).toEqual(['77'])
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
    expect(await button('本地错误日志')).toBeInTheDocument()
    act(() => record(new Error('first')))
    expect(await button('本地错误日志')).toBeInTheDocument()
    act(() => {
      for (let at = 0; at < 120; at++) record(new Error(`error ${at}`))
    })
    expect(await screen.findByText('99+')).toBeInTheDocument()
  })
})

describe('where one is', () => {
  test('the way to a page stands above it; its levels lead to their lists, and there is one heading', async () => {
    const head = (at: string, more: object = {}) =>
      inWindow(<PageHead title="系统参数" subject="" isOwn={false} {...more} />, at)
    head('/system/param').unmount()
    const { unmount } = head('/system/param/of/12', { title: '某页', subject: '某人' })
    const way = screen.getByRole('navigation', { name: '所在位置' })
    expect(
      within(way)
        .getAllByRole('listitem')
        .map(one => one.textContent),
    ).toEqual(['系统', '系统参数', '某页'])
    expect(screen.getAllByRole('heading').map(one => one.textContent)).toEqual(['某人'])
    expect(within(way).getByText('某页')).toHaveAttribute('aria-current', 'page')
    await userEvent.click(within(way).getByRole('link', { name: '系统参数' }))
    expect(where()).toBe('/system/param')
    expect(within(way).getByText('某页').previousElementSibling).toHaveTextContent('系统')
    unmount()
    head('/wel/index', { isOwn: true })
    expect(screen.queryByRole('heading')).toBeNull()
    expect(screen.queryByRole('navigation')).toBeNull()
  })

  test('the entry of the open page is brought into view, also of a page below it', async () => {
    const seen: string[] = []
    const spy = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element, how) {
      seen.push(`${this.textContent} ${JSON.stringify(how)}`)
    })
    inWindow(<Sidebar routes={given.menu as MenuNode[]} />, '/system/param/of/12')
    await waitFor(() => expect(seen).toContain('系统参数 {"block":"nearest"}'))
    spy.mockRestore()
  })
})

describe('Top menu: a home item plus items from a top-menu call.', () => {
  test('its items filter the sidebar, the home item brings all of it back', async () => {
    given.topMenu = [{ id: '5', name: '统计' }]
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
  given.menu = []
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
    await userEvent.click(screen.getByPlaceholderText('搜索页面、考试、人员'))
    return screen.findByRole<HTMLInputElement>('combobox', { name: '搜索页面、考试、人员' })
  }

  test('by the beginning of the name, not by its middle', async () => {
    const input = await goThere()
    await userEvent.type(input, '系统')
    await waitFor(() => expect(options()).toEqual(['系统参数', '系统字典']))
    await userEvent.clear(input)
    await userEvent.type(input, '参数')
    expect(await screen.findByText('没有找到')).toBeInTheDocument()
  })

  test('by the initials of its pinyin; what is chosen opens', async () => {
    await userEvent.type(await goThere(), 'xtz')
    await waitFor(() => expect(options()).toEqual(['系统字典']))
    fireEvent.click(document.querySelector('.ant-select-item-option') as Element)
    expect(where()).toBe('/system/dict')
  })

  const rows: Record<string, object> = {
    '/examination/select': [
      { id: '7', label: '2027年护理招聘', examStatus: 1, shortName: '护理27', examCode: 'HL2027' },
    ],
    '/signup/page': {
      records: [
        { id: '41', examId: '7', name: '范宇', signNo: 'BM20270001', signStatus: 1 },
        { id: '42', examId: '7', name: '范雨', signNo: '', signStatus: 0 },
      ],
      total: 2,
    },
    '/examinationticket/page': {
      records: [{ id: '51', examId: '7', name: '范宇', ticketNo: '2027000101' }],
      total: 1,
    },
  }
  // The list reads the number of a key, which the simulated keyboard does not have.
  const press = (key: string, keyCode: number) => fireEvent.keyDown(document.activeElement as Element, { key, keyCode })
  const asked = () => wire.seen.filter(({ path }) => Object.keys(rows).some(end => path.endsWith(end)))
  const found = async (codes: readonly string[]) => {
    const usual = wire.answer
    wire.answer = seen => {
      const end = Object.keys(rows).find(one => seen.path.endsWith(one))
      if (end) return { data: rows[end] }
      return seen.path.endsWith('/menu/buttons') ? { data: codes.map(code => node(code, code, '')) } : usual(seen)
    }
    await reloadRights()
    return goThere()
  }

  test('exams by name, short name or code; what is chosen opens their workspace', async () => {
    const input = await found([])
    await userEvent.type(input, 'hl2')
    await waitFor(() => expect(options()).toEqual(['2027年护理招聘 护理27 · HL2027']))
    expect(asked().map(({ path, query }) => [path, query.keyword])).toEqual([['/blade-exam/examination/select', 'hl2']])
    press('Enter', 13)
    await waitFor(() => expect(where()).toBe('/exam/7'))
  })

  test('people by a number, each where it is opened, for whoever may list them', async () => {
    const input = await found(['signup', 'examinationticket'])
    await userEvent.type(input, '2027')
    await waitFor(() =>
      expect(options()).toEqual(['2027年护理招聘 护理27 · HL2027', '范宇 BM20270001', '范雨 ', '范宇 2027000101']),
    )
    for (let i = 0; i < 3; i += 1) press('ArrowDown', 40)
    press('Enter', 13)
    await waitFor(() => expect(where()).toBe('/exam/7/tickets'))
  })

  test('nobody is asked for who is not listed to the person, or by no number', async () => {
    const input = await found(['signup'])
    await userEvent.type(input, '范宇')
    await waitFor(() => expect(asked()).toHaveLength(1))
    await userEvent.clear(input)
    await userEvent.type(input, '13800001234')
    await waitFor(() => expect(asked().map(({ path }) => path)).toContain('/blade-signup/signup/page'))
    expect(asked().filter(({ path }) => path.includes('ticket'))).toEqual([])
  })

  test('it says when they could not be searched', async () => {
    const input = await found([])
    wire.answer = () => ({ code: 500, msg: '系统错误' })
    await userEvent.type(input, '不知道')
    expect(await screen.findByText('考试和人员没有查到，请稍后重试')).toBeInTheDocument()
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
    await userEvent.click(await button('搜索页面、考试、人员'))
    const dialog = await screen.findByRole('dialog', { name: '搜索页面、考试、人员' })
    await userEvent.type(await within(dialog).findByRole('combobox'), 'xtcs')
    await waitFor(() => expect(options()).toEqual(['系统参数']))
    await userEvent.keyboard('{Escape}{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: '搜索页面、考试、人员' })).toBeNull())
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
