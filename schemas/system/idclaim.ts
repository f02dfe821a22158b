import {
  dateTime,
  dict,
  entity,
  filled,
  hidden,
  image,
  longText,
  optional,
  type Row,
  ref,
  sealed,
  secret,
  state,
  text,
} from '#engine'
import { AuditStatus, auditStatus, idType } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

export const Idclaim = entity(
  'idclaim',
  '证件号认领',
  {
    realName: filled(text('真实姓名', { maxLength: 20 })),
    idType: filled(dict('证件类型', idType)),
    idCard: filled(sealed('证件号码', { maxLength: 30 })),
    phone: filled(sealed('手机号码', { format: 'phone' })),
    account: filled(text('登录账号', { maxLength: 45 })),
    password: filled(optional(secret('密码'))),
    cardFront: filled(image('身份证人像面')),
    cardBack: filled(optional(image('身份证国徽面'))),
    reason: filled(longText('认领说明', { maxLength: 500 })),
    claimStatus: state('状态', auditStatus),
    holderId: filled(hidden(optional(ref('原持有账号', 'user')))),
    userId: filled(optional(ref('新账号', 'user'))),
    auditUser: filled(optional(ref('审核人', 'user'))),
    auditTime: filled(optional(dateTime('审核时间'))),
    auditRemark: filled(optional(text('审核意见'))),
  },
  {
    label: 'realName',
    uniques: [{ fields: ['idCard'], where: { claimStatus: AuditStatus.pending } }],
    about: 'userId',
    personal: ['realName', 'account'],
    purpose: '核实证件号码归属',
    keep: keeping.requests,
  },
)
export type Idclaim = Row<typeof Idclaim>

declare module '#engine' {
  interface Entities {
    idclaim: typeof Idclaim
  }
}
