import type { PageRoute } from '../route.ts'

/** Seats and tickets. */
export const ticketPages: readonly PageRoute[] = [
  { path: '/ticket/allot', title: '编排', load: () => import('./AllotPage.tsx') },
]
