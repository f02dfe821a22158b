import { decimal, dict, entity, flag, optional, type Row, region, text } from '#engine'
import { schoolLevel, schoolType } from '../dictionaries.ts'

export const School = entity(
  'school',
  '学校/考点',
  {
    schoolName: text('学校名称', { maxLength: 100 }),
    schoolCode: text('学校代码', { maxLength: 20 }),
    schoolType: dict('类型', schoolType),
    level: optional(dict('层次/标签', schoolLevel)),
    province: optional(region('省')),
    city: optional(region('市')),
    area: optional(region('区县')),
    address: optional(text('地址', { maxLength: 200 })),
    lng: optional(decimal('经度')),
    lat: optional(decimal('纬度')),
    traffic: optional(text('交通说明', { maxLength: 500 })),
    contact: optional(text('联系人', { maxLength: 50 })),
    contactPhone: optional(text('联系电话', { maxLength: 20 })),
    enable: flag('启用', { default: 1 }),
    remark: optional(text('备注')),
  },
  { history: true, uniques: [['schoolType', 'schoolCode']] },
)
export type School = Row<typeof School>

declare module '#engine' {
  interface Entities {
    school: typeof School
  }
}
