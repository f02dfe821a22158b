import { group, keyed, resource, sometimes, structured, text, type Wire } from '#engine'
import { EnableStatus } from '../../schemas/dictionaries.ts'
import { Examinationitem } from '../../schemas/exams/examinationitem.ts'
import { byExam, settings } from '../scopes.ts'
import { stageActions, stageTransitions } from './examinationitem-actions.ts'

/** What comes next with one side of a stage, what blocks it (empty: nothing), and what has to be so before. */
const moveShape = group({ next: text('动作'), msg: text('受阻原因'), guard: sometimes(text('前提')) })

export const examinationitem = resource(Examinationitem, {
  path: '/blade-item/examinationitem',
  route: '/exam/examinationitem',
  /** By the field that holds the state of the side. */
  derived: { moves: structured('下一步', keyed(moveShape)) },
  columns: [
    { field: 'itemName', with: ['itemType', 'examId'], width: 180 },
    { field: 'startTime', with: ['place'], width: 120 },
    { field: 'payRelease', as: 'move', width: 140 },
    { field: 'seatStatus', as: 'move', width: 140 },
    { field: 'ticketRelease', as: 'move', width: 140 },
    { field: 'resultRelease', as: 'move', width: 140 },
    { field: 'itemStatus', as: 'tag', width: 84 },
    { field: 'subject', folded: true },
    { field: 'endTime', folded: true },
    { field: 'needPay', folded: true },
    { field: 'fee', folded: true },
  ],
  // The next thing to do; seats, their lock and their tickets are one page.
  main: ['releasePay', 'allot', 'releaseTicket', 'releaseResult', 'edit', 'view'],
  empty: {
    text: '还没有环节',
    next: { '用「笔试 100 分」': 'beginWritten', '用「笔试 + 面试 6:4」': 'beginBoth', 新增环节: 'add' },
  },
  search: ['examId', 'itemName', 'itemType', 'itemStatus', 'createTime'],
  sort: 'sort',
  form: {
    基本信息: ['examId', 'itemName', 'itemType', 'subject', 'startTime', 'endTime', 'place', 'sort'],
    人员与收费: [
      { field: 'candidateRule', span: 24 },
      'needPay',
      { field: 'fee', when: { needPay: 1 } },
      'needSeat',
      'needTicket',
      { field: 'ticketStartTime', when: { needTicket: 1 } },
      { field: 'ticketEndTime', when: { needTicket: 1 } },
    ],
    成绩: ['fullScore', 'passScore', 'weight', 'confirmEndTime'],
  },
  scope: byExam('examId', settings),
  announce: {
    when: { itemStatus: EnableStatus.enabled },
    call: 'GET countMoved?id,fields',
    confirm: '改动截止时间会通知 {{n}} 人，确定保存?',
  },
  transitions: stageTransitions,
  actions: stageActions,
})

/** What comes next with one side of a stage. */
export type StageMove = Wire<typeof moveShape>
