import { dateTime, dict, entity, filled, image, integer, optional, type Row, ref, state, text } from '#engine'
import { PicState, picState, ticketDownType } from '../dictionaries.ts'

/** Pictures that an exam can ask for before a ticket is given out; the register has a column for each. */
export const pictureFields = {
  jkm: filled(optional(image('健康码'))),
  xcm: filled(optional(image('行程码'))),
  hsjcbg: filled(optional(image('核酸检测报告'))),
}

/** Name of such a picture. */
export type PictureSlot = keyof typeof pictureFields

/** Names of the pictures, in the order in which they are shown. */
export const pictureSlots = Object.keys(pictureFields) as readonly PictureSlot[]

export const Ticketnotice = entity(
  'ticketnotice',
  '准考证下载登记',
  {
    examId: filled(ref('考试', 'examination')),
    itemId: filled(ref('考试项目', 'examinationitem', { within: 'examId' })),
    ...pictureFields,
    signupId: filled(ref('报名', 'signup')),
    ticketId: filled(ref('准考证', 'examinationticket')),
    userId: filled(ref('考生', 'user')),
    name: filled(optional(text('姓名', { maxLength: 20 }))),
    ticketNo: filled(optional(text('准考证号', { maxLength: 30 }))),
    type: filled(optional(dict('下载方式', ticketDownType))),
    picState: state('材料状态', picState, { default: PicState.notNeeded }),
    picRemark: filled(optional(text('材料意见'))),
    sureTime: filled(optional(dateTime('确认须知时间'))),
    downNum: filled(optional(integer('下载次数', { minimum: 0 }))),
    firstDownTime: filled(optional(dateTime('首次下载'))),
    lastDownTime: filled(optional(dateTime('最近下载'))),
    lastDownIp: filled(optional(text('下载IP', { maxLength: 64 }))),
  },
  { label: 'name', uniques: [['itemId', 'signupId']] },
)
export type Ticketnotice = Row<typeof Ticketnotice>

declare module '#engine' {
  interface Entities {
    ticketnotice: typeof Ticketnotice
  }
}
