import { numberedShape, resource, text } from '#engine'
import { AttendStatus, TicketStatus } from '../../schemas/dictionaries.ts'
import { Examinationticket } from '../../schemas/tickets/examinationticket.ts'
import { arranged, byExam } from '../scopes.ts'

export const examinationticket = resource(Examinationticket, {
  path: '/blade-ticket/examinationticket',
  route: '/ticket/list',
  can: ['view', 'edit', 'remove', 'export'],
  instead: { add: '准考证由编排（allotTicket）生成，不能新增' },
  columns: [
    { field: 'name', with: ['ticketNo'], width: 190 },
    { field: 'schoolId', with: ['roomNo', 'seatNo'], width: 170 },
    { field: 'ticketStatus', as: 'tag', width: 100 },
    { field: 'attend', as: 'tag', card: true, width: 100 },
    { field: 'unit', with: ['code'], width: 160 },
    { field: 'checkInTime', width: 110 },
    { field: 'itemId', with: ['examId'], width: 140 },
    { field: 'idCard', folded: true },
    { field: 'startTime', folded: true },
  ],
  find: ['name', 'ticketNo'],
  views: {
    全部: {},
    未发布: { ticketStatus: TicketStatus.draft },
    已作废: { ticketStatus: TicketStatus.voided },
    缺考: { attend: AttendStatus.absent },
  },
  main: ['view'],
  // Nobody has seen it yet; afterwards it is void.
  removable: { when: { ticketStatus: TicketStatus.draft } },
  empty: { text: '先锁定座位', next: { 去编排: '/ticket/allot?examId=:examId' } },
  search: [
    'name',
    'ticketNo',
    'ticketStatus',
    'examId',
    'itemId',
    'idCard',
    'unit',
    'code',
    'schoolId',
    'roomNo',
    'seatNo',
    'attend',
    'signupId',
    'createTime',
  ],
  sort: 'ticketNo',
  // Room, seat and code stand on the ticket itself, which is given when nothing stands before it.
  owner: {
    field: 'userId',
    where: { ticketStatus: [TicketStatus.released, TicketStatus.voided] },
    fields: ['examId', 'itemId', 'signupId', 'name', 'ticketNo', 'ticketStatus', 'startTime', 'endTime'],
  },
  scope: byExam('examId', arranged),
  transitions: {
    void: {
      label: '作废',
      call: 'POST voidTicket?id',
      when: { ticketStatus: TicketStatus.released },
      set: { ticketStatus: TicketStatus.voided, voidReason: '$reason' },
      reason: text('作废原因', { maxLength: 200 }),
      num: 'rows',
      confirm: '作废后考生不能再下载，现场核验显示已作废。',
      danger: true,
    },
  },
  actions: {
    print: { label: '打印', on: 'rows', call: 'GET print?ids', download: true, code: 'export' },
    reissue: {
      label: '补发',
      call: 'POST reissueTicket?id',
      when: { ticketStatus: [TicketStatus.released, TicketStatus.voided] },
      ask: { reason: text('补发原因', { maxLength: 200 }) },
      confirm: '原准考证作废，按报名当前信息生成新的准考证号和二维码，座位不变。',
      answer: numberedShape,
    },
  },
})
