import {
  dateTime,
  dict,
  entity,
  filled,
  hidden,
  integer,
  json,
  longText,
  optional,
  type Row,
  state,
  text,
} from '#engine'
import { workKind, workState } from '../dictionaries.ts'

/** One piece of work that any process of the installation does in the background. */
export const WorkItem = entity(
  'work-item',
  '后台工作',
  {
    // A module may bring kinds of its own.
    kind: filled(dict('工作类型', workKind, { enforced: false })),
    key: filled(optional(text('业务标识', { maxLength: 120 }))),
    lane: hidden(filled(text('通道', { maxLength: 20 }))),
    parentId: hidden(filled(optional(text('上级工作', { maxLength: 20 })))),
    forNode: filled(optional(text('指定进程', { maxLength: 100 }))),
    priority: filled(integer('优先级', { default: 0 })),
    state: state('状态', workState),
    runAt: filled(dateTime('计划时间')),
    leaseBy: hidden(filled(optional(text('执行进程', { maxLength: 160 })))),
    leaseUntil: hidden(filled(optional(dateTime('占用至')))),
    tries: filled(integer('执行次数', { default: 0 })),
    maxTries: filled(integer('最多次数', { default: 3, minimum: 1 })),
    // Sealed: what is to be done may name persons.
    payload: hidden(filled(optional(longText('内容')))),
    memo: hidden(filled(optional(json('备忘')))),
    progress: filled(optional(integer('已完成'))),
    total: filled(optional(integer('总数'))),
    result: filled(optional(longText('结果', { maxLength: 500 }))),
    endTime: filled(optional(dateTime('结束时间'))),
  },
  { label: 'kind', indexes: [['parentId']] },
)
export type WorkItem = Row<typeof WorkItem>

declare module '#engine' {
  interface Entities {
    'work-item': typeof WorkItem
  }
}
