import { resource } from '#engine'
import { News } from '../../schemas/notice/news.ts'

export const news = resource(News, {
  path: '/blade-news/news',
  route: '/notice/news',
  columns: [
    'title',
    'category',
    'cover',
    'source',
    'releaseTime',
    'isTop',
    'viewNum',
    { field: 'newsStatus', as: 'tag' },
  ],
  search: ['title', 'category', 'releaseTime', 'newsStatus', 'createTime'],
})
