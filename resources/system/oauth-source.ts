import { group, resource, text } from '#engine'
import { EnableStatus } from '../../schemas/dictionaries.ts'
import { OauthSource } from '../../schemas/system/oauth-source.ts'

export const oauthSource = resource(OauthSource, {
  path: '/blade-system/oauth-source',
  route: '/system/oauth-source',
  columns: [
    'source',
    'sourceName',
    { field: 'issuer', width: 280 },
    'clientId',
    'sort',
    { field: 'sourceStatus', as: 'tag' },
    { field: 'remark', folded: true },
  ],
  search: ['source', 'sourceName', 'sourceStatus', 'createTime'],
  sort: 'sort',
  form: [
    'source',
    'sourceName',
    { field: 'issuer', span: 24 },
    'clientId',
    'clientSecret',
    'scope',
    'sort',
    { field: 'remark', span: 24 },
  ],
  removable: { when: { sourceStatus: { not: EnableStatus.enabled } } },
  transitions: {
    enable: {
      label: '启用',
      call: 'POST enable?id',
      when: { sourceStatus: EnableStatus.disabled },
      set: { sourceStatus: EnableStatus.enabled },
    },
    disable: {
      label: '停用',
      call: 'POST disable?id',
      when: { sourceStatus: EnableStatus.enabled },
      set: { sourceStatus: EnableStatus.disabled },
      confirm: '停用后已绑定的用户不能再用它登录，确定停用?',
      code: 'enable',
    },
  },
  actions: {
    probe: {
      label: '试连',
      call: 'POST test?id',
      answer: group({ message: text('说明'), redirectUri: text('回调地址') }),
    },
  },
})
