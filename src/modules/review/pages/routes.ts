import type { PageRoute } from '../../../screens/parts/route.ts'

/** The reviewer's pages. */
export const examinePages: readonly PageRoute[] = [
  { path: '/examine/list', title: '待审核', load: () => import('./WaitingPage.tsx') },
  { path: '/examine/done', title: '已审核', load: () => import('./DonePage.tsx') },
  { path: '/examine/review', title: '复审', load: () => import('./SecondPage.tsx') },
  { path: '/examine/move', title: '改报审核', load: () => import('./MovePage.tsx') },
  {
    path: '/examine/signup',
    title: '报名',
    load: () => import('./SignupListPage.tsx'),
    audience: 'staff',
    isList: true,
  },
  {
    path: '/examine/photos',
    title: '照片墙',
    load: () => import('./PhotoWallPage.tsx'),
    menu: '/examine/signup',
  },
  {
    path: '/examine/info/:id',
    title: '审核',
    load: () => import('./ReviewPage.tsx'),
    menu: '/examine/list',
    access: 'signed-in',
    audience: 'staff',
    oneTab: true,
  },
]
