import { resource } from '#engine'
import { Ticketremark } from '../../schemas/ticket/ticketremark.ts'

export const ticketremark = resource(Ticketremark, {
  path: '/blade-ticketRemark/ticketremark',
  route: '/ticket/remark',
  columns: ['examId', 'itemId', 'ticketId', 'remarkType'],
  search: ['examId', 'itemId', 'remarkType', 'createTime'],
  sort: 'sort',
  exam: 'examId',
})
