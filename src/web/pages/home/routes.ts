import type { PageRoute } from '../route.ts'

/** Where staff arrive. */
export const homePages: readonly PageRoute[] = [
  { path: '/wel/index', title: '首页', load: () => import('./HomePage.tsx'), access: 'signed-in', audience: 'staff' },
]
