import {
  dateTime,
  entity,
  file,
  filled,
  group,
  image,
  maybe,
  optional,
  type Row,
  ref,
  sealed,
  sometimes,
  state,
  structured,
  text,
} from '#engine'
import { AuditStatus, auditStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

/** What a request is about: only what is to change stands in it. The number of the card is masked. */
const identityShape = group({
  realName: sometimes(text('姓名')),
  idCard: sometimes(text('证件号码')),
  cardFront: sometimes(maybe(image('身份证人像面'))),
  cardBack: sometimes(maybe(image('身份证国徽面'))),
})

export const Userupdateinfo = entity(
  'userupdateinfo',
  '用户信息变更申请',
  {
    userId: filled(ref('用户', 'user')),
    name: filled(text('姓名', { maxLength: 20 })),
    realName: optional(text('新姓名', { maxLength: 20 })),
    idCard: optional(sealed('新证件号码', { maxLength: 30 })),
    cardFront: optional(image('新身份证人像面', { keep: keeping.cardPictures })),
    cardBack: optional(image('新身份证国徽面', { keep: keeping.cardPictures })),
    beforeInfo: structured('变更前', identityShape),
    afterInfo: structured('变更后', identityShape),
    reason: text('变更原因'),
    files: optional(file('证明材料')),
    updateStatus: state('状态', auditStatus),
    auditUser: filled(optional(ref('审核人', 'user'))),
    auditTime: filled(optional(dateTime('审核时间'))),
    auditRemark: filled(optional(text('审核意见'))),
  },
  {
    label: 'name',
    uniques: [{ fields: ['userId'], where: { updateStatus: AuditStatus.pending } }],
    about: 'userId',
    personal: ['name', 'realName', 'beforeInfo', 'afterInfo'],
    purpose: '核对并更正您的姓名和证件',
    keep: keeping.requests,
  },
)
export type Userupdateinfo = Row<typeof Userupdateinfo>

declare module '#engine' {
  interface Entities {
    userupdateinfo: typeof Userupdateinfo
  }
}
