import type { PageRoute } from '../../screens/parts/route.ts'

const load = () => import('./ErrorPage.tsx')

/** What is shown instead of a page. */
export const errorPages: readonly PageRoute[] = [
  { path: '/403', title: '没有权限', load, access: 'public', frame: 'bare' },
  { path: '/404', title: '页面不存在', load, access: 'public', frame: 'bare' },
  { path: '/500', title: '系统错误', load, access: 'public', frame: 'bare' },
]
