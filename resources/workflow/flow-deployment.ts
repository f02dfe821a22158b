import { resource } from '#engine'
import { FlowState } from '../../schemas/dictionaries.ts'
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
  removable: { when: { deployTime: null }, refusal: 'row.inUse' },
  transitions: {
    suspend: {
      label: '挂起',
      when: { deployTime: { not: null }, suspensionState: FlowState.active },
      set: { suspensionState: FlowState.suspended },
    },
    activate: {
      label: '激活',
      when: { deployTime: { not: null }, suspensionState: FlowState.suspended },
      set: { suspensionState: FlowState.active },
    },
  },
  form: ['name', 'modelKey', 'category', 'allowCancel', 'tenantIds', { field: 'description', span: 24 }, 'xml'],
})
