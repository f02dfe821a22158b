import { money as amount, flag, integer, resource } from '#engine'
import { ExampayStatus } from '../../schemas/dictionaries.ts'
import { Exampay } from '../../schemas/payment/exampay.ts'
import { byExam, money } from '../scopes.ts'

export const exampay = resource(Exampay, {
  path: '/blade-examPay/exampay',
  route: '/pay/exampay',
  /** Who owes it, has paid it and is exempt from it, and what has come in. */
  derived: {
    dueNum: integer('应缴'),
    paidNum: integer('已缴'),
    exemptNum: integer('免缴'),
    income: amount('实收'),
    isUnbooked: flag('待生成台账'),
  },
  measured: ['dueNum', 'paidNum', 'exemptNum', 'income', 'isUnbooked'],
  totals: ['dueNum', 'paidNum', 'exemptNum', 'income'],
  columns: [
    { field: 'payName', with: ['itemId', 'examId'], width: 206 },
    { field: 'amount', width: 100 },
    { field: 'startTime', with: ['endTime'], width: 124 },
    { field: 'payStatus', as: 'tag', width: 100 },
    { field: 'dueNum', width: 80 },
    { field: 'paidNum', card: true, width: 80 },
    { field: 'exemptNum', width: 84 },
    { field: 'income', width: 110 },
    { field: 'releaseTime', folded: true },
  ],
  views: {
    全部: {},
    草稿: { payStatus: ExampayStatus.draft },
    已发布: { payStatus: ExampayStatus.released },
    待生成台账: { endTime: { before: '$now' }, isUnbooked: 1 },
  },
  todos: { 待生成台账: { label: '待生成台账的收费', needs: 'exportpaymain_create', since: 'endTime' } },
  main: ['releasePay', 'edit', 'view'],
  empty: { text: '没有收费', next: { 设置收费: 'add' } },
  search: ['examId', 'itemId', 'payName', 'payStatus', 'createTime'],
  scope: byExam('examId', money),
  announce: {
    when: { payStatus: ExampayStatus.released },
    call: 'GET countMoved?id,fields',
    confirm: '改动缴费结束时间会通知 {{n}} 人，确定保存?',
  },
  // One that was released is recalled.
  removable: { when: { payStatus: ExampayStatus.draft } },
  actions: {
    releasePay: {
      label: '发布缴费',
      call: 'POST releasePay?id',
      when: { payStatus: ExampayStatus.draft },
      confirm: '发布后为每位应缴考生生成缴费记录，确定发布?',
      code: 'release',
    },
    deletePay: {
      label: '撤回缴费',
      call: 'POST deletePay?id',
      when: { payStatus: ExampayStatus.released },
      confirm: '撤回后未缴费记录将删除，确定撤回?',
      code: 'recall',
      danger: true,
    },
  },
})
