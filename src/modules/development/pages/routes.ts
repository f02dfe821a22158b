import type { PageRoute } from '../../../screens/parts/route.ts'

/** Tools of whoever develops further. */
export const developPages: readonly PageRoute[] = [
  {
    path: '/develop/model/fields/:id',
    title: '字段配置',
    load: () => import('./FieldsPage.tsx'),
    menu: '/develop/model',
  },
]
