import { dict, entity, flag, optional, type Row, ref, text } from '#engine'
import { usercodeType } from '../dictionaries.ts'

export const Usercode = entity(
  'usercode',
  '用户编码',
  {
    userId: ref('用户', 'user'),
    userCode: text('用户编码', { maxLength: 30 }),
    codeType: dict('编码类型', usercodeType),
    remark: optional(text('备注')),
    enable: flag('启用', { default: 1 }),
  },
  { label: 'userCode' },
)
export type Usercode = Row<typeof Usercode>

declare module '#engine' {
  interface Entities {
    usercode: typeof Usercode
  }
}
