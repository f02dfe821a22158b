import type { PageRoute } from '../parts/route.ts'

/** What is made in the background: open to all staff, because people see only their own. */
export const taskPages: readonly PageRoute[] = [
  {
    path: '/exam/exporttask',
    title: '导出任务',
    access: 'signed-in',
    audience: 'staff',
    load: () => import('./ExportTasksPage.tsx'),
  },
]
