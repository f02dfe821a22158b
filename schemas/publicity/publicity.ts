import {
  dateTime,
  dict,
  dicts,
  entity,
  file,
  filled,
  integer,
  longText,
  optional,
  type Row,
  ref,
  state,
  text,
} from '#engine'
import { PublicityKind, publicityKind, publicityStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'
import { publicityColumn } from './publicityrow.ts'

/** When it is public, and why for no longer. */
const times = {
  startTime: optional(dateTime('公示开始时间', { help: '不填则确认后立即公示' })),
  endTime: optional(dateTime('公示结束时间', { help: '不填则按该类公示的工作日数推算' })),
  objectionEnd: optional(dateTime('异议截止时间', { help: '不填则与公示结束时间相同' })),
  shortReason: optional(
    text('公示期不足7个工作日的原因', { maxLength: 200, help: '拟聘用人员公示期不足7个工作日时填写' }),
  ),
}

/** Whom to turn to. */
const contact = {
  contactPhone: text('受理电话', { maxLength: 50 }),
  contactMail: optional(text('受理邮箱', { maxLength: 100, format: 'email' })),
  contactAddress: optional(text('受理地址', { maxLength: 200 })),
}

/** What has been done with it, and by whom. */
const life = {
  publicityStatus: state('状态', publicityStatus),
  rowNum: filled(integer('条数', { minimum: 0, default: 0 })),
  pdfFile: filled(optional(file('PDF文件'))),
  pdfHash: filled(optional(text('PDF摘要', { maxLength: 64 }))),
  xlsxFile: filled(optional(file('XLSX文件'))),
  xlsxHash: filled(optional(text('XLSX摘要', { maxLength: 64 }))),
  submitUser: filled(optional(ref('提交人', 'user'))),
  submitTime: filled(optional(dateTime('提交时间'))),
  confirmUser: filled(optional(ref('确认人', 'user'))),
  confirmTime: filled(optional(dateTime('确认时间'))),
  openTime: filled(optional(dateTime('开始公示'))),
  closeTime: filled(optional(dateTime('结束公示'))),
  withdrawUser: filled(optional(ref('撤回人', 'user'))),
  withdrawTime: filled(optional(dateTime('撤回时间'))),
  withdrawReason: filled(optional(text('撤回原因', { maxLength: 200 }))),
}

export const Publicity = entity(
  'publicity',
  '公示',
  {
    examId: ref('考试', 'examination'),
    itemId: optional(ref('考试项目', 'examinationitem', { within: 'examId' })),
    publicityKind: dict('公示类别', publicityKind),
    replaces: optional(ref('被更正的公示', 'publicity', { within: 'examId' })),
    changeReason: optional(text('更正递补说明', { maxLength: 200 })),
    title: text('标题', { maxLength: 100 }),
    basis: longText('公示依据', { maxLength: 500 }),
    columns: optional(dicts('公示栏目', publicityColumn, { help: '不选则用该类公示的预设栏目' })),
    ...times,
    ...contact,
    ...life,
  },
  {
    label: 'title',
    version: true,
    history: true,
    keep: keeping.hiring,
    requiredWhen: {
      itemId: {
        publicityKind: [PublicityKind.scores, PublicityKind.shortlist, PublicityKind.examination],
      },
      replaces: { publicityKind: PublicityKind.correction },
      changeReason: { publicityKind: PublicityKind.correction },
    },
  },
)
export type Publicity = Row<typeof Publicity>

declare module '#engine' {
  interface Entities {
    publicity: typeof Publicity
  }
}
