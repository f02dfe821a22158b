import { dateTime, optional, ref, resource, text } from '#engine'
import { Result } from '../../schemas/result/result.ts'

const itemId = ref('考试项目', 'examinationitem')
const releasing = {
  itemId,
  releaseTime: optional(dateTime('定时发布时间（不填则立即发布）')),
  reason: optional(text('有人缺成绩仍要发布的原因', { maxLength: 200 })),
} as const
const recalling = { itemId, reason: text('撤回原因', { maxLength: 200 }) } as const

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
  exam: 'examId',
  sort: 'ticketNo',
  children: [{ label: '成绩变更记录', resource: 'resultlog', by: 'signupId' }],
  actions: {
    releaseResult: {
      ...{ label: '发布成绩', on: 'toolbar', call: 'POST releaseResult', code: 'release' },
      ask: releasing,
    },
    recallResult: {
      label: '撤回成绩',
      on: 'toolbar',
      call: 'POST recallResult',
      code: 'release',
      ask: recalling,
      danger: true,
    },
    deleteResult: {
      label: '清空未发布成绩',
      on: 'toolbar',
      call: 'POST deleteResult',
      code: 'delete',
      ask: { itemId },
      danger: true,
    },
  },
})
