import { entity, filled, flag, optional, type Row, ref, text } from '#engine'

/**
 * That a way to people is used for an event or not, where it differs from the preset: for one exam, or for all of the tenant. One of the inbox
 * has the words in which an exam tells of it.
 */
export const Eventchoice = entity(
  'eventchoice',
  '消息设置',
  {
    examId: filled(optional(ref('考试', 'examination', { onRemove: 'with' }))),
    code: filled(text('事件', { maxLength: 60 })),
    channel: filled(text('渠道', { maxLength: 10 })),
    isOn: filled(flag('启用')),
    textZh: filled(optional(text('中文文字', { maxLength: 300 }))),
    textEn: filled(optional(text('英文文字', { maxLength: 300 }))),
  },
  {
    label: 'code',
    uniques: [['examId', 'code', 'channel']],
  },
)
export type Eventchoice = Row<typeof Eventchoice>

declare module '#engine' {
  interface Entities {
    eventchoice: typeof Eventchoice
  }
}
