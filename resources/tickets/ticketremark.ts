import { resource } from '#engine'
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
    { field: 'ticketId', when: { remarkType: [2, 3, 4, 5] } },
    'sort',
    { field: 'content', span: 24 },
  ],
  sort: 'sort',
  scope: byExam('examId', arranged),
  actions: {
    preview: {
      label: '准考证预览',
      call: 'GET preview?id',
      when: { remarkType: [1, 2] },
      download: true,
      code: 'view',
    },
  },
})
