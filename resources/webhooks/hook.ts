import { group, integer, longText, maybe, resource, text, wide } from '#engine'
import { HookStatus } from '../../schemas/dictionaries.ts'
import { Hook } from '../../schemas/webhooks/hook.ts'

const { disabled, enabled, switchedOff } = HookStatus

/** The secret, which is told this once. */
const told = group({ secret: text('密钥') })

export const hook = resource(Hook, {
  path: '/blade-develop/hook',
  route: '/develop/hook',
  can: ['view', 'add', 'edit', 'remove'],
  columns: [
    { field: 'name', with: ['url'], width: 260 },
    { field: 'hookStatus', as: 'tag', with: ['offReason'], width: 140 },
    { field: 'events', as: 'events', width: 200 },
    { field: 'examId', width: 160 },
    { field: 'failSince', width: 130 },
    { field: 'secretTime', folded: true },
    { field: 'algorithm', folded: true },
    { field: 'deliveryOrder', folded: true },
    { field: 'formerUntil', folded: true },
    { field: 'remark', folded: true },
  ],
  search: ['name', 'hookStatus', 'examId', 'createTime'],
  filters: ['url', 'events', 'algorithm', 'deliveryOrder', 'remark'],
  main: ['issue', 'enable', 'test', 'rotate'],
  empty: { text: '没有推送；新增后，选定的业务事件会发往其他系统' },
  form: [
    'name',
    'examId',
    { field: 'url', span: 24 },
    { field: 'events', as: 'events', span: 24 },
    'algorithm',
    'deliveryOrder',
    { field: 'remark', span: 24 },
  ],
  children: { hookdelivery: { label: '推送记录', by: 'hookId' } },
  scope: wide('administrators set up what other systems are told; nobody is appointed to that'),
  transitions: {
    enable: {
      label: '启用',
      call: 'POST enable?id',
      when: { hookStatus: [disabled, switchedOff] },
      guard: '已取得密钥',
      set: { hookStatus: enabled, failSince: null, offReason: null },
      confirm: '启用后，此后发生的事件推送到该地址；停用前未送达的继续推送，确定启用?',
    },
    disable: {
      label: '停用',
      call: 'POST disable?id',
      when: { hookStatus: enabled },
      set: { hookStatus: disabled },
      confirm: '停用期间发生的事件不再推送，确定停用?',
      code: 'enable',
    },
    switchOff: {
      label: '自动停用',
      when: { hookStatus: enabled },
      set: { hookStatus: switchedOff, offReason: '$reason' },
      reason: text('自动停用原因'),
    },
  },
  actions: {
    issue: {
      label: '取得密钥',
      call: 'POST issue?id',
      when: { secretTime: null },
      confirm: '密钥只显示这一次，请交给接收方保存，确定?',
      answer: told,
      code: 'rotate',
    },
    rotate: {
      label: '换密钥',
      call: 'POST rotate?id',
      when: { secretTime: { not: null } },
      confirm: '新密钥只显示这一次；24小时内新旧密钥同时签名，之后旧密钥失效，确定更换?',
      answer: told,
    },
    test: {
      label: '测试',
      call: 'POST test?id',
      when: { secretTime: { not: null } },
      answer: group({
        httpStatus: maybe(integer('HTTP状态')),
        ms: integer('耗时（毫秒）'),
        answer: longText('接收方的回应'),
      }),
    },
  },
})
