import { entity, flag, integer, optional, type Row, ref, text } from '#engine'

export const Role = entity(
  'role',
  '角色',
  {
    roleName: text('角色名称', { maxLength: 50 }),
    roleAlias: text('角色别名', { maxLength: 50, unique: true }),
    parentId: optional(ref('上级角色', 'role')),
    sort: integer('排序', { minimum: 0 }),
    isBack: flag('后台角色'),
    remark: optional(text('备注')),
  },
  { label: 'roleName' },
)
export type Role = Row<typeof Role>

declare module '#engine' {
  interface Entities {
    role: typeof Role
  }
}
