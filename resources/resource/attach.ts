import { resource } from '#engine'
import { Attach } from '../../schemas/resource/attach.ts'

export const attach = resource(Attach, {
  path: '/blade-resource/attach',
  route: '/resource/attach',
  can: ['view', 'remove'],
  columns: [
    'link',
    'name',
    'originalName',
    'extension',
    'attachSize',
    'contentType',
    'ownerType',
    'visible',
    { field: 'scanState', as: 'tag' },
  ],
  search: ['originalName', 'extension', 'ownerType', 'visible', 'createTime'],
})
