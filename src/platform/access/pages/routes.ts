import type { PageRoute } from '../../../screens/parts/route.ts'

/** What a role may do. */
export const rolePages: readonly PageRoute[] = [
  { path: '/system/role/grant/:id', title: '权限设置', load: () => import('./GrantPage.tsx'), menu: '/system/role' },
]
