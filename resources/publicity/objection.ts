import { deadlineShape, dict, group, longText, resource, sometimes, structured, text } from '#engine'
import { ObjectionOutcome, ObjectionStatus, objectionOutcome } from '../../schemas/dictionaries.ts'
import { Objection } from '../../schemas/publicity/objection.ts'
import { arranged, byExam } from '../scopes.ts'

const { pending, accepted, investigating } = ObjectionStatus
const unanswered = [accepted, investigating]

/** An answer that a second person lets out: it stands in the row by then, and its state says what was found. */
const answered = { answerUser: '$caller', answerTime: '$now' } as const
const confirming = {
  label: '确认答复',
  second: 'proposeUser',
  confirm: '确认后异议人凭受理编号即可查看答复，确定?',
  code: 'answer',
} as const

export const objection = resource(Objection, {
  path: '/blade-publicity/objection',
  title: '异议',
  route: '/publicity/objection',
  can: ['view', 'export'],
  derived: { due: structured('答复期限', deadlineShape) },
  columns: [
    { field: 'receipt', with: ['objectionKind'], width: 160 },
    { field: 'content', width: 220 },
    { field: 'objectionStatus', as: 'tag', with: ['outcome'], width: 110 },
    { field: 'due', as: 'deadline', card: true, width: 150 },
    { field: 'publicityId', with: ['examId'], width: 190 },
    { field: 'createTime', card: true, width: 110 },
    { field: 'listNo', folded: true },
    { field: 'isNamed', folded: true },
    { field: 'acceptDue', folded: true },
    { field: 'answerDue', folded: true },
    { field: 'acceptUser', folded: true },
    { field: 'answerUser', folded: true },
    { field: 'answer', folded: true },
    { field: 'strike', folded: true },
    { field: 'resultChange', folded: true },
    { field: 'correction', folded: true },
  ],
  find: ['receipt', 'listNo'],
  views: {
    待受理: { objectionStatus: pending },
    办理中: { objectionStatus: unanswered },
    等我确认: { objectionStatus: investigating, outcome: { not: null }, proposeUser: { not: '$caller' } },
    逾期: { objectionStatus: [pending, ...unanswered], answerDue: { before: '$now' } },
    全部: {},
  },
  todos: {
    待受理: { label: '待受理的异议', needs: 'objection_handle', overdue: { acceptDue: { before: '$now' } } },
    办理中: {
      label: '待答复的异议',
      needs: 'objection_handle',
      since: 'acceptTime',
      overdue: { answerDue: { before: '$now' } },
    },
    等我确认: { label: '待确认的异议答复', needs: 'objection_answer', since: 'updateTime' },
  },
  main: ['accept', 'investigate', 'propose', 'confirmUpheld', 'confirmPartly', 'confirmUnfounded'],
  empty: { text: '没有异议' },
  search: ['examId', 'publicityId', 'receipt', 'objectionKind', 'objectionStatus', 'createTime'],
  scope: byExam('examId', arranged),
  transitions: {
    accept: {
      label: '受理',
      call: 'POST accept?id',
      when: { objectionStatus: pending },
      set: { objectionStatus: accepted, acceptUser: '$caller', acceptTime: '$now' },
      code: 'handle',
    },
    refuse: {
      label: '不予受理',
      call: 'POST refuse?id',
      when: { objectionStatus: pending },
      set: {
        objectionStatus: ObjectionStatus.refused,
        acceptUser: '$caller',
        acceptTime: '$now',
        refuseReason: '$reason',
      },
      reason: text('不予受理原因', { maxLength: 200, help: '异议人凭受理编号可以看到' }),
      code: 'handle',
      danger: true,
    },
    investigate: {
      label: '开始核查',
      call: 'POST investigate?id',
      when: { objectionStatus: accepted },
      set: { objectionStatus: investigating },
      code: 'handle',
    },
    propose: {
      label: '拟定答复',
      call: 'POST propose?id',
      when: { objectionStatus: investigating, outcome: null },
      guard: '处理结果属于该考试',
      input: ['strike', 'resultChange', 'correction'],
      ask: {
        outcome: dict('结论', objectionOutcome),
        answer: longText('答复', { maxLength: 2000, help: '由另一人确认后，异议人凭受理编号可以看到' }),
      },
      set: { proposeUser: '$caller', proposeTime: '$now' },
      code: 'handle',
    },
    confirmUpheld: {
      ...confirming,
      call: 'POST confirmUpheld?id',
      when: { objectionStatus: investigating, outcome: ObjectionOutcome.upheld },
      set: { objectionStatus: ObjectionStatus.upheld, ...answered },
    },
    confirmPartly: {
      ...confirming,
      call: 'POST confirmPartly?id',
      when: { objectionStatus: investigating, outcome: ObjectionOutcome.partly },
      set: { objectionStatus: ObjectionStatus.partly, ...answered },
    },
    confirmUnfounded: {
      ...confirming,
      call: 'POST confirmUnfounded?id',
      when: { objectionStatus: investigating, outcome: ObjectionOutcome.unfounded },
      set: { objectionStatus: ObjectionStatus.unfounded, ...answered },
    },
    revise: {
      label: '退回重拟',
      call: 'POST revise?id',
      when: { objectionStatus: investigating, outcome: { not: null } },
      set: { outcome: null, answer: null, strike: null, resultChange: null, correction: null },
      reason: text('退回原因', { maxLength: 200 }),
      code: 'handle',
    },
    withdraw: {
      label: '撤回',
      when: { objectionStatus: [pending, ...unanswered] },
      set: { objectionStatus: ObjectionStatus.withdrawn },
    },
  },
  actions: {
    reveal: {
      label: '查看异议人',
      call: 'POST reveal?id',
      still: true,
      when: { isNamed: 1 },
      ask: { reason: text('查看原因', { minLength: 2, maxLength: 200, help: '将被记录' }) },
      answer: group({ objectorName: sometimes(text('异议人')), objectorPhone: sometimes(text('联系电话')) }),
    },
  },
})
