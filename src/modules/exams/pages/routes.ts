import type { PageRoute } from '../../../screens/parts/route.ts'

/** What the exam administrator does beyond lists and forms. */
export const examPages: readonly PageRoute[] = [
  { path: '/exam/release/:id', title: '发布考试', load: () => import('./ReleasePage.tsx'), menu: '/exam/examination' },
  { path: '/exam/archive/:id', title: '考试归档', load: () => import('./ArchivePage.tsx'), menu: '/exam/examination' },
  { path: '/exam/form/:id', title: '报名表', load: () => import('./FormBuilderPage.tsx'), menu: '/exam/examination' },
  { path: '/exam/preview/:id', title: '考试预览', load: () => import('./PreviewPage.tsx'), menu: '/exam/examination' },
  { path: '/exam/staff', title: '按单位授权', load: () => import('./staff/StaffPage.tsx'), menu: '/exam/examuser' },
]
