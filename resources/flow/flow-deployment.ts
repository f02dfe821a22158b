import { resource } from '#engine'
import { FlowDeployment } from '../../schemas/flow/flow-deployment.ts'

export const flowDeployment = resource(FlowDeployment, {
  path: '/blade-flow/model',
  route: '/flow/model',
  calls: { list: 'GET list' },
  columns: ['modelKey', 'name', 'category', { field: 'suspensionState', as: 'tag' }, 'deployTime'],
  search: ['modelKey', 'name', 'category', 'suspensionState', 'createTime'],
})
