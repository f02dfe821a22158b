import { resource } from '#engine'
import { Result } from '../../schemas/results/result.ts'
import { arranged, byExam } from '../scopes.ts'
import { stageActions } from './result-actions.ts'

const search = [
  'examId',
  'itemId',
  'ticketNo',
  'name',
  'idCard',
  'unit',
  'code',
  'resultFlag',
  'isPass',
  'isNext',
  'resultStatus',
  'createTime',
] as const

export const result = resource(Result, {
  path: '/blade-result/result',
  route: '/result/list',
  can: ['view', 'add', 'edit', 'remove', 'export', 'import'],
  columns: [
    'examId',
    'itemId',
    'ticketNo',
    'name',
    { field: 'idCard', folded: true },
    'unit',
    'code',
    'score',
    'addScore',
    { field: 'resultFlag', as: 'tag' },
    'rankNo',
    'totalScore',
    'isPass',
    'isNext',
    { field: 'resultStatus', as: 'tag' },
    'releaseTime',
  ],
  search,
  form: [
    { field: 'itemId', readonly: 'edit' },
    { field: 'ticketNo', readonly: 'edit' },
    'score',
    'addScore',
    'resultFlag',
    { field: 'remark', span: 24 },
  ],
  scope: byExam('examId', arranged),
  sort: 'ticketNo',
  children: { resultlog: { label: '成绩变更记录', by: 'signupId' } },
  actions: stageActions,
})
