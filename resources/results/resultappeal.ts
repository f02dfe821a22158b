import { longText, resource } from '#engine'
import { AppealStatus } from '../../schemas/dictionaries.ts'
import { Resultappeal } from '../../schemas/results/resultappeal.ts'
import { arranged, byExam } from '../scopes.ts'

const reply = longText('答复', { maxLength: 500 })

export const resultappeal = resource(Resultappeal, {
  path: '/blade-result/resultappeal',
  title: '复核',
  route: '/result/appeal',
  can: ['view', 'export'],
  columns: [
    { field: 'resultId', with: ['result.ticketNo'], width: 180 },
    { field: 'itemId', with: ['oldScore', 'examId'], width: 190 },
    { field: 'reason', width: 240 },
    { field: 'appealStatus', as: 'tag', width: 100 },
    { field: 'createTime', card: true, width: 110 },
    { field: 'handleUser', with: ['handleTime'], width: 130 },
    { field: 'result.score', folded: true },
    { field: 'reply', folded: true },
  ],
  find: ['result.name', 'result.ticketNo'],
  views: {
    待处理: { appealStatus: AppealStatus.pending },
    更正: { appealStatus: AppealStatus.corrected },
    维持: { appealStatus: AppealStatus.upheld },
    已撤回: { appealStatus: AppealStatus.withdrawn },
  },
  todos: { 待处理: { label: '待处理的成绩复核', overdue: { createTime: { before: '$today-2' } } } },
  main: ['uphold', 'view'],
  empty: { text: '没有复核申请' },
  search: ['examId', 'itemId', 'result.ticketNo', 'appealStatus', 'createTime'],
  scope: byExam('examId', arranged),
  transitions: {
    withdraw: {
      label: '撤回',
      when: { appealStatus: AppealStatus.pending },
      set: { appealStatus: AppealStatus.withdrawn },
    },
    uphold: {
      label: '维持',
      call: 'POST handle?id,appealStatus=1',
      when: { appealStatus: AppealStatus.pending },
      ask: { reply },
      set: { appealStatus: AppealStatus.upheld, handleUser: '$caller', handleTime: '$now' },
    },
    correct: {
      label: '更正',
      call: 'POST handle?id,appealStatus=2',
      when: { appealStatus: AppealStatus.pending },
      guard: '成绩已经更正',
      ask: { reply },
      set: { appealStatus: AppealStatus.corrected, handleUser: '$caller', handleTime: '$now' },
    },
  },
})
