import { resource, text } from '#engine'
import { RequestStatus } from '../../schemas/dictionaries.ts'
import { Datarequest } from '../../schemas/system/datarequest.ts'

const open = [RequestStatus.asked, RequestStatus.accepted]

export const datarequest = resource(Datarequest, {
  path: '/blade-system/datarequest',
  route: '/system/datarequest',
  can: ['view', 'add', 'export'],
  columns: [
    { field: 'name', with: ['requestKind'], width: 150 },
    { field: 'content', width: 210 },
    { field: 'requestStatus', as: 'tag', width: 120 },
    { field: 'dueDate', card: true, width: 110 },
    { field: 'createTime', width: 112 },
    { field: 'answer', width: 160 },
    { field: 'handleUser', with: ['handleTime'], width: 120 },
    { field: 'confirmUser', with: ['confirmTime'], folded: true },
  ],
  form: { 请求: ['userId', 'requestKind', 'content'] },
  find: ['name'],
  views: {
    待办: { requestStatus: open },
    等我复核: { requestStatus: RequestStatus.refusing, handleUser: { not: '$caller' } },
    全部: {},
  },
  todos: {
    待办: { label: '待办理的个人信息请求', needs: 'datarequest_handle', overdue: { dueDate: { before: '$today' } } },
    等我复核: { label: '待复核的拒绝', needs: 'datarequest_handle', since: 'handleTime' },
  },
  main: ['accept', 'finish', 'confirmRefusal', 'view'],
  empty: { text: '没有个人信息请求' },
  search: ['name', 'requestKind', 'requestStatus', 'dueDate', 'createTime', 'userId'],
  sort: 'dueDate',
  owner: {
    field: 'userId',
    where: {},
    fields: ['requestKind', 'content', 'requestStatus', 'dueDate', 'answer', 'handleTime', 'confirmTime'],
  },
  transitions: {
    accept: {
      label: '受理',
      call: 'POST accept?id',
      when: { requestStatus: RequestStatus.asked },
      set: { requestStatus: RequestStatus.accepted, handleUser: '$caller', handleTime: '$now' },
      code: 'handle',
    },
    finish: {
      label: '办结',
      call: 'POST finish?id',
      when: { requestStatus: open },
      guard: '请求删除的，没有进行中的考试和未完成的退款、复核',
      set: { requestStatus: RequestStatus.done, handleUser: '$caller', handleTime: '$now', answer: '$reason' },
      reason: text('答复', { maxLength: 500, help: '考生可以看到；请求删除的，办结后立即清除，不能恢复' }),
      code: 'handle',
    },
    refuse: {
      label: '拟拒绝',
      call: 'POST refuse?id',
      when: { requestStatus: open },
      set: { requestStatus: RequestStatus.refusing, handleUser: '$caller', handleTime: '$now', answer: '$reason' },
      reason: text('拒绝理由', { maxLength: 500, help: '由另一人复核后告知考生' }),
      code: 'handle',
      danger: true,
    },
    confirmRefusal: {
      label: '确认拒绝',
      call: 'POST confirmRefusal?id',
      confirm: '确认后考生看到拒绝理由，并可依法向法院起诉，确定拒绝?',
      when: { requestStatus: RequestStatus.refusing },
      second: 'handleUser',
      set: { requestStatus: RequestStatus.refused, confirmUser: '$caller', confirmTime: '$now' },
      code: 'handle',
      danger: true,
    },
    sendBack: {
      label: '退回再办',
      call: 'POST sendBack?id',
      when: { requestStatus: RequestStatus.refusing },
      second: 'handleUser',
      set: { requestStatus: RequestStatus.accepted, answer: null },
      code: 'handle',
    },
    withdraw: {
      label: '撤回',
      when: { requestStatus: open },
      set: { requestStatus: RequestStatus.withdrawn },
    },
  },
})
