import type { PageRoute } from '../../../../screens/parts/route.ts'

/** Where people come back to from providers elsewhere, and where programs elsewhere send them. */
export const outsidePages: readonly PageRoute[] = [
  {
    path: '/oauth/redirect/:source',
    title: '第三方登录',
    load: () => import('./ReturnPage.tsx'),
    access: 'public',
    frame: 'bare',
  },
  {
    path: '/oauth/authorize',
    title: '授权登录',
    load: () => import('./AuthorizePage.tsx'),
    access: 'signed-in',
    frame: 'bare',
  },
]
