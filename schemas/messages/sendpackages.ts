import { entity, integer, money, optional, type Row, state, text } from '#engine'
import { onshelfStatus } from '../dictionaries.ts'

export const Sendpackages = entity(
  'sendpackages',
  '短信套餐',
  {
    packageName: text('套餐名称', { maxLength: 50 }),
    num: integer('条数'),
    price: money('价格'),
    validDays: optional(integer('有效天数', { minimum: 0 })),
    sort: optional(integer('排序', { minimum: 0 })),
    packageStatus: state('状态', onshelfStatus),
    remark: optional(text('说明')),
  },
  { label: 'packageName' },
)
export type Sendpackages = Row<typeof Sendpackages>

declare module '#engine' {
  interface Entities {
    sendpackages: typeof Sendpackages
  }
}
