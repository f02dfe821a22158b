import { dateTime, entity, type Facts, filled, json, optional, type Row, ref, text } from '#engine'

/**
 * Something that has happened to a row and that somebody is told of. It holds what is needed to tell it, and no text: the words are
 * made when a person is told.
 */
export const Event = entity(
  'event',
  '业务事件',
  {
    code: filled(text('事件', { maxLength: 60 })),
    /** Id of the row that it happened to; the code says of which resource. */
    subjectId: filled(text('业务主键', { maxLength: 20 })),
    examId: filled(optional(ref('考试', 'examination', { enforced: false }))),
    /** Fields of the row and facts of the moment, as the wire has them. */
    facts: filled(json<Facts>('内容')),
    /** The transaction in which it happened, the same for all that happened in it. */
    act: filled(optional(text('事务编号', { maxLength: 20 }))),
    /** Of those that have the same one, one is kept. */
    once: filled(optional(text('唯一标识', { maxLength: 200 }))),
    /** When everybody whom it concerns had been told. */
    toldTime: filled(optional(dateTime('通知完成时间'))),
    /** The last person who has been told, while there are more. */
    toldTo: filled(optional(text('通知进度', { maxLength: 20 }))),
    /** Telling people has failed, and is tried again then. */
    againTime: filled(optional(dateTime('重试时间'))),
  },
  { label: 'code', uniques: [['once']], indexes: [['subjectId', 'code'], ['act']] },
)
export type Event = Row<typeof Event>

declare module '#engine' {
  interface Entities {
    event: typeof Event
  }
}
