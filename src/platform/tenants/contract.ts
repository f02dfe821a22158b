import { download, endpoint, group, id, maybe, optional, pick, sometimes, text } from '#engine'
import { Tenant } from '#schemas/system/tenant'

const which = { id: optional(id('编号')), tenantId: optional(text('租户编号')) }

/** Gives a tenant a package of menus. */
export const setPackage = endpoint('tenants.setPackage', 'POST /blade-system/tenant/package-setting', {
  title: '租户：产品包配置',
  access: ['tenant_setting'],
  values: { ...which, packageId: optional(id('产品包')) },
})

/** Gives a tenant a data source. */
export const setDatasource = endpoint('tenants.setDatasource', 'POST /blade-system/tenant/datasource', {
  title: '租户：数据源配置',
  access: ['tenant_setting'],
  values: { ...which, datasourceId: optional(id('数据源')) },
})

/** The package of a tenant; empty where it has none. */
export const packageOfTenant = endpoint('tenants.package', 'GET /blade-system/tenant/package-detail', {
  title: '租户：产品包',
  access: ['tenant_view', 'tenant'],
  values: which,
  answer: group({
    id: sometimes(id('产品包')),
    packageName: sometimes(text('产品包名称')),
    menuId: sometimes(maybe(text('菜单'))),
    remark: sometimes(text('备注')),
  }),
})

/** Adds or changes a tenant. A new one is answered with its administrator, whose password is shown once. */
export const submitTenant = endpoint('tenants.submit', 'POST /blade-system/tenant/submit', {
  title: '租户：新增或修改',
  access: ['tenant_add', 'tenant_edit'],
  values: { id: optional(id('编号')), ...pick(Tenant, 'tenantName', 'domain', 'linkman', 'contactNumber').of },
  answer: group({
    tenantId: sometimes(text('租户编号')),
    account: sometimes(text('管理员账号')),
    password: sometimes(text('初始密码')),
  }),
})

/** Everything of a tenant in the recycle bin, before it is removed for good. */
export const exportTenant = endpoint('tenants.export', 'GET /blade-system/tenant/export-data', {
  title: '租户：导出全部数据',
  access: ['tenant_recycle'],
  values: which,
  answer: download('gzip'),
})
