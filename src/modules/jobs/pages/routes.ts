import type { PageRoute } from '../../../screens/parts/route.ts'

/** Jobs that servers of their own have, too. */
export const jobPages: readonly PageRoute[] = [
  { path: '/job/info/sync', title: '同步任务', load: () => import('./SyncPage.tsx'), menu: '/job/info' },
]
