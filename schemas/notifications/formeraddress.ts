import { dict, entity, filled, type Row, ref, sealed } from '#engine'
import { messageChannel } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

/**
 * An address at which somebody was reached before an event took it away: what has happened is told there, too, because whoever took an
 * account over is the only one who reads the new one.
 */
export const Formeraddress = entity(
  'formeraddress',
  '变更前的接收地址',
  {
    eventId: filled(ref('业务事件', 'event', { onRemove: 'with' })),
    userId: filled(ref('用户', 'user', { onRemove: 'with' })),
    channel: filled(dict('渠道', messageChannel)),
    address: filled(sealed('接收地址', { keep: keeping.addresses })),
  },
  {
    label: 'channel',
    uniques: [['eventId', 'channel']],
    about: 'userId',
    purpose: '在原联系方式上告知您联系方式已变更',
    keep: keeping.addresses,
  },
)
export type Formeraddress = Row<typeof Formeraddress>

declare module '#engine' {
  interface Entities {
    formeraddress: typeof Formeraddress
  }
}
