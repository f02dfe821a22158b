import { list, structured, workspace } from '#engine'
import {
  AppealStatus,
  ExamineStatus,
  ExamRole,
  ExamStatus,
  InvoiceStatus,
  ReduceState,
  RefundStatus,
  SignStatus,
} from '../../schemas/dictionaries.ts'
import { examination } from './examination.ts'
import { windowShape } from './standing.ts'

/** The place around one exam: everything that is prepared, run and looked up for it. */
export const examWorkspace = workspace(examination, {
  route: '/exam/:id',
  header: {
    state: 'examStatus',
    facts: ['examCode', 'contactPhone', { field: 'deadline', as: 'deadline' }],
    line: { as: 'stages', value: structured('时间安排', list(windowShape)) },
    main: ['look'],
    outside: { title: '公开页面', address: '/public/exam/:id', when: { examStatus: ExamStatus.released } },
  },
  checks: {
    call: 'GET checkRelease?id',
    while: { examStatus: ExamStatus.draft },
    later: { examStatus: ExamStatus.released },
    once: ['future'],
    again: { examStatus: ExamStatus.closed },
    then: 'releaseExam',
    tell: ['signStartTime', 'signEndTime', 'contactPhone'],
    seen: '/exam/preview/:id',
    mend: {
      position: { page: 'positions', new: {} },
      stage: { page: 'stages', new: {} },
      charged: { page: 'stages', new: { needPay: 1 } },
      fee: 'stages',
      pay: 'edit',
      examTime: 'edit',
      stageTime: 'stages',
      ticketTime: 'edit',
      stageTicket: 'stages',
      items: 'form',
      photo: {
        page: 'papers',
        new: { fileCode: 'photo', fileName: '证件照', exts: 'jpg,png', isPhoto: 1, required: 1 },
      },
      texts: 'edit',
      reviewer: { page: 'staff', new: { examRole: ExamRole.firstReviewer } },
      rechecker: { page: 'staff', new: { examRole: ExamRole.secondReviewer } },
      windows: 'edit',
      future: 'edit',
      rooms: { page: 'rooms', new: {} },
      restDay: 'edit',
      dictionary: 'form',
    },
  },
  today: {
    待审核: {
      of: 'signup',
      where: { signStatus: SignStatus.submitted, examine: ExamineStatus.pending },
      page: 'signups',
      oldest: 'submitTime',
    },
    待选择改报: { of: 'postreductionname', where: { nameState: ReduceState.choosing }, page: 'moves' },
    待批准的退款: {
      of: 'payrefund',
      where: { refundStatus: RefundStatus.requested },
      page: 'refunds',
      oldest: 'createTime',
    },
    待开的票据: { of: 'payrecord', where: { invoiceStatus: InvoiceStatus.asked }, page: 'dues' },
    待处理的成绩复核: {
      of: 'resultappeal',
      where: { appealStatus: AppealStatus.pending },
      page: 'appeals',
      oldest: 'createTime',
    },
  },
  trend: {
    title: '报名',
    of: 'signup',
    where: { signStatus: SignStatus.submitted },
    page: 'signups',
    time: 'submitTime',
  },
  pages: {
    准备: {
      edit: { form: true, title: '基本与时间' },
      positions: { list: 'examitems' },
      stages: { list: 'examinationitem' },
      form: { page: '/exam/form/:id' },
      papers: { list: 'examsignfiles' },
      staff: { list: 'examuser', overview: '/exam/staff' },
      fees: { list: 'exampay' },
    },
    报名: {
      signups: { list: 'signup' },
      review: { page: '/examine/list' },
      reviewed: { page: '/examine/done' },
      recheck: { page: '/examine/review' },
      reduction: { page: '/reduction/post' },
      moves: { list: 'postreductionname' },
    },
    缴费: {
      dues: { list: 'payrecord' },
      orders: { list: 'payorder', by: 'biz.examId' },
      refunds: { list: 'payrefund', by: 'payRecord.examId' },
    },
    考场: {
      seats: { page: '/ticket/allot' },
      rooms: { list: 'examroom' },
      tickets: { list: 'examinationticket' },
      downloads: { list: 'ticketnotice' },
      remarks: { list: 'ticketremark' },
      checkin: { page: '/ticket/checkin' },
    },
    成绩: {
      results: { list: 'result' },
      appeals: { list: 'resultappeal' },
      final: { page: '/result/final' },
    },
    沟通: { notices: { list: 'notice' }, messages: { list: 'send' }, telling: { page: '/exam/telling' } },
    统计: {
      statistics: { page: '/statistics/index' },
      board: { page: '/statistics/screen', apart: 'examId' },
    },
    记录: {
      log: { history: [], title: '变更记录' },
      archive: { page: '/exam/archive/:id', may: 'archive' },
    },
  },
})
