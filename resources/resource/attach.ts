import { resource } from '#engine'
import { Attach } from '../../schemas/resource/attach.ts'

export const attach = resource(Attach, {
  path: '/blade-resource/attach',
  route: '/resource/attach',
  calls: { list: 'GET list' },
  can: ['view', 'remove'],
  instead: {
    add: '附件由上传（oss/endpoint/put-file）产生，不能新增',
    edit: '附件内容不能修改，请重新上传（oss/endpoint/put-file）',
  },
  // A file that something refers to stays.
  removable: { when: { ownerId: null }, refusal: 'row.inUse' },
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
  filters: ['name', 'link', 'domainUrl', 'attachSize', 'contentType'],
})
