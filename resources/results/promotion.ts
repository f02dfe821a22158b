import { resource, text } from '#engine'
import { PromotionStatus } from '../../schemas/dictionaries.ts'
import { Promotion } from '../../schemas/results/promotion.ts'
import { arranged, byExam } from '../scopes.ts'

const pending = { promotionStatus: PromotionStatus.pending } as const

export const promotion = resource(Promotion, {
  path: '/blade-result/promotion',
  title: '递补记录',
  route: '/result/promotion',
  can: ['view', 'export'],
  columns: [
    { field: 'unit', with: ['code', 'itemId', 'examId'], width: 200 },
    { field: 'promotionStatus', as: 'tag', with: ['dropReason'], width: 110 },
    { field: 'num', card: true, width: 88 },
    { field: 'reason', width: 200 },
    { field: 'until', card: true, width: 120 },
    { field: 'askUser', with: ['createTime'], width: 130 },
    { field: 'confirmUser', with: ['confirmTime'], width: 130 },
  ],
  find: ['code'],
  views: {
    全部: {},
    等我确认: { ...pending, askUser: { not: '$caller' } },
    待确认: pending,
    已递补: { promotionStatus: PromotionStatus.done },
  },
  todos: { 等我确认: { label: '待确认的递补', needs: 'promotion_confirm', overdue: { until: { before: '$now' } } } },
  main: ['confirm', 'view'],
  empty: { text: '还没有递补', next: { 查看空缺: '/result/vacancy' } },
  search: ['examId', 'itemId', 'unit', 'code', 'promotionStatus', 'createTime'],
  sort: '-createTime',
  children: { result: { label: '递补人员', by: 'promotionId' } },
  scope: byExam('examId', arranged),
  transitions: {
    confirm: {
      label: '确认递补',
      call: 'POST confirm?id',
      when: pending,
      second: 'askUser',
      confirm: '确认后递补人员进入入围名单并收到通知，确定?',
      guard: '空缺和递补顺序与提出时一致，确认截止未到',
      set: { promotionStatus: PromotionStatus.done, confirmUser: '$caller', confirmTime: '$now' },
      code: 'confirm',
    },
    drop: {
      label: '不递补',
      call: 'POST drop?id',
      when: pending,
      set: { promotionStatus: PromotionStatus.dropped, dropReason: '$reason' },
      reason: text('不递补的原因', { maxLength: 200 }),
      code: 'confirm',
      danger: true,
    },
  },
})
