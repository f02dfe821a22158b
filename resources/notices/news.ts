import { resource } from '#engine'
import { NoticeStatus } from '../../schemas/dictionaries.ts'
import { News } from '../../schemas/notices/news.ts'
import { pinTransitions } from './pin-transitions.ts'

export const news = resource(News, {
  path: '/blade-news/news',
  route: '/notice/news',
  columns: [
    { field: 'title', width: 280 },
    { field: 'newsStatus', as: 'tag' },
    'category',
    'releaseTime',
    'viewNum',
    'isTop',
    'cover',
    'source',
  ],
  search: ['title', 'category', 'releaseTime', 'newsStatus', 'createTime'],
  form: [
    'title',
    'category',
    'releaseTime',
    'isTop',
    'source',
    'author',
    'cover',
    { field: 'summary', span: 24 },
    { field: 'content', span: 24 },
  ],
  // What is online comes down before it goes.
  removable: { when: { newsStatus: { not: NoticeStatus.released } } },
  transitions: {
    release: {
      label: '上线',
      call: 'POST release?id',
      when: { newsStatus: [NoticeStatus.draft, NoticeStatus.recalled] },
      set: { newsStatus: NoticeStatus.released },
    },
    recall: {
      label: '下线',
      call: 'POST recall?id',
      when: { newsStatus: NoticeStatus.released },
      set: { newsStatus: NoticeStatus.recalled },
      danger: true,
    },
    ...pinTransitions,
  },
})
