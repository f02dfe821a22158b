import type { PageRoute } from '../../../screens/parts/route.ts'

/** Pages of messages beside the generated ones. */
export const sendPages: readonly PageRoute[] = [
  { path: '/send/cost', title: '短信费用', load: () => import('./CostPage.tsx') },
  { path: '/send/order/:id', title: '名单与发送', load: () => import('./SendOrderPage.tsx'), menu: '/send/list' },
]
