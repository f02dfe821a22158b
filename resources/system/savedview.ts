import { cases, resource, when, wide } from '#engine'
import { ViewAudience } from '../../schemas/dictionaries.ts'
import { Savedview } from '../../schemas/system/savedview.ts'

export const savedview = resource(Savedview, {
  path: '/blade-system/savedview',
  route: '/system/savedview',
  can: ['view', 'remove'],
  columns: ['title', 'resource', 'userId', { field: 'audience', as: 'tag' }, 'roles', 'updateTime'],
  search: ['title', 'resource', 'audience', 'createTime'],
  scope: cases(when({ audience: [ViewAudience.roles, ViewAudience.everyone] }, wide('what is shared is seen by many'))),
  actions: {
    share: {
      label: '分享',
      call: 'POST share?id',
      input: ['audience', 'roles'],
      begin: { audience: 'audience', roles: 'roles' },
    },
  },
})
