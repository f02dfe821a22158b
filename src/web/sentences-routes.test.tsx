import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { modules } from '#resources'
import { entry, goTo, left, openWindow, page, tabs } from '../../tests/helper/window.tsx'
import type { PageRoute } from '../screens/parts/route.ts'
import { chromePages } from './chrome/routes.ts'
import { judge, type Visit } from './guard.ts'

const { pages: made } = await vi.importActual<{ pages: readonly PageRoute[] }>('./pages.ts')
const pages = [...made, ...chromePages]
const screens = modules.flatMap(({ path, resources, views }) =>
  [...resources, ...views].map(one => one.route ?? `${path}/${one.name}`),
)

const visit = (path: string, rest: Partial<Visit> = {}): Visit => ({
  address: path,
  path,
  signedIn: true,
  locked: false,
  mustChange: false,
  page: undefined,
  tree: new Set(['/wel/index', '/system/param', '/exam/examination']),
  ...rest,
})

/** A visit to an address of the product as it is. */
const real = (path: string, rest: Partial<Visit> = {}): Visit =>
  visit(path, { page: pages.find(one => one.path === path), screen: screens.includes(path), ...rest })

test.each(['/lock', '/404', '/403', '/500', '/problem/problem'])('%s: public', path => {
  expect(judge(real(path))).toBe('show')
  expect(judge(real(path, { signedIn: false }))).toBe('show')
})

test.each([
  '/wel/index',
  '/wel/dashboard',
  '/info/index',
  '/dict-horizontal/index',
  '/dict-vertical/index',
  '/myiframe/:routerPath',
  '/work/process/leave/form/:processDefinitionId',
  '/work/process/leave/handle/:taskId/:processInstanceId/:businessId',
  '/work/process/leave/detail/:processInstanceId/:businessId',
  '/signup/examPay',
])('%s: authenticated', path => {
  const grant = pages.find(one => one.path === path)?.menu ?? path
  expect(judge(real(path, { tree: new Set([grant]) }))).toBe('show')
  expect(judge(real(path, { signedIn: false }))).toEqual({ to: `/login?${new URLSearchParams({ redirect: path })}` })
})

test.each(['/', '/wel'])('/ redirects to /wel, and /wel to the home page: %s', path => {
  expect(judge(real(path))).toEqual({ to: '/wel/index' })
})

test('Any unknown path redirects to /404.', () => {
  expect(judge(real('/nothing'))).toEqual({ to: '/404' })
  expect(judge(real('/nothing', { tree: new Set(['/nothing']) }))).toEqual({ to: '/404' })
  expect(judge(real('/nothing', { signedIn: false }))).toEqual({ to: '/404' })
  expect(judge(visit('/nothing', { signedIn: false }))).toBe('wait')
})

test.each([
  ['a listed screen', visit('/system/param', { screen: true }), 'show'],
  ['a page below a listed one', visit('/exam/examination/12', { page: page('/exam/examination/:id') }), 'show'],
  ['a page that names its menu', visit('/x', { page: page('/x', { menu: '/system/param' }) }), 'show'],
  ['a screen that is not in the tree', visit('/system/role', { screen: true }), { to: '/403' }],
  ['a hand-made page that is not in the tree', visit('/examine/list', { page: page('/examine/list') }), { to: '/403' }],
  ['a prefix that is no parent', visit('/system/params', { page: page('/system/params') }), { to: '/403' }],
  ['a page while the tree is asked for', visit('/system/param', { screen: true, tree: undefined }), 'wait'],
  ['a path while the screens are not known', visit('/system/param'), 'wait'],
])("All other routes are built from the user's menu tree returned by the server: %s", (_name, where, verdict) => {
  expect(judge(where)).toEqual(verdict)
})

test("a route of the menu tree is called what the menu calls it, also where the menu's address has a query", async () => {
  await openWindow('/a', {
    pages: [page('/a'), page('/b')],
    menu: [entry('/a', { name: '甲' }), entry('/b?x=1', { name: '乙' })],
  })
  await screen.findByText('page /a')
  await waitFor(() => expect(document.title).toContain('甲'))
  await goTo('/b?x=1')
  await screen.findByText('page /b')
  await waitFor(() => expect(tabs()).toEqual(['首页', '甲', '乙']))
})

test('a page made for other people is refused, not missing', async () => {
  await openWindow('/mine', {
    pages: [page('/mine', { audience: 'candidate' }), page('/403', { access: 'public', frame: 'bare' })],
  })
  await screen.findByText('page /403')
})

test('who has gone on from an address that leads elsewhere is not fetched back', async () => {
  const some = [page('/a', { access: 'signed-in' }), page('/wel/index', { access: 'signed-in' })]
  await openWindow('/a', { pages: some })
  await screen.findByText('page /a')
  await act(async () => {
    history.pushState({}, '', '/')
    dispatchEvent(new PopStateEvent('popstate'))
    // Before that step is drawn.
    history.pushState({}, '', '/a?x=1')
  })
  expect(location.pathname).toBe('/a')
  await goTo('/a?x=2')
  await goTo('/')
  await screen.findByText('page /wel/index')
  expect(location.pathname).toBe('/wel/index')
})

test('A user with a token who opens /login is sent to /.', async () => {
  const replace = vi.fn()
  const real = location
  localStorage.setItem('juxian-access-token', 'one')
  vi.stubGlobal('location', { ...real, origin: real.origin, search: '', replace })
  const { start } = await import('./login/form.ts')
  start()
  vi.stubGlobal('location', real)
  expect(replace).toHaveBeenCalledExactlyOnceWith(`${real.origin}/`)
})

