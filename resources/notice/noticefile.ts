import { resource } from '#engine'
import { Noticefile } from '../../schemas/notice/noticefile.ts'

export const noticefile = resource(Noticefile, {
  path: '/blade-noticeFile/noticefile',
  route: '/notice/file',
  columns: ['fileName', 'fileSize', 'ext', 'sort', 'downNum'],
  search: ['noticeId', 'fileName', 'createTime'],
  sort: 'sort',
})
