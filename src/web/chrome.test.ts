import { beforeEach, expect, test, vi } from 'vitest'
import { firstGap } from '../platform/auth/pages/outside/guest.ts'
import { flatten, type MenuNode, permissionMap, visible } from '../screens/providers/rights.ts'
import { openingOf } from '../screens/window/menu-path.ts'
import { trailOf } from './chrome/menu-trail.ts'

const node = (code: string, rest: Partial<MenuNode> = {}): MenuNode => ({
  id: code,
  name: code,
  path: `/${code}`,
  source: '',
  code,
  ...rest,
})

test('leaves of the buttons tree become true flags, with and without an empty list of children', () => {
  const tree = [node('param', { children: [node('param_add'), node('param_edit', { children: [] })] }), node('alone')]
  expect(permissionMap(tree)).toEqual({ param_add: true, param_edit: true, alone: true })
})

test("Sidebar items are hidden when the item's meta roles list does not include the user's role, with what is below them.", () => {
  const tree = [node('a', { meta: { roles: ['admin'] }, children: [node('a1')] }), node('b', { meta: { roles: [] } })]
  expect(flatten(visible(tree, ['reviewer'])).map(one => one.code)).toEqual(['b'])
  expect(flatten(visible(tree, ['reviewer', 'admin'])).map(one => one.code)).toEqual(['a', 'a1', 'b'])
})

test.each([
  [node('param', { path: '/system/param' }), { to: '/system/param', isWindow: false }],
  [node('data', { path: '/statistics/screen' }), { to: '/statistics/screen', isWindow: true }],
  [node('x', { path: 'https://a.cn/b?c=1' }), { to: '/myiframe/https%3A%2F%2Fa.cn%2Fb%3Fc%3D1', isWindow: false }],
  [node('x', { path: 'https://a.cn', isOpen: 2 }), { to: 'https://a.cn', isWindow: true }],
  [node('x', { path: 'javascript:alert(1)', isOpen: 2 }), { to: '/javascript:alert(1)', isWindow: true }],
  [node('x', { path: '//evil.cn/a' }), { to: '/evil.cn/a', isWindow: false }],
  [node('data', { path: '\\\\evil.cn' }), { to: '/evil.cn', isWindow: true }],
  [node('x', { path: 'javascript:alert(1)//.html' }), { to: '/javascript:alert(1)//.html', isWindow: false }],
  [node('x', { path: 'guide.html' }), { to: '/myiframe/guide.html', isWindow: false }],
])('where $path leads', (item, opening) => {
  expect(openingOf(item)).toEqual(opening)
})

test.each([
  ['/system/param', '', ['系统', '参数']],
  ['/pay/list', '?state=0', ['缴费', '待缴']],
  ['/pay/list', '', ['缴费', '全部']],
  // Pages that the menu does not list: by their route, or by the entry above their address.
  ['/exam/form/12', '', ['考试', '列表']],
  ['/exam/12/dues', '', ['考试', '列表']],
  ['/work/process/leave/form/7', '', ['发起']],
  ['/system/param/of/12', '', ['系统', '参数']],
  ['/myiframe/https%3A%2F%2Fexample.org%2Fpage', '', ['外站']],
  ['/elsewhere', '', []],
])('a page at %s%s belongs to an entry of the menu', (pathname, search, names) => {
  const routes = [
    node('考试', { path: '', children: [node('列表', { path: '/exam/examination' })] }),
    node('系统', { path: '/system', children: [node('参数', { path: '/system/param', children: [] })] }),
    node('缴费', {
      path: '/pay',
      children: [node('待缴', { path: '/pay/list?state=0' }), node('全部', { path: '/pay/list' })],
    }),
    node('发起', { path: '/work/start' }),
    node('外站', { path: 'https://example.org/page' }),
  ]
  expect(trailOf(routes, pathname, search).map(one => one.name)).toEqual(names)
})

const guest = { tenantId: '000000', name: '张', account: 'zhang', password: 'a', password2: 'a' }

test.each([
  [{ ...guest, tenantId: '', account: '', password: '' }, '请先输入租户编号'],
  [{ ...guest, account: '', password: '' }, '请先输入账号名称'],
  [{ ...guest, password: '' }, '请先输入密码'],
  [{ ...guest, password2: '' }, '请先输入密码'],
  [{ ...guest, password2: 'b' }, '两次密码输入不一致'],
  [guest, undefined],
])('the first gap of a guest registration', (values, gap) => {
  expect(firstGap(values)).toBe(gap)
})

beforeEach(() => sessionStorage.clear())

