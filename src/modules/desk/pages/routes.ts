import type { PageRoute } from '../../../screens/parts/route.ts'

/** An entry that only development builds have; elsewhere the address leads to nothing. */
const testPages: readonly PageRoute[] = [
  { path: '/test/index', title: '测试页', load: () => import('./TestPage.tsx'), access: 'signed-in' },
]

/** Where staff arrive, and what they see at a glance. */
export const homePages: readonly PageRoute[] = [
  {
    path: '/wel/index',
    title: '首页',
    load: () => import('./HomePage.tsx'),
    access: 'signed-in',
    audience: 'staff',
    heading: 'own',
  },
  {
    path: '/wel/dashboard',
    title: '数据看板',
    load: () => import('./DashboardPage.tsx'),
    access: 'signed-in',
    audience: 'staff',
  },
  { path: '/system/health', title: '系统健康', load: () => import('./SystemHealthPage.tsx') },
  ...(import.meta.env.DEV ? testPages : []),
]
