import type { PageRoute } from '../../../screens/parts/route.ts'

const open = { access: 'public', frame: 'bare' } as const

/** Notices and who has read them; news, downloads and common questions for everybody. */
export const noticePages: readonly PageRoute[] = [
  { path: '/notice/read', title: '阅读情况', load: () => import('./ReadPage.tsx') },
  { path: '/notice/preview/:id', title: '公告预览', load: () => import('./PreviewPage.tsx'), menu: '/notice/list' },
  { path: '/public/news', title: '新闻资讯', load: () => import('./public/NewsListPage.tsx'), ...open },
  { path: '/public/news/:id', title: '新闻资讯', load: () => import('./public/NewsPage.tsx'), ...open },
  { path: '/public/files', title: '下载专区', load: () => import('./public/FilesPage.tsx'), ...open },
  { path: '/problem/problem', title: '常见问题', load: () => import('./public/FaqPage.tsx'), ...open },
]
