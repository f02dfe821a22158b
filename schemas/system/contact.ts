import { dateTime, dict, entity, filled, flag, optional, type Row, ref, text } from '#engine'
import { messageChannel } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

/** What somebody has said of a way to be reached beside the inbox, and what is known of it. */
export const Contact = entity(
  'contact',
  '消息接收设置',
  {
    userId: filled(ref('用户', 'user', { onRemove: 'with' })),
    channel: filled(dict('渠道', messageChannel)),
    /** Nothing but what must be told goes out by it. */
    isOff: filled(flag('停用')),
    /** Search hash of the address that was confirmed by a code: another one that has taken its place is not. */
    addressHash: filled(optional(text('已确认地址', { maxLength: 64 }))),
    confirmTime: filled(optional(dateTime('确认时间'))),
    /** `zh` or `en`: the language of the page on which the address was confirmed. */
    language: filled(optional(text('语言', { maxLength: 2 }))),
    /** Why the confirmed address takes no messages. */
    problem: filled(optional(text('退信原因'))),
  },
  {
    label: 'channel',
    uniques: [['userId', 'channel']],
    about: 'userId',
    purpose: '按您选择的方式通知您',
    keep: { ...keeping.account, then: 'erase' },
  },
)
export type Contact = Row<typeof Contact>

declare module '#engine' {
  interface Entities {
    contact: typeof Contact
  }
}
