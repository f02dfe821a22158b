import type { PageRoute } from '../../../../screens/parts/route.ts'

const open = { access: 'public', frame: 'bare' } as const

/** Pages for everybody, without signing in. */
export const publicPages: readonly PageRoute[] = [
  { path: '/public/index', title: '招聘公告', load: () => import('./PublicHomePage.tsx'), ...open },
  { path: '/public/exam/:id', title: '考试', load: () => import('./PublicExamPage.tsx'), ...open },
  { path: '/public/notice/:id', title: '公告', load: () => import('./PublicNoticePage.tsx'), ...open },
  { path: '/public/verify', title: '准考证核验', load: () => import('./VerifyPage.tsx'), ...open },
]
