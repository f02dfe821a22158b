import { expect, test } from 'vitest'
import { judge, type Visit } from '../../src/web/guard.ts'
import type { PageRoute } from '../../src/web/pages/route.ts'

const page = (path: string, rest: Partial<PageRoute> = {}): PageRoute => ({
  path,
  title: '',
  load: async () => ({ default: () => null }),
  ...rest,
})

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

const open = page('/register', { access: 'public' })

test.each([
  ['a listed page', visit('/system/param', { screen: true }), 'show'],
  ['a page below a listed one', visit('/exam/examination/12', { page: page('/exam/examination/:id') }), 'show'],
  ['a page that names its menu', visit('/x', { page: page('/x', { menu: '/system/param' }) }), 'show'],
  ['a page for any session', visit('/info/index', { page: page('/info/index', { access: 'signed-in' }) }), 'show'],
  ['a public page without a token', visit('/register', { page: open, signedIn: false }), 'show'],
  ['the root', visit('/'), { to: '/wel/index' }],
  ['a screen that is not in the tree', visit('/system/role', { screen: true }), { to: '/403' }],
  ['a hand-made page that is not in the tree', visit('/examine/list', { page: page('/examine/list') }), { to: '/403' }],
  ['an unknown path', visit('/nothing', { screen: false }), { to: '/404' }],
  ['a listed path that has no page', visit('/exam/examination', { screen: false }), { to: '/404' }],
  ['a prefix that is no parent', visit('/system/params', { page: page('/system/params') }), { to: '/403' }],
  ['a page while the tree is asked for', visit('/system/param', { screen: true, tree: undefined }), 'wait'],
  ['a path while the screens are not known', visit('/system/param'), 'wait'],
  ['no token', visit('/system/param', { signedIn: false }), { to: '/login?redirect=%2Fsystem%2Fparam' }],
  ['no token at the root', visit('/', { signedIn: false }), { to: '/login' }],
  ['a locked screen', visit('/system/param', { locked: true }), { to: '/lock' }],
  ['a locked screen at a public page', visit('/register', { page: open, locked: true }), { to: '/lock' }],
  ['the lock page itself', visit('/lock', { locked: true, page: page('/lock', { access: 'signed-in' }) }), 'show'],
  ['a password that must change', visit('/system/param', { mustChange: true }), { to: '/info/index?tab=password' }],
])('%s', (_name, where, verdict) => {
  expect(judge(where)).toEqual(verdict)
})
