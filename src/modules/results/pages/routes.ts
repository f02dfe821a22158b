import type { PageRoute } from '../../../screens/parts/route.ts'

/** Results of exams. */
export const resultPages: readonly PageRoute[] = [
  { path: '/result/list', title: '成绩', load: () => import('./ResultPage.tsx') },
  { path: '/result/vacancy', title: '空缺递补', load: () => import('./VacancyPage.tsx') },
  { path: '/result/final', title: '入围与总成绩', load: () => import('./FinalPage.tsx') },
]