test('When the screen is locked, every path other than /lock redirects to /lock.', () => {
  for (const path of ['/system/param', '/', '/nothing', '/problem/problem', '/404', '/ticket/checkin/1'])
    expect(judge(real(path, { locked: true }))).toEqual({ to: '/lock' })
  expect(judge(real('/lock', { locked: true }))).toBe('show')
})

const lockable = { pages: [page('/a', { access: 'signed-in' })] }

test('the locked screen stands in every tab at once, and behind it the page stays as it was', async () => {
  await openWindow('/a?x=1', lockable)
  fireEvent.change(await screen.findByLabelText('input /a'), { target: { value: 'half' } })
  const { lock } = await import('../platform/http/browser/lock.ts')
  // Another tab: the cookie is there, and the storage tells.
  Object.assign(document, { cookie: 'juxian-lock=x.y; path=/' })
  act(() => void dispatchEvent(new StorageEvent('storage', { key: 'juxian-lock-told' })))
  await screen.findByText('解锁')
  expect(location.pathname).toBe('/lock')
  await goTo('/a')
  await waitFor(() => expect(location.pathname).toBe('/lock'))
  act(() => lock.off())
  await waitFor(() => expect(location.pathname).toBe('/a'))
  expect(screen.getByLabelText<HTMLInputElement>('input /a').value).toBe('half')
})

test('a tab that hears of the lock before the cookie has come follows as soon as it is there', async () => {
  await openWindow('/a', lockable)
  await screen.findByText('page /a')
  const cookie = (text: string) => Object.assign(document, { cookie: `juxian-lock=${text}; path=/` })
  const tell = (newValue: string) =>
    act(() => void dispatchEvent(new StorageEvent('storage', { key: 'juxian-lock-told', newValue })))
  tell('on 1')
  cookie('x.y')
  await screen.findByText('解锁')
  tell('off 2')
  cookie('; max-age=0')
  await waitFor(() => expect(location.pathname).toBe('/a'))
})

test('a locked screen is still locked after the page has been loaded anew', async () => {
  await openWindow('/a', lockable)
  const { lock } = await import('../platform/http/browser/lock.ts')
  const { lockMark } = await import('./chrome/lock-mark.ts')
  lock.on(await lockMark('geheim'))
  document.body.replaceChildren()
  await openWindow('/a', lockable)
  await screen.findByText('解锁')
  expect(screen.queryByText('page /a')).toBeNull()
})

test('If the token is empty, the user is logged out locally and sent to /login.', async () => {
  await openWindow('/a', lockable)
  await screen.findByText('page /a')
  localStorage.removeItem('juxian-access-token')
  await goTo('/a?again=1')
  await waitFor(() => expect(left).toEqual([`/login?${new URLSearchParams({ redirect: '/a?again=1' })}`]))
})

test('A user without a token is sent to /login unless the route is flagged as not needing authentication.', async () => {
  const open = page('/open', { access: 'public', frame: 'bare' })
  await openWindow('/open', { pages: [open, ...lockable.pages], signedIn: false })
  await screen.findByText('page /open')
  expect(left).toEqual([])
  await goTo('/a')
  await waitFor(() => expect(left).toEqual(['/login?redirect=%2Fa']))
})

test('a password that must change comes before every other page', () => {
  const owed = (path: string) => judge(real(path, { mustChange: true }))
  expect(owed('/system/param')).toEqual({ to: '/info/owed?redirect=%2Fsystem%2Fparam' })
  expect(owed('/')).toEqual({ to: '/info/owed' })
  expect(owed('/info/owed')).toBe('show')
  expect(pages.find(({ path }) => path === '/info/owed')?.frame).toBe('bare')
})

test('Each visited page is added as a tab (label, path, params, query, meta, group) unless the route disables tabs.', async () => {
  const rest = { access: 'signed-in' } as const
  const some = [
    page('/a/:id', rest),
    page('/quiet', { ...rest, untabbed: true }),
    page('/one/:id', { ...rest, oneTab: true }),
  ]
  await openWindow('/a/1?x=2', { pages: some })
  await screen.findByText('page /a/:id')
  for (const [at, shown] of [
    ['/quiet', '/quiet'],
    ['/one/1', '/one/:id'],
    ['/one/2', '/one/:id'],
    ['/a/2', '/a/:id'],
  ] as const) {
    await goTo(at)
    await waitFor(() =>
      expect(screen.getAllByText(`page ${shown}`).some(one => one.style.display !== 'none')).toBe(true),
    )
  }
  const links = (): string[] => [...document.querySelectorAll('.tabs a')].map(link => link.getAttribute('href') ?? '')
  await waitFor(() => expect(links()).toEqual(['/wel/index', '/a/1?x=2', '/one/2', '/a/2']))
})

test("A query parameter 'target' opens the page in a new window.", async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(window)
  const back = vi.spyOn(history, 'go').mockImplementation(() => undefined)
  await openWindow('/a', lockable)
  await goTo('/a?x=1&target=side')
  expect(open).toHaveBeenCalledExactlyOnceWith(`${location.origin}/a?x=1`, 'side')
  expect(back).toHaveBeenCalledWith(-1)
})

test.each([
  ['/a', '?target=side', { address: '/a', name: 'side' }],
  ['/a', '?x=1&target=_self', { address: '/a?x=1', name: '_blank' }],
  ['//elsewhere.example', '?target=x', { address: '//elsewhere.example', name: 'x' }],
  ['/a', '?x=1', undefined],
])('which window %s%s asks for', async (path, search, found) => {
  const { windowOf } = await import('./chrome/target.ts')
  expect(windowOf(path, search)).toEqual(found)
})
