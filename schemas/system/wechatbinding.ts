import { dateTime, entity, filled, type Row, ref, sealed } from '#engine'
import { keeping } from '../keeping.ts'

/** The WeChat by which somebody is told: whoever has it follows the official account, and has proved both. */
export const Wechatbinding = entity(
  'wechatbinding',
  '微信绑定',
  {
    userId: filled(ref('用户', 'user', { onRemove: 'with' })),
    /** The numbers of people are the account's own: another one knows them by others. */
    wechatId: filled(ref('公众号', 'wechat', { onRemove: 'with' })),
    openid: filled(sealed('微信编号（openid）')),
    bindTime: filled(dateTime('绑定时间')),
  },
  {
    label: 'userId',
    uniques: [['userId'], ['wechatId', 'openid']],
    about: 'userId',
    purpose: '以微信通知您',
    keep: { ...keeping.account, then: 'erase' },
  },
)
export type Wechatbinding = Row<typeof Wechatbinding>

declare module '#engine' {
  interface Entities {
    wechatbinding: typeof Wechatbinding
  }
}
