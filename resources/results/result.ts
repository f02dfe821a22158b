import { resource } from '#engine'
import { ConfirmStatus, ReleaseStatus, ResultFlag } from '../../schemas/dictionaries.ts'
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
  'confirmStatus',
  'resultStatus',
  'createTime',
] as const

/** Results that are out are changed by a correction, or after they were taken back. */
const unreleased = { resultStatus: { not: ReleaseStatus.released } } as const

/** On a published shortlist, without an answer of the candidate. */
const onShortlist = {
  resultStatus: ReleaseStatus.released,
  isNext: 1,
  confirmStatus: ConfirmStatus.unanswered,
} as const

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
    { field: 'isNext', with: ['confirmStatus'], width: 124 },
    { field: 'isPass', folded: true },
    { field: 'confirmTime', folded: true },
    { field: 'promotionId', with: ['promotion.until'], folded: true },
    { field: 'releaseTime', folded: true },
    { field: 'idCard', folded: true },
  ],
  find: ['name', 'ticketNo'],
  views: {
    成绩未填: { score: null, resultFlag: ResultFlag.normal },
    已录: { score: { not: null } },
    入围: { isNext: 1 },
    递补: { isNext: 1, promotionId: { not: null } },
    放弃入围: { confirmStatus: [ConfirmStatus.declined, ConfirmStatus.missed] },
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
  editable: unreleased,
  removable: { when: unreleased, refusal: 'results.released' },
  children: { resultlog: { label: '成绩变更记录', by: 'signupId' } },
  transitions: {
    confirm: {
      label: '确认入围',
      when: onShortlist,
      set: { confirmStatus: ConfirmStatus.confirmed, confirmTime: '$now' },
      refusal: 'results.answered',
    },
    decline: {
      label: '放弃入围',
      when: onShortlist,
      set: { confirmStatus: ConfirmStatus.declined, confirmTime: '$now', isNext: 0 },
      refusal: 'results.answered',
    },
    miss: {
      label: '逾期未确认',
      when: onShortlist,
      set: { confirmStatus: ConfirmStatus.missed, confirmTime: '$now', isNext: 0 },
      refusal: 'results.answered',
    },
  },
  actions: stageActions,
})
