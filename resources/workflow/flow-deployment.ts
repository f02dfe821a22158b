import { resource } from '#engine'
import { FlowDeployment } from '../../schemas/workflow/flow-deployment.ts'

export const flowDeployment = resource(FlowDeployment, {
  path: '/blade-flow/model',
  route: '/flow/model',
  calls: { list: 'GET list' },
  can: ['view', 'add', 'edit', 'remove'],
  columns: [
    'name',
    'modelKey',
    'category',
    'version',
    { field: 'suspensionState', as: 'tag' },
    'deployTime',
    'updateTime',
  ],
  search: ['modelKey', 'name', 'category', 'suspensionState', 'createTime'],
  filters: ['version', 'deployTime'],
  names: { categoryName: 'category' },
  aliases: { key: 'modelKey' },
  form: ['name', 'modelKey', 'category', 'tenantIds', { field: 'description', span: 24 }, 'xml'],
})
