import { entity, file, filled, integer, optional, type Row, ref, text } from '#engine'
import { keeping } from '../keeping.ts'

export const Noticefile = entity(
  'noticefile',
  '公告附件',
  {
    noticeId: ref('公告', 'notice', { onRemove: 'with' }),
    attachId: file('附件'),
    fileName: filled(text('文件名', { maxLength: 200 })),
    fileSize: filled(integer('大小', { minimum: 0 })),
    ext: filled(text('扩展名', { maxLength: 12 })),
    sort: optional(integer('排序', { minimum: 0 })),
    downNum: filled(optional(integer('下载次数', { minimum: 0 }))),
  },
  { label: 'fileName', keep: keeping.office },
)
export type Noticefile = Row<typeof Noticefile>

declare module '#engine' {
  interface Entities {
    noticefile: typeof Noticefile
  }
}
