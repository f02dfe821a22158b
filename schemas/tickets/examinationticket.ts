import { dateTime, dict, entity, filled, image, optional, type Row, ref, sealed, state, text } from '#engine'
import { attendStatus, recruitUnit, ticketStatus } from '../dictionaries.ts'
import { positionCode } from '../exams/position-code.ts'
import { keeping } from '../keeping.ts'

export const Examinationticket = entity(
  'examinationticket',
  '准考证',
  {
    examId: filled(ref('考试', 'examination')),
    itemId: filled(ref('考试项目', 'examinationitem', { within: 'examId' })),
    signupId: filled(ref('报名', 'signup')),
    userId: filled(ref('考生', 'user')),
    name: filled(text('姓名', { maxLength: 20 })),
    idCard: filled(sealed('证件号码', { format: 'idCard' })),
    photo: filled(optional(image('照片'))),
    unit: filled(dict('报考单位', recruitUnit)),
    code: filled(text('岗位代码', positionCode)),
    ticketNo: filled(text('准考证号', { maxLength: 30, unique: true })),
    schoolId: filled(ref('考点', 'school')),
    roomId: filled(ref('考场', 'examroom')),
    roomNo: filled(text('考场号', { maxLength: 10 })),
    seatNo: filled(text('座位号', { maxLength: 10 })),
    paper: optional(text('试卷类型', { maxLength: 5 })),
    address: filled(text('考点地址', { maxLength: 200 })),
    startTime: filled(dateTime('考试开始')),
    endTime: filled(dateTime('考试结束')),
    latestTime: filled(optional(dateTime('最迟入场'))),
    qrPayload: filled(text('二维码内容', { maxLength: 500 })),
    ticketStatus: state('状态', ticketStatus),
    voidReason: filled(optional(text('作废原因'))),
    checkInTime: filled(optional(dateTime('签到时间'))),
    checkInBy: filled(optional(ref('签到人', 'user'))),
    attend: state('到考情况', attendStatus),
  },
  {
    label: 'ticketNo',
    version: true,
    history: true,
    uniques: [
      { fields: ['itemId', 'signupId'], where: { ticketStatus: { not: 2 } } },
      { fields: ['itemId', 'roomId', 'seatNo'], where: { ticketStatus: { not: 2 } } },
    ],
    about: 'userId',
    personal: ['name', 'qrPayload'],
    purpose: '安排座位、核验入场',
    keep: keeping.form,
  },
)
export type Examinationticket = Row<typeof Examinationticket>

declare module '#engine' {
  interface Entities {
    examinationticket: typeof Examinationticket
  }
}
