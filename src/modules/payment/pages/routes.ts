import type { PageRoute } from '../../../screens/parts/route.ts'

/** Pages of finance beside the generated ones. */
export const payPages: readonly PageRoute[] = [
  { path: '/pay/statistics', title: '缴费统计', load: () => import('./PayStatisticsPage.tsx') },
]
