import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { goTo, openWindow, page, tabs } from '../../tests/helper/window.tsx'
import { hold } from '../screens/window/held-data.ts'
import { type KeptPage, keep } from '../screens/window/kept-pages.ts'

const names = ['/a', '/b', '/c', '/d']
const pages = names.map(path => page(path, { access: 'signed-in' }))
const home = page('/wel/index', { access: 'signed-in', title: '首页' })

/** A window in which `/a` to `/d` were opened one after the other. */
async function four(): Promise<void> {
  await openWindow('/a', { pages: [home, ...pages] })
  for (const path of names) {
    await goTo(path)
    await screen.findByText(`page ${path}`)
  }
  await waitFor(() => expect(tabs()).toEqual(['首页', ...names]))
}

const tab = (name: string): HTMLElement => screen.getByRole('link', { name })
const shown = (path: string): boolean => screen.queryByText(`page ${path}`)?.style.display === ''

test('Tab bar: a home tab plus closable tabs.', async () => {
  await four()
  const closable = screen.getAllByRole('button', { name: /^关闭 / }).map(button => button.getAttribute('aria-label'))
  expect(closable).toEqual(names.map(name => `关闭 ${name}`))
})

test('Closing the active tab opens the previous one.', async () => {
  await four()
  fireEvent.click(screen.getByRole('button', { name: '关闭 /d' }))
  await waitFor(() => expect(location.pathname).toBe('/c'))
  expect(tabs()).toEqual(['首页', '/a', '/b', '/c'])
  fireEvent.click(screen.getByRole('button', { name: '关闭 /a' }))
  expect(location.pathname).toBe('/c')
})

test('Right-click menu: clear cache (confirm 是否需要清除缓存?, success 清除完毕)', async () => {
  await four()
  fireEvent.contextMenu(tab('/b'))
  fireEvent.click(await screen.findByText('清除缓存'))
  await screen.findByText('是否需要清除缓存?')
  fireEvent.click(screen.getByRole('button', { name: /确\s?定|OK/ }))
  await screen.findByText('清除完毕')
})

test('Right-click menu: close others, which keeps the tab it was opened on', async () => {
  await four()
  fireEvent.contextMenu(tab('/b'))
  fireEvent.click(await screen.findByText('关闭其他'))
  await waitFor(() => expect(tabs()).toEqual(['首页', '/b']))
  expect(location.pathname).toBe('/b')
})

test('Right-click menu: close all', async () => {
  await four()
  fireEvent.contextMenu(tab('/b'))
  fireEvent.click(await screen.findByText('关闭全部'))
  await waitFor(() => expect(tabs()).toEqual(['首页']))
  expect(location.pathname).toBe('/wel/index')
})

test('beside them: close unused, which tells how many those were', async () => {
  await four()
  fireEvent.contextMenu(tab('/b'))
  fireEvent.click(await screen.findByText('关闭未用'))
  await screen.findByText('没有超过半小时未用的页签')
  expect(tabs()).toEqual(['首页', ...names])
})

test('a tab whose page holds something unsaved has a sign, as long as it does', async () => {
  await four()
  const field = screen.getByLabelText<HTMLInputElement>('input /d')
  fireEvent.input(field, { target: { value: 'half' } })
  expect((await screen.findByRole('img', { name: '有未保存的内容' })).closest('li')?.textContent).toBe('/d')
  fireEvent.input(field, { target: { value: '' } })
  await waitFor(() => expect(screen.queryByRole('img', { name: '有未保存的内容' })).toBeNull())
})

test('tabs closed faster than the pages before them can be drawn stay closed', async () => {
  await four()
  act(() => {
    for (const path of ['/d', '/c', '/b', '/a']) screen.getByRole('button', { name: `关闭 ${path}` }).click()
  })
  await waitFor(() => expect(location.pathname).toBe('/wel/index'))
  await waitFor(() => expect(tabs()).toEqual(['首页']))
})

test('arrows go along the tabs, Delete closes, and the focus goes to the one before', async () => {
  await four()
  tab('/d').focus()
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(document.activeElement).toBe(tab('/b'))
  await userEvent.keyboard('{Delete}')
  expect(tabs()).toEqual(['首页', '/a', '/c', '/d'])
  expect(document.activeElement).toBe(tab('/a'))
  await userEvent.keyboard('{Home}{Delete}{End}')
  expect(tabs()).toHaveLength(4)
  expect(document.activeElement).toBe(tab('/d'))
})

