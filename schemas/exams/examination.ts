import { dateTime, entity, filled, flag, integer, json, optional, type Row, ref, state, text } from '#engine'
import { examStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'
import { basicFields } from './examination-basics.ts'
import { laterFields, signingFields } from './examination-windows.ts'

/** How it is run. */
const rules = {
  showNum: flag('公开实时报名人数'),
  graceSeconds: optional(integer('截止宽限秒数', { minimum: 0 })),
  strikeDays: optional(
    integer('陈述申辩天数', {
      minimum: 0,
      maximum: 15,
      help: '提出取消资格后先告知考生，在这些天内听取陈述申辩；不填为 3 天，0 为不事先告知',
    }),
  ),
  textDelay: optional(
    integer('审核结果短信延迟分钟', {
      minimum: 0,
      maximum: 60,
      help: '审核结果先进站内消息，短信、邮件和微信在这些分钟后发出，其间撤销的不再发出；不填为 10 分钟，0 为不延迟',
    }),
  ),
  /** What its text messages may be charged as in all; staff say it where they say what people are told. */
  textMost: filled(optional(integer('短信条数上限', { minimum: 0 }))),
  hardRules: optional(json('硬性条件')),
}

/** What has been done with it, and by whom. */
const life = {
  examStatus: state('考试状态', examStatus),
  releaseTime: filled(optional(dateTime('发布时间'))),
  releaseUser: filled(optional(ref('发布人', 'user'))),
  closeTime: filled(optional(dateTime('关闭时间'))),
  closeUser: filled(optional(ref('关闭人', 'user'))),
  closeReason: filled(optional(text('关闭原因'))),
  reopenReason: filled(optional(text('重新发布原因'))),
  archiveTime: filled(optional(dateTime('归档时间'))),
  archiveUser: filled(optional(ref('归档人', 'user'))),
}

export const Examination = entity(
  'examination',
  '考试',
  { ...basicFields, ...signingFields, ...laterFields, ...rules, ...life },
  { version: true, history: true, keep: keeping.office },
)
export type Examination = Row<typeof Examination>

declare module '#engine' {
  interface Entities {
    examination: typeof Examination
  }
}
