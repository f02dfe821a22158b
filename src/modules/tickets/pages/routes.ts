import type { PageRoute } from '../../../screens/parts/route.ts'

/** Seats and tickets. */
export const ticketPages: readonly PageRoute[] = [
  { path: '/ticket/allot', title: '编排', load: () => import('./SeatingPage.tsx') },
  { path: '/ticket/notice', title: '准考证下载登记', load: () => import('./DownloadsPage.tsx') },
]
