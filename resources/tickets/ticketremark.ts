import { resource } from '#engine'
import { TicketRemarkType } from '../../schemas/dictionaries.ts'
import { Ticketremark } from '../../schemas/tickets/ticketremark.ts'
import { arranged, byExam } from '../scopes.ts'

export const ticketremark = resource(Ticketremark, {
  path: '/blade-ticketRemark/ticketremark',
  route: '/ticket/remark',
  calls: { submit: 'POST save' },
  columns: ['examId', 'itemId', 'ticketId', 'remarkType', { field: 'content', width: 320 }, 'sort'],
  search: ['examId', 'itemId', 'remarkType', 'createTime'],
  form: [
    'examId',
    'itemId',
    'remarkType',
    {
      field: 'ticketId',
      when: {
        remarkType: [
          TicketRemarkType.personalNote,
          TicketRemarkType.absent,
          TicketRemarkType.misconduct,
          TicketRemarkType.specialNeeds,
        ],
      },
    },
    'sort',
    { field: 'content', span: 24 },
  ],
  sort: 'sort',
  scope: byExam('examId', arranged),
  actions: {
    preview: {
      label: '准考证预览',
      call: 'GET preview?id',
      when: { remarkType: [TicketRemarkType.instructions, TicketRemarkType.personalNote] },
      download: true,
      code: 'view',
    },
  },
})
