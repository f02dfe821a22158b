import type { PageRoute } from '../route.ts'

/** Making an account, and a new password for one. */
export const registerPages: readonly PageRoute[] = [
  {
    ...{ path: '/find-password', title: '找回密码', load: () => import('./FindPasswordPage.tsx') },
    ...({ access: 'public', frame: 'bare' } as const),
  },
  { path: '/register', title: '注册', load: () => import('./RegisterPage.tsx'), access: 'public', frame: 'bare' },
]