async function tabs() {
  vi.resetModules()
  const list = await import('./chrome/tab-list.ts')
  const saved = (): string[] =>
    JSON.parse(sessionStorage.getItem('juxian-tabs') ?? '[]').map((tab: { path: string }) => tab.path)
  return { ...list, saved }
}

const tab = (path: string, search = '') => ({ path, search, title: path })

test('a visited page is one tab with its newest query; the home tab comes first and stays', async () => {
  const { visit, saved, close, HOME } = await tabs()
  visit(tab('/a'))
  visit(tab('/b'))
  visit(tab('/a', '?x=1'))
  expect(saved()).toEqual([HOME.path, '/a', '/b'])
  expect(JSON.parse(sessionStorage.getItem('juxian-tabs') ?? '')[1].search).toBe('?x=1')
  close(HOME.path)
  expect(saved()).toEqual([HOME.path, '/a', '/b'])
})

test('closing answers the tab before; 关闭其他 keeps the open one', async () => {
  const { visit, saved, close, closeAll, HOME } = await tabs()
  for (const path of ['/a', '/b', '/c']) visit(tab(path))
  expect(close('/b').path).toBe('/a')
  expect(close('/a').path).toBe(HOME.path)
  visit(tab('/d'))
  closeAll('/d')
  expect(saved()).toEqual([HOME.path, '/d'])
  closeAll()
  expect(saved()).toEqual([HOME.path])
})

test('a page that was closed and is only passed by leaves no tab; one that is gone to does', async () => {
  const { visit, saved, close, HOME } = await tabs()
  visit(tab('/a'))
  close('/a')
  visit(tab('/a'))
  expect(saved()).toEqual([HOME.path])
  history.pushState(null, '', '/a')
  visit(tab('/a'))
  history.pushState(null, '', '/lock')
  visit(tab('/a', '?x=1'))
  expect(saved()).toEqual([HOME.path, '/a'])
  history.pushState(null, '', '/')
})

test('tabs survive a reload of the window', async () => {
  const { visit } = await tabs()
  visit(tab('/a'))
  const again = await tabs()
  again.visit(tab('/b'))
  expect(again.saved()).toEqual([again.HOME.path, '/a', '/b'])
})

/** Types into a field of the page at a path. */
function typeAt(path: string, into: HTMLInputElement): void {
  history.pushState(null, '', path)
  document.body.append(into)
  into.value = 'half'
  into.dispatchEvent(new Event('input', { bubbles: true }))
}

const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `/${from + at}`)

test('twelve tabs at most: the one unused longest gives way, never one with something unsaved', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { visit, saved, HOME } = await tabs()
  const open = (path: string) => {
    vi.advanceTimersByTime(1000)
    history.pushState(null, '', path)
    visit(tab(path))
  }
  for (const path of numbered(1, 11)) open(path)
  expect(saved()).toHaveLength(12)
  const field = document.createElement('input')
  typeAt('/1', field)
  open('/2')
  open('/12')
  expect(saved()).toEqual([HOME.path, '/1', '/2', ...numbered(4, 12)])
  open('/13')
  expect(saved()).toEqual([HOME.path, '/1', '/2', ...numbered(5, 13)])
  // A dialog leaves the document while its page is hidden, and comes back with it.
  field.remove()
  open('/14')
  expect(saved()).toEqual([HOME.path, '/1', '/2', ...numbered(6, 14)])
  // On the page that is shown, what a form held is gone with it.
  open('/1')
  dispatchEvent(new Event('click'))
  for (const path of numbered(15, 25)) open(path)
  expect(saved()).toEqual([HOME.path, ...numbered(15, 25)])
  vi.useRealTimers()
  history.pushState(null, '', '/')
})

test('关闭未用 closes what has not been opened for half an hour, but for the open tab and what is unsaved', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { visit, saved, closeUnused, HOME } = await tabs()
  for (const path of ['/a', '/b', '/c']) visit(tab(path))
  const field = document.createElement('input')
  typeAt('/c', field)
  vi.advanceTimersByTime(31 * 60_000)
  visit(tab('/d'))
  expect(closeUnused('/a')).toBe(1)
  expect(saved()).toEqual([HOME.path, '/a', '/c', '/d'])
  field.remove()
  vi.useRealTimers()
  history.pushState(null, '', '/')
})

test('tabs that were last opened more than a day ago do not come back with the window', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { visit } = await tabs()
  visit(tab('/a'))
  vi.advanceTimersByTime(24 * 3_600_000)
  visit(tab('/b'))
  const again = await tabs()
  again.visit(tab('/c'))
  expect(again.saved()).toEqual([again.HOME.path, '/b', '/c'])
  vi.useRealTimers()
})
