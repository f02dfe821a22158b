import type { PageRoute } from '../route.ts'

/** Pages of finance beside the generated ones. */
export const payPages: readonly PageRoute[] = [
  { path: '/pay/invoice', title: '票据', load: () => import('./InvoicePage.tsx') },
]
