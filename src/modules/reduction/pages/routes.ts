import type { PageRoute } from '../../../screens/parts/route.ts'

/** Cutting positions for want of candidates. */
export const reductionPages: readonly PageRoute[] = [
  { path: '/reduction/post', title: '核减处理', load: () => import('./ReductionPage.tsx') },
  {
    path: '/reduction/choose/:id',
    title: '代录改报',
    load: () => import('./ChooseForPage.tsx'),
    menu: '/reduction/name',
  },
]
