import { dict, entity, filled, integer, optional, type Row, text } from '#engine'
import { regionLevel } from '../dictionaries.ts'

export const Region = entity(
  'region',
  '行政区划',
  {
    code: text('区划编号', { maxLength: 12, unique: true }),
    parentCode: text('上级编号', { maxLength: 12 }),
    ancestors: filled(optional(text('祖级'))),
    name: text('区划名称', { maxLength: 32 }),
    provinceCode: filled(optional(text('省编号', { maxLength: 12 }))),
    provinceName: filled(optional(text('省名称', { maxLength: 32 }))),
    cityCode: filled(optional(text('市编号', { maxLength: 12 }))),
    cityName: filled(optional(text('市名称', { maxLength: 32 }))),
    districtCode: filled(optional(text('区编号', { maxLength: 12 }))),
    districtName: filled(optional(text('区名称', { maxLength: 32 }))),
    townCode: filled(optional(text('镇编号', { maxLength: 12 }))),
    townName: filled(optional(text('镇名称', { maxLength: 32 }))),
    villageCode: filled(optional(text('村编号', { maxLength: 12 }))),
    villageName: filled(optional(text('村名称', { maxLength: 32 }))),
    regionLevel: dict('层级', regionLevel),
    sort: optional(integer('排序', { minimum: 0 })),
    remark: optional(text('备注')),
  },
  { label: 'name', key: 'code', tenant: false },
)
export type Region = Row<typeof Region>

declare module '#engine' {
  interface Entities {
    region: typeof Region
  }
}
