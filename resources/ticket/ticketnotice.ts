import { resource } from '#engine'
import { Ticketnotice } from '../../schemas/ticket/ticketnotice.ts'

export const ticketnotice = resource(Ticketnotice, {
  path: '/blade-ticketNotice/ticketnotice',
  route: '/ticket/notice',
  can: ['view', 'export'],
  columns: [
    'examId',
    'itemId',
    'name',
    'ticketNo',
    'type',
    { field: 'picState', as: 'tag' },
    'picRemark',
    'sureTime',
    'downNum',
    'firstDownTime',
    'lastDownTime',
  ],
  search: ['examId', 'itemId', 'signupId', 'name', 'ticketNo', 'type', 'picState', 'createTime'],
  owner: 'userId',
  exam: 'examId',
})
