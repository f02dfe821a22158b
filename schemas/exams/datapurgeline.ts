import { dateTime, dict, entity, filled, hidden, integer, optional, type Row, ref, text } from '#engine'
import { purgeDeed } from '../dictionaries.ts'

/** One kind of data of an erasure: how much of it there was, and how far it has come. */
export const Datapurgeline = entity(
  'datapurgeline',
  '清除明细',
  {
    purgeId: filled(ref('资料清除', 'datapurge')),
    sort: filled(integer('顺序', { minimum: 0 })),
    /** Name of the entity. */
    part: hidden(filled(text('数据', { maxLength: 60 }))),
    /** Names of its fields, joined; empty where rows go as a whole. */
    fieldNames: hidden(filled(optional(text('字段', { maxLength: 500 })))),
    deed: filled(dict('处理', purgeDeed)),
    rowNum: filled(integer('条数', { minimum: 0 })),
    fileKB: filled(integer('文件大小(KB)', { minimum: 0 })),
    oldest: filled(optional(dateTime('最早一条'))),
    doneNum: filled(integer('已清除条数', { minimum: 0, default: 0 })),
    leftNum: filled(optional(integer('清除后剩余', { minimum: 0 }))),
    /** The last row that was done. */
    lastId: hidden(filled(optional(text('进度', { maxLength: 20 })))),
    endTime: filled(optional(dateTime('完成时间'))),
  },
  { label: 'deed', indexes: [['purgeId', 'sort']] },
)
export type Datapurgeline = Row<typeof Datapurgeline>

declare module '#engine' {
  interface Entities {
    datapurgeline: typeof Datapurgeline
  }
}
