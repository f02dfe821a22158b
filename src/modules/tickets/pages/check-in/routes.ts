import type { PageRoute } from '../../../../screens/parts/route.ts'

/** The check-in on the day of an exam. The door of a room opens without a network, so nothing but its address leads there. */
export const checkInPages: readonly PageRoute[] = [
  { path: '/ticket/checkin', title: '签到', load: () => import('./CheckInPage.tsx'), audience: 'staff' },
  {
    path: '/ticket/checkin/:roomId',
    title: '考场签到',
    load: () => import('./DoorPage.tsx'),
    audience: 'staff',
    access: 'signed-in',
    frame: 'bare',
  },
]
