import type { PageRoute } from '../../../../screens/parts/route.ts'

/** Making an account, claiming an ID number, and a new password for an account. */
export const registerPages: readonly PageRoute[] = [
  {
    path: '/find-password',
    title: '找回密码',
    load: () => import('./FindPasswordPage.tsx'),
    access: 'public',
    frame: 'bare',
  },
  { path: '/claim', title: '认领进度', load: () => import('./ClaimPage.tsx'), access: 'public', frame: 'bare' },
  { path: '/register', title: '注册', load: () => import('./RegisterPage.tsx'), access: 'public', frame: 'bare' },
]
