import { resource } from '#engine'
import { Attach } from '../../schemas/resource/attach.ts'

export const attach = resource(Attach, {
  path: '/blade-resource/attach',
  route: '/resource/attach',
  can: ['view', 'remove'],
  columns: [
    'originalName',
    'extension',
    'attachSize',
    'contentType',
    'ownerType',
    'visible',
    { field: 'scanState', as: 'tag' },
    'createTime',
    { field: 'name', folded: true },
    { field: 'link', folded: true },
  ],
  search: ['originalName', 'extension', 'ownerType', 'visible', 'createTime'],
})
