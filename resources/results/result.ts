import { resource } from '#engine'
import { ReleaseStatus, ResultFlag } from '../../schemas/dictionaries.ts'
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
    { field: 'name', with: ['ticketNo'], width: 170 },
    { field: 'unit', with: ['code', 'itemId', 'examId'], width: 150 },
    { field: 'resultStatus', as: 'tag', width: 100 },
    { field: 'score', with: ['addScore'], card: true, width: 88 },
    { field: 'resultFlag', as: 'tag', card: true, width: 100 },
    { field: 'rankNo', width: 96 },
    { field: 'totalScore', width: 88 },
    { field: 'isNext', width: 124 },
    { field: 'isPass', folded: true },
    { field: 'releaseTime', folded: true },
    { field: 'idCard', folded: true },
  ],
  find: ['name', 'ticketNo'],
  views: {
    缺成绩: { score: null, resultFlag: ResultFlag.normal },
    已录: { score: { not: null } },
    缺考违纪: { resultFlag: [ResultFlag.absent, ResultFlag.misconduct] },
    已发布: { resultStatus: ReleaseStatus.released },
  },
  empty: { text: '还没有成绩', next: { 导入: 'import' } },
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
