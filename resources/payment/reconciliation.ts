import { date, dict, resource, wide } from '#engine'
import { payChannel, ReconStatus } from '../../schemas/dictionaries.ts'
import { Reconciliation } from '../../schemas/payment/reconciliation.ts'

const billDate = date('账单日期', { help: '渠道在次日10点后出账单' })
const channel = dict('渠道', payChannel)

/** A day of which not everything is settled. */
const open = [ReconStatus.pending, ReconStatus.balanced, ReconStatus.different]

export const reconciliation = resource(Reconciliation, {
  path: '/blade-reconciliation/reconciliation',
  route: '/pay/reconciliation',
  totals: ['localNum', 'localAmount', 'channelNum', 'channelAmount', 'diffNum'],
  columns: [
    { field: 'billDate', with: ['channel'], width: 150 },
    { field: 'localNum', with: ['localAmount'], width: 140 },
    { field: 'channelNum', with: ['channelAmount'], width: 140 },
    { field: 'diffNum', card: true, width: 100 },
    { field: 'reconStatus', as: 'tag', width: 110 },
    { field: 'refundLocal', with: ['refundChannel'], width: 130 },
    { field: 'handleUser', with: ['handleTime'], width: 150 },
  ],
  views: {
    有差异: { reconStatus: ReconStatus.different },
    未对账: { reconStatus: ReconStatus.pending },
    对平: { reconStatus: ReconStatus.balanced },
    差异已处理: { reconStatus: ReconStatus.resolved },
    全部: {},
  },
  todos: {
    有差异: { label: '有差异的对账' },
    未对账: { label: '待做的对账', needs: 'reconciliation_run' },
  },
  removable: { when: { reconStatus: ReconStatus.pending }, refusal: 'row.inUse' },
  main: ['differences', 'again', 'view'],
  empty: { text: '第一笔缴费的次日开始' },
  search: ['billDate', 'channel', 'reconStatus', 'createTime'],
  sort: '-billDate',
  scope: wide('a day is the sum of a tenant at a channel and names no candidate'),
  form: ['billDate', 'channel', 'remark'],
  children: { reconciliationitem: { label: '差异', by: 'reconId' } },
  actions: {
    run: { label: '执行对账', on: 'toolbar', call: 'POST run', ask: { billDate, channel } },
    differences: {
      label: '处理差异',
      call: 'GET differences?id',
      open: '/pay/reconciliationitem?reconId=:id',
      when: { reconStatus: ReconStatus.different },
      code: 'view',
    },
    again: {
      label: '重新对账',
      call: 'POST again?id',
      when: { reconStatus: open },
      refusal: 'payment.daySettled',
      confirm: '重新取渠道账单并比对，已处理的差异不变，确定重新对账?',
      done: '{{name}} 已重新对账',
      code: 'run',
    },
    bringBill: {
      label: '上传账单',
      call: 'POST bringBill?id',
      when: { reconStatus: open },
      refusal: 'payment.daySettled',
      upload: '.csv',
      done: '{{name}} 已按上传的账单对账',
      code: 'run',
    },
    importBill: {
      label: '上传账单',
      on: 'toolbar',
      call: 'POST importBill',
      upload: '.csv',
      ask: { billDate, channel },
      code: 'run',
    },
  },
})
