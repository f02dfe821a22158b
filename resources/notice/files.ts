import { resource } from '#engine'
import { Files } from '../../schemas/notice/files.ts'

export const files = resource(Files, {
  path: '/blade-files/files',
  route: '/notice/files',
  columns: ['fileName', 'category', 'fileSize', 'ext', 'downNum', { field: 'filesStatus', as: 'tag' }, 'sort'],
  search: ['fileName', 'category', 'filesStatus', 'createTime'],
  sort: 'sort',
})
