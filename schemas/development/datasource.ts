import { dict, entity, optional, type Row, secret, text } from '#engine'
import { DatasourceCategory, datasourceCategory, driverClass } from '../dictionaries.ts'

export const Datasource = entity(
  'datasource',
  '数据源',
  {
    name: text('名称', { maxLength: 100, unique: true }),
    category: dict('类型', datasourceCategory, { default: DatasourceCategory.ordinary }),
    driverClass: dict('驱动类', driverClass, { default: 'org.postgresql.Driver' }),
    url: text('连接地址', {
      maxLength: 500,
      help: 'jdbc:postgresql://主机:端口/库名；只连接系统参数 develop.hosts 中允许的主机',
    }),
    username: text('用户名', { maxLength: 50 }),
    password: secret('密码', { maxLength: 100 }),
    remark: optional(text('备注')),
  },
  { label: 'name', tenant: false },
)
export type Datasource = Row<typeof Datasource>

declare module '#engine' {
  interface Entities {
    datasource: typeof Datasource
  }
}
