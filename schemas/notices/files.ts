import { dict, entity, file, filled, integer, optional, type Row, state, text } from '#engine'
import { fileCategory, noticeStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

export const Files = entity(
  'files',
  '文件资源',
  {
    fileName: text('文件名称', { maxLength: 200 }),
    category: dict('分类', fileCategory),
    attachId: file('附件'),
    fileSize: filled(optional(integer('大小', { minimum: 0 }))),
    ext: filled(optional(text('格式', { maxLength: 12 }))),
    downNum: filled(optional(integer('下载次数', { minimum: 0 }))),
    filesStatus: state('状态', noticeStatus),
    sort: optional(integer('排序', { minimum: 0, help: '小的在前' })),
  },
  { label: 'fileName', keep: keeping.office },
)
export type Files = Row<typeof Files>

declare module '#engine' {
  interface Entities {
    files: typeof Files
  }
}
