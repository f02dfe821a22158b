import { dict, entity, integer, json, optional, type Row, ref, text } from '#engine'
import { buttonFunc, menuCategory, yesNo } from '../dictionaries.ts'

export const Menu = entity(
  'menu',
  '菜单与按钮',
  {
    name: text('菜单名称', { maxLength: 50 }),
    path: optional(text('路由地址')),
    source: optional(text('图标', { maxLength: 100 })),
    code: text('菜单编号', { maxLength: 100, unique: true }),
    parentId: optional(ref('上级菜单', 'menu')),
    alias: text('菜单别名', { maxLength: 100 }),
    sort: integer('排序', { minimum: 0 }),
    category: dict('菜单类型', menuCategory),
    action: optional(dict('按钮功能', buttonFunc)),
    isOpen: optional(dict('新窗口', yesNo)),
    component: optional(text('组件')),
    meta: optional(json('元信息')),
    remark: optional(text('备注')),
  },
  { label: 'name', tenant: false },
)
export type Menu = Row<typeof Menu>

declare module '#engine' {
  interface Entities {
    menu: typeof Menu
  }
}
