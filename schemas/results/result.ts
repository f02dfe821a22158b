import {
  dateTime,
  decimal,
  dict,
  entity,
  filled,
  flag,
  integer,
  optional,
  type Row,
  ref,
  sealed,
  state,
  text,
} from '#engine'
import { confirmStatus, ResultFlag, recruitUnit, releaseStatus, resultFlag } from '../dictionaries.ts'
import { positionCode } from '../exams/position-code.ts'
import { keeping } from '../keeping.ts'

export const Result = entity(
  'result',
  '成绩',
  {
    examId: filled(ref('考试', 'examination')),
    itemId: ref('考试项目', 'examinationitem', { within: 'examId' }),
    signupId: filled(ref('报名', 'signup')),
    ticketNo: text('准考证号', { maxLength: 30, help: '不编排准考证的项目填报名号' }),
    name: filled(text('姓名', { maxLength: 20 })),
    idCard: filled(sealed('证件号码', { format: 'idCard' })),
    unit: filled(dict('单位', recruitUnit)),
    code: filled(text('岗位代码', positionCode)),
    score: optional(decimal('成绩', { minimum: 0, help: '最多两位小数；缺考、违纪的不填' })),
    addScore: optional(decimal('加分', { minimum: 0, help: '计入总成绩，不参与本项目排名' })),
    resultFlag: dict('成绩标记', resultFlag, { default: ResultFlag.normal }),
    rankNo: filled(optional(integer('岗位排名', { minimum: 0 }))),
    totalScore: filled(optional(decimal('总成绩'))),
    isPass: filled(flag('合格')),
    isNext: filled(flag('入围下一环节')),
    confirmStatus: state('入围确认', confirmStatus),
    confirmTime: filled(optional(dateTime('答复时间'))),
    /** By which its candidate moves up; done or asked for. */
    promotionId: filled(optional(ref('递补', 'promotion'))),
    resultStatus: state('发布状态', releaseStatus),
    releaseTime: filled(optional(dateTime('发布时间'))),
    /** When its candidate first looked at it. */
    seenTime: filled(optional(dateTime('考生首次查看'))),
    importTaskId: filled(optional(text('导入批次', { maxLength: 20 }))),
    remark: optional(text('备注')),
  },
  {
    label: 'name',
    version: true,
    uniques: [['itemId', 'signupId']],
    indexes: [['promotionId']],
    about: 'signupId',
    personal: ['name'],
    purpose: '公布成绩、确定入围',
    keep: keeping.hiring,
  },
)
export type Result = Row<typeof Result>

declare module '#engine' {
  interface Entities {
    result: typeof Result
  }
}
