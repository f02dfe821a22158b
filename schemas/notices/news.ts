import {
  dateTime,
  dict,
  entity,
  filled,
  flag,
  image,
  integer,
  optional,
  type Row,
  richText,
  state,
  text,
} from '#engine'
import { newsCategory, noticeStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

export const News = entity(
  'news',
  '新闻资讯',
  {
    title: text('标题', { maxLength: 200 }),
    category: dict('栏目', newsCategory),
    cover: optional(image('封面')),
    summary: optional(text('摘要', { maxLength: 500 })),
    content: richText('内容', { help: '栏目为常见问题时，标题是问题，内容是回答' }),
    source: optional(text('来源', { maxLength: 100 })),
    author: optional(text('作者', { maxLength: 50 })),
    releaseTime: dateTime('发布时间', { default: '$now' }),
    isTop: flag('置顶'),
    viewNum: filled(optional(integer('浏览数', { minimum: 0 }))),
    newsStatus: state('状态', noticeStatus),
  },
  { label: 'title', keep: keeping.office },
)
export type News = Row<typeof News>

declare module '#engine' {
  interface Entities {
    news: typeof News
  }
}