test('all tabs stand in a list with a search; Enter opens the first that fits', async () => {
  await four()
  fireEvent.click(screen.getByRole('button', { name: /全部页签$/ }))
  const search = await screen.findByRole('textbox', { name: '搜索页签' })
  await userEvent.type(search, '/B')
  const list = screen.getByRole('navigation', { name: '全部页签' })
  expect([...list.querySelectorAll('a')].map(link => link.textContent)).toEqual(['/b'])
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(location.pathname).toBe('/b'))
})

test('a kept page comes back with what was typed and as far down as it was', async () => {
  await four()
  fireEvent.change(screen.getByLabelText('input /d'), { target: { value: 'half' } })
  Object.assign(globalThis, { scrollY: 420 })
  fireEvent.scroll(window)
  await goTo('/a')
  await waitFor(() => expect(shown('/d')).toBe(false))
  expect(scrollY).toBe(0)
  fireEvent.click(tab('/d'))
  await waitFor(() => expect(shown('/d')).toBe(true))
  expect(screen.getByLabelText<HTMLInputElement>('input /d').value).toBe('half')
  expect(scrollY).toBe(420)
})

test('a kept page comes back with its search; an address with another one begins anew', async () => {
  await openWindow('/a?x=1', { pages: [home, ...pages] })
  fireEvent.change(await screen.findByLabelText('input /a'), { target: { value: 'half' } })
  await goTo('/b')
  await waitFor(() => expect(shown('/b')).toBe(true))
  await goTo('/a')
  await waitFor(() => expect(location.search).toBe('?x=1'))
  expect(screen.getByLabelText<HTMLInputElement>('input /a').value).toBe('half')
  await goTo('/b')
  await goTo('/a?x=2')
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('input /a').value).toBe(''))
})

test('a closed page is gone, with what was typed', async () => {
  await four()
  fireEvent.change(screen.getByLabelText('input /d'), { target: { value: 'half' } })
  fireEvent.click(screen.getByRole('button', { name: '关闭 /d' }))
  await waitFor(() => expect(screen.queryByText('page /d')).toBeNull())
  await goTo('/d')
  expect((await screen.findByLabelText<HTMLInputElement>('input /d')).value).toBe('')
})

test('a page that fails leaves the other tabs alone, and is tried again when it is opened again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let broken = true
  const Broken = () => {
    if (broken) throw new Error('boom')
    return <p>mended</p>
  }
  const bad = page('/bad', { access: 'signed-in', load: async () => ({ default: Broken }) })
  await openWindow('/a', { pages: [home, ...pages, bad] })
  fireEvent.change(await screen.findByLabelText('input /a'), { target: { value: 'half' } })
  await goTo('/bad')
  await screen.findByText('页面出错了')
  broken = false
  await goTo('/a')
  await waitFor(() => expect(shown('/a')).toBe(true))
  expect(screen.getByLabelText<HTMLInputElement>('input /a').value).toBe('half')
  await goTo('/bad')
  await screen.findByText('mended')
})

test('of very many pages the one not seen for longest gives way', () => {
  const at = (pathname: string) => ({ pathname, search: '', hash: '', state: null, key: pathname })
  const open = new Set(Array.from({ length: 40 }, (_, n) => `/${n}`))
  let kept: readonly KeptPage[] = []
  for (let n = 0; n < 20; n++) kept = keep(kept, at(`/${n}`), open)
  kept = keep(kept, at('/0'), open)
  kept = keep(kept, at('/20'), open)
  expect(kept).toHaveLength(20)
  expect(kept.map(one => one.path)).toContain('/0')
  expect(kept.map(one => one.path)).not.toContain('/1')
})

test('the data of a hidden page is held, and forgotten when the page is closed', async () => {
  vi.useFakeTimers()
  const client = new QueryClient({ defaultOptions: { queries: { gcTime: 1000 } } })
  const watch = (name: string) =>
    new QueryObserver(client, { queryKey: [name], queryFn: async () => name }).subscribe(() => undefined)
  const leave = ['own', 'shared'].map(watch)
  await act(() => vi.advanceTimersByTimeAsync(0))
  const page = hold(client)
  for (const end of leave) end()
  watch('shared')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(client.getQueryData(['own'])).toBe('own')
  page.forget()
  expect(
    client
      .getQueryCache()
      .getAll()
      .map(query => query.queryKey[0]),
  ).toEqual(['shared'])
  vi.useRealTimers()
})
