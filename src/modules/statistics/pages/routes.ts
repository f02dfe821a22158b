import type { PageRoute } from '../../../screens/parts/route.ts'

/** Sign-ups in numbers. */
export const statisticsPages: readonly PageRoute[] = [
  { path: '/statistics/index', title: '报名统计', load: () => import('./StatisticsPage.tsx') },
  { path: '/statistics/screen', title: '大屏', load: () => import('./BoardPage.tsx'), frame: 'bare', untabbed: true },
  { path: '/pay/statistics', title: '缴费统计', load: () => import('./PayStatisticsPage.tsx') },
]
