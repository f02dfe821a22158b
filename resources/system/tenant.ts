import { optional, ref, resource, text } from '#engine'
import { Tenant } from '../../schemas/system/tenant.ts'

export const tenant = resource(Tenant, {
  path: '/blade-system/tenant',
  route: '/system/tenant',
  calls: { list: 'GET list' },
  can: ['view', 'edit', 'export'],
  derived: { signInAddress: text('登录网址') },
  columns: [
    ...(['tenantId', { field: 'tenantName', width: 200 }, 'domain', 'linkman', 'contactNumber'] as const),
    ...(['packageId', 'accountNumber', 'expireTime', { field: 'tenantStatus', as: 'tag' }] as const),
    { field: 'signInAddress', as: 'copy', folded: true, width: 260 },
  ],
  search: ['tenantId', 'domain', 'tenantName', 'packageId', 'tenantStatus', 'createTime'],
  filters: ['linkman', 'contactNumber', 'address', 'accountNumber', 'expireTime', 'datasourceId'],
  names: { packageName: 'packageId', datasourceName: 'datasourceId' },
  choices: ['tenantId'],
  form: {
    基本信息: ['tenantName', 'domain', 'linkman', 'contactNumber', 'address', 'backgroundUrl'],
    额度与期限: ['accountNumber', 'expireTime', 'packageId', 'datasourceId', 'licenseKey'],
  },
  actions: {
    open: {
      ...{ label: '新增', on: 'toolbar', call: 'POST submit', code: 'add' },
      input: ['tenantName', 'domain', 'linkman', 'contactNumber', 'accountNumber', 'expireTime', 'packageId'],
    },
    setting: { label: '配置', on: 'rows', call: 'POST setting?ids', input: ['accountNumber', 'expireTime'] },
    package: {
      ...{ label: '产品包', call: 'POST package-setting?id,packageId', code: 'setting' },
      ask: { packageId: ref('产品包', 'tenant-package') },
      when: { tenantStatus: 1 },
    },
    datasource: {
      ...{ label: '数据源', call: 'POST datasource?id,datasourceId', code: 'setting' },
      ask: { datasourceId: ref('数据源', 'datasource') },
      when: { tenantStatus: 1 },
    },
    recycle: {
      ...{ label: '移入回收站', call: 'POST recycle?ids', danger: true },
      confirm: '移入回收站后该租户的用户立即退出且不能登录，确定移入?',
      when: { tenantStatus: 1, tenantId: { not: '000000' } },
    },
    pass: {
      ...{ label: '恢复', call: 'POST pass?ids', confirm: '确定恢复该租户?', code: 'recycle' },
      when: { tenantStatus: 2 },
    },
    dump: {
      ...{ label: '导出全部数据', call: 'GET export-data?id', download: true, code: 'recycle' },
      when: { tenantStatus: 2 },
    },
    erase: {
      ...{ label: '彻底删除', call: 'POST remove?ids,confirmNumber', code: 'delete', danger: true },
      confirm: '须先导出全部数据，并由移入回收站以外的人删除；删除后不能恢复。请输入租户编号确认。',
      ask: { confirmNumber: optional(text('租户编号', { maxLength: 12 })) },
      when: { tenantStatus: 2 },
      second: 'recycleUser',
    },
  },
})
