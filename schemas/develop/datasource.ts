import { dict, entity, optional, type Row, secret, text } from '#engine'
import { datasourceCategory } from '../dictionaries.ts'

export const Datasource = entity(
  'datasource',
  '数据源',
  {
    category: dict('类型', datasourceCategory),
    name: text('名称', { maxLength: 100 }),
    driverClass: text('驱动类', { maxLength: 100 }),
    url: text('连接地址', { maxLength: 500 }),
    username: text('用户名', { maxLength: 50 }),
    password: secret('密码'),
    remark: optional(text('备注')),
  },
  { label: 'name', tenant: false },
)
export type Datasource = Row<typeof Datasource>
