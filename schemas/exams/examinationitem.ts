import { dateTime, decimal, dict, entity, flag, integer, money, optional, type Row, ref, state, text } from '#engine'
import {
  EnableStatus,
  enableStatus,
  examItemType,
  examSubject,
  itemRange,
  releaseStatus,
  seatStatus,
} from '../dictionaries.ts'

export const Examinationitem = entity(
  'examinationitem',
  '考试项目',
  {
    examId: ref('考试', 'examination', { onRemove: 'with' }),
    itemName: text('项目名称', { maxLength: 50 }),
    itemType: dict('项目类型', examItemType),
    subject: optional(dict('科目', examSubject)),
    startTime: dateTime('开始时间'),
    endTime: dateTime('结束时间'),
    place: optional(text('地点说明', { maxLength: 200 })),
    needPay: flag('是否收费'),
    fee: optional(money('收费金额')),
    needSeat: flag('是否编排座位'),
    needTicket: flag('是否需准考证'),
    ticketStartTime: optional(dateTime('准考证下载开始')),
    ticketEndTime: optional(dateTime('准考证下载结束')),
    candidateRule: dict('人员范围', itemRange),
    fullScore: optional(decimal('满分', { default: '100' })),
    passScore: optional(decimal('合格线')),
    weight: optional(decimal('权重')),
    confirmEndTime: optional(
      dateTime('入围确认截止', { help: '入围人员须在此前登录确认，逾期视为放弃；不填则无需确认' }),
    ),
    itemStatus: state('状态', enableStatus, { default: EnableStatus.enabled }),
    seatStatus: state('编排状态', seatStatus),
    ticketRelease: state('准考证发布', releaseStatus),
    payRelease: state('缴费发布', releaseStatus),
    resultRelease: state('成绩发布', releaseStatus),
    sort: optional(integer('排序', { minimum: 0 })),
  },
  { label: 'itemName', history: true },
)
export type Examinationitem = Row<typeof Examinationitem>

declare module '#engine' {
  interface Entities {
    examinationitem: typeof Examinationitem
  }
}
