import { entity, longText, optional, type Row, text } from '#engine'

export const Param = entity(
  'param',
  '系统参数',
  {
    paramName: text('参数名称', { maxLength: 100 }),
    paramKey: text('参数键名', { maxLength: 100, pattern: '^[A-Za-z0-9._-]+$', unique: true }),
    paramValue: longText('参数键值'),
    remark: optional(text('备注')),
  },
  { history: true },
)
export type Param = Row<typeof Param>

declare module '#engine' {
  interface Entities {
    param: typeof Param
  }
}
