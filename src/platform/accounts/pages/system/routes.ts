import type { PageRoute } from '../../../../screens/parts/route.ts'

/** Pages of the administration that no definition can say. */
export const systemPages: readonly PageRoute[] = [
  {
    path: '/system/topmenu/grant/:id',
    title: '菜单配置',
    load: () => import('../../../access/pages/system/TopMenuGrantPage.tsx'),
    menu: '/system/topmenu',
  },
  {
    path: '/system/user/platform/:id',
    title: '平台配置',
    load: () => import('./PlatformPage.tsx'),
    menu: '/system/user',
  },
  { path: '/system/user', title: '用户', load: () => import('./UserPage.tsx') },
  {
    path: '/system/datascope',
    title: '数据权限',
    load: () => import('../../../access/pages/system/DataScopePage.tsx'),
  },
]
