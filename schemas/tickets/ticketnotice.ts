import { dateTime, dict, entity, filled, image, integer, optional, type Row, ref, state, text } from '#engine'
import { PicState, picState, ticketDownType } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'
import { type TicketPicture, ticketPictures } from './ticket-pictures.ts'

/** The columns of the pictures. */
export const pictureFields = {
  jkm: filled(optional(image(ticketPictures.jkm))),
  xcm: filled(optional(image(ticketPictures.xcm))),
  hsjcbg: filled(optional(image(ticketPictures.hsjcbg))),
} satisfies Record<TicketPicture, unknown>

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
  {
    label: 'name',
    history: true,
    uniques: [['itemId', 'signupId']],
    about: 'userId',
    personal: ['name'],
    purpose: '登记准考证下载和考试当日材料',
    keep: keeping.dayPictures,
  },
)
export type Ticketnotice = Row<typeof Ticketnotice>

declare module '#engine' {
  interface Entities {
    ticketnotice: typeof Ticketnotice
  }
}
