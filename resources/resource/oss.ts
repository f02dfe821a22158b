import { group, resource, text } from '#engine'
import { EnableStatus, OssVendor } from '../../schemas/dictionaries.ts'
import { Oss } from '../../schemas/resource/oss.ts'

const remote = { category: [OssVendor.minio, OssVendor.qiniu, OssVendor.aliyun, OssVendor.tencent] } as const

export const oss = resource(Oss, {
  path: '/blade-resource/oss',
  route: '/resource/oss',
  calls: { list: 'GET list' },
  columns: ['ossCode', 'category', 'endpoint', 'bucketName', { field: 'ossStatus', as: 'tag' }, 'remark'],
  search: ['category', 'ossCode', 'ossStatus', 'createTime'],
  filters: ['endpoint', 'bucketName', 'region', 'remark'],
  names: { categoryName: 'category' },
  form: [
    'category',
    'ossCode',
    'endpoint',
    'bucketName',
    { field: 'region', when: remote },
    'accessKey',
    'secretKey',
    { field: 'appId', when: { category: OssVendor.tencent } },
    { field: 'remark', span: 24 },
  ],
  removable: { when: { ossStatus: { not: EnableStatus.enabled } } },
  transitions: {
    disable: {
      label: '停用',
      call: 'POST disable?id',
      when: { ossStatus: EnableStatus.enabled },
      set: { ossStatus: EnableStatus.disabled },
      confirm: '确定停用?',
      code: 'enable',
    },
    // Made once the storage has kept a file, which takes longer than a transaction may.
    putIntoUse: {
      label: '启用',
      when: { ossStatus: EnableStatus.disabled },
      set: { ossStatus: EnableStatus.enabled },
    },
  },
  actions: {
    enable: {
      label: '启用',
      call: 'POST enable?id',
      when: { ossStatus: EnableStatus.disabled },
      confirm: '启用后其他存储配置自动停用，确定启用?',
    },
    probe: {
      label: '调试',
      call: 'POST debug?id',
      ask: { text: text('测试内容', { maxLength: 200, default: 'Juxian' }) },
      answer: group({ message: text('说明') }),
    },
  },
})
