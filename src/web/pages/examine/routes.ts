import type { PageRoute } from '../route.ts'

/** The reviewer's pages. */
export const examinePages: readonly PageRoute[] = [
  { path: '/examine/list', title: '待审核', load: () => import('./WaitingPage.tsx') },
  { path: '/examine/done', title: '已审核', load: () => import('./DonePage.tsx') },
  { path: '/examine/review', title: '复审', load: () => import('./SecondPage.tsx') },
  {
    path: '/examine/info/:id',
    title: '审核',
    load: () => import('./ReviewPage.tsx'),
    access: 'signed-in',
    audience: 'staff',
  },
]
