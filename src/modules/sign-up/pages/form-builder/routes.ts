import type { PageRoute } from '../../../../screens/parts/route.ts'

/** What candidates fill in, as it is built and looked at by staff. */
export const formBuilderPages: readonly PageRoute[] = [
  {
    path: '/exam/form/:id',
    title: '报名表',
    load: () => import('./FormBuilderPage.tsx'),
    menu: '/exam/examination',
    untabbed: true,
  },
  { path: '/exam/preview/:id', title: '考试预览', load: () => import('./PreviewPage.tsx'), menu: '/exam/examination' },
]
