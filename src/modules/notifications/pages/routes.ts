import type { PageRoute } from '../../../screens/parts/route.ts'

const inbox = { title: '消息', load: () => import('./InboxPage.tsx'), access: 'signed-in' } as const

/** What has come for whoever is signed in, candidates and staff alike. */
export const inboxPages: readonly PageRoute[] = [
  { path: '/info/inbox', ...inbox },
  {
    path: '/info/message/:id',
    title: '消息',
    load: () => import('./MessagePage.tsx'),
    access: 'signed-in',
    oneTab: true,
    heading: 'own',
  },
  {
    path: '/exam/telling',
    title: '消息设置',
    load: () => import('./TellingPage.tsx'),
    menu: '/exam/examination',
    audience: 'staff',
  },
  {
    path: '/exam/reminders',
    title: '提醒规则',
    load: () => import('./RemindersPage.tsx'),
    menu: '/exam/examination',
    audience: 'staff',
  },
]
