import { resource, through } from '#engine'
import { Noticefile } from '../../schemas/notices/noticefile.ts'

export const noticefile = resource(Noticefile, {
  path: '/blade-noticeFile/noticefile',
  route: '/notice/file',
  columns: ['noticeId', 'attachId', 'fileSize', 'ext', 'sort', 'downNum'],
  search: ['noticeId', 'fileName', 'createTime'],
  scope: through('noticeId'),
  form: [{ field: 'noticeId', readonly: 'edit' }, { field: 'attachId', readonly: 'edit' }, 'sort'],
  sort: 'sort',
})
