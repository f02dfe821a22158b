import type { PageRoute } from '../../../screens/parts/route.ts'

/** What a role may do, and where the menu is put in order. */
export const rolePages: readonly PageRoute[] = [
  { path: '/system/role/grant/:id', title: '权限设置', load: () => import('./GrantPage.tsx'), menu: '/system/role' },
  { path: '/system/menu/tidy', title: '整理菜单', load: () => import('./TidyMenusPage.tsx'), menu: '/system/menu' },
]
