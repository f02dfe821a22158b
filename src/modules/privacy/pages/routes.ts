import type { PageRoute } from '../../../screens/parts/route.ts'

/** Pages of staff about how long data are kept. */
export const purgePages: readonly PageRoute[] = [
  { path: '/exam/purge', title: '资料清除', load: () => import('./PurgePage.tsx') },
]
