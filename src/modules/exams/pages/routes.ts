import type { PageRoute } from '../../../screens/parts/route.ts'

/** What the exam administrator does beyond lists and forms. */
export const examPages: readonly PageRoute[] = [
  {
    path: '/exam/release/:id',
    title: '发布考试',
    load: () => import('./MovedRelease.tsx'),
    menu: '/exam/examination',
    untabbed: true,
  },
  {
    path: '/exam/archive/:id',
    title: '归档',
    load: () => import('./ArchivePage.tsx'),
    menu: '/exam/examination',
    untabbed: true,
  },
  {
    path: '/exam/new',
    title: '新建考试',
    load: () => import('./new-exam/NewExamPage.tsx'),
    menu: '/exam/examination',
  },
  { path: '/exam/staff', title: '按单位授权', load: () => import('./staff/StaffPage.tsx'), menu: '/exam/examuser' },
]
