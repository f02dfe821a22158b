import { resource } from '#engine'
import { Oss } from '../../schemas/resource/oss.ts'

export const oss = resource(Oss, {
  path: '/blade-resource/oss',
  route: '/resource/oss',
  calls: { list: 'GET list' },
  columns: ['category', 'ossCode', 'endpoint', 'bucketName', { field: 'ossStatus', as: 'tag' }],
  search: ['category', 'ossCode', 'ossStatus', 'createTime'],
})
