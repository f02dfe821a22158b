import {
  dateTime,
  dict,
  entity,
  file,
  filled,
  flag,
  money,
  optional,
  type Row,
  ref,
  sealed,
  state,
  text,
} from '#engine'
import { invoiceStatus, invoiceType, payChannel, payState, recruitUnit } from '../dictionaries.ts'
import { positionCode } from '../exams/position-code.ts'
import { keeping } from '../keeping.ts'

export const Payrecord = entity(
  'payrecord',
  '缴费记录',
  {
    examId: filled(ref('考试', 'examination')),
    itemId: filled(ref('考试项目', 'examinationitem', { within: 'examId' })),
    mainId: filled(ref('批次', 'payrecordmain')),
    signupId: filled(ref('报名', 'signup')),
    userId: filled(ref('考生', 'user')),
    name: filled(text('姓名', { maxLength: 20 })),
    idCard: filled(sealed('证件号码', { format: 'idCard' })),
    phone: filled(optional(sealed('手机号码', { format: 'phone' }))),
    unit: filled(optional(dict('单位', recruitUnit))),
    code: filled(optional(text('岗位代码', positionCode))),
    amount: filled(money('金额')),
    payState: state('缴费状态', payState),
    payOrderId: filled(optional(ref('支付订单', 'payorder'))),
    payTime: filled(optional(dateTime('缴费时间'))),
    channel: filled(optional(dict('渠道', payChannel))),
    exemptReason: filled(optional(text('免缴原因'))),
    exemptFile: filled(optional(file('免缴材料'))),
    isInvoice: filled(flag('已开票')),
    invoiceStatus: state('开票状态', invoiceStatus),
    invoiceTime: filled(optional(dateTime('申请开票时间'))),
    invoiceType: filled(optional(dict('抬头类型', invoiceType))),
    invoiceTitle: filled(optional(text('发票抬头', { maxLength: 100 }))),
    taxNo: filled(optional(text('税号', { maxLength: 30 }))),
    invoiceEmail: filled(optional(text('接收邮箱', { maxLength: 100, format: 'email' }))),
    invoiceNo: filled(optional(text('票据号码', { maxLength: 50 }))),
    invoiceFile: filled(optional(file('票据文件'))),
    remark: optional(text('备注')),
  },
  {
    label: 'name',
    version: true,
    history: true,
    uniques: [['itemId', 'signupId']],
    about: 'userId',
    personal: ['name', 'invoiceTitle', 'taxNo', 'invoiceEmail'],
    purpose: '收取考试费用、开具票据',
    keep: keeping.money,
  },
)
export type Payrecord = Row<typeof Payrecord>

declare module '#engine' {
  interface Entities {
    payrecord: typeof Payrecord
  }
}
