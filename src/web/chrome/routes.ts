import type { PageRoute } from '../../screens/parts/route.ts'

/** Pages that belong to the window itself. */
export const chromePages: readonly PageRoute[] = [
  {
    path: '/lock',
    title: '锁屏',
    load: () => import('./LockPage.tsx'),
    access: 'public',
    frame: 'bare',
    untabbed: true,
  },
  { path: '/myiframe/:routerPath', title: '外部页面', load: () => import('./EmbeddedPage.tsx'), access: 'signed-in' },
]
