import { resource } from '#engine'
import { Attach } from '../../schemas/resource/attach.ts'

export const attach = resource(Attach, {
  path: '/blade-resource/attach',
  route: '/resource/attach',
  can: ['view', 'remove'],
  columns: [
    'originalName',
    { field: 'extension', width: 90 },
    { field: 'attachSize', width: 120 },
    { field: 'contentType', folded: true },
    'ownerType',
    'visible',
    { field: 'scanState', as: 'tag' },
    { field: 'ownerId', as: 'owner' },
    'createTime',
    { field: 'ossCode', folded: true },
    { field: 'name', folded: true },
    { field: 'link', folded: true },
  ],
  search: ['originalName', 'extension', 'ownerType', 'ownerId', 'visible', 'scanState', 'createTime'],
})
