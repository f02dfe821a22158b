import { entity, integer, optional, type Row, text } from '#engine'

export const Topmenu = entity(
  'topmenu',
  '顶部菜单',
  {
    code: text('顶部菜单编号', { maxLength: 50, unique: true }),
    name: text('顶部菜单名称', { maxLength: 50 }),
    source: text('图标', { maxLength: 100 }),
    path: optional(text('路由地址')),
    sort: integer('排序', { minimum: 0, default: 1 }),
  },
  { label: 'name', tenant: false },
)
export type Topmenu = Row<typeof Topmenu>

declare module '#engine' {
  interface Entities {
    topmenu: typeof Topmenu
  }
}
