import type { PageRoute } from '../route.ts'

/** Making an account. */
export const registerPages: readonly PageRoute[] = [
  { path: '/register', title: '注册', load: () => import('./RegisterPage.tsx'), access: 'public', frame: 'bare' },
]
