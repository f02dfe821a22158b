import { count, group, integer, resource, text, truth } from '#engine'
import { Auditlog } from '../../schemas/audit/auditlog.ts'
import { AuditOutcome } from '../../schemas/dictionaries.ts'

const columns = [
  { field: 'time', width: 130 },
  { field: 'userId', with: ['user.deptId'], width: 170 },
  { field: 'act', as: 'deed', width: 300 },
  { field: 'outcome', as: 'tag', width: 110 },
  { field: 'ip', width: 150 },
  { field: 'event', as: 'tag', folded: true },
  { field: 'targetType', folded: true },
  { field: 'targetId', folded: true },
  { field: 'seq', folded: true },
  { field: 'hash', folded: true },
] as const

export const auditlog = resource(Auditlog, {
  path: '/blade-log/audit',
  route: '/log/audit',
  can: ['view', 'export'],
  /** What was done in the words of its button, to rows of which list, what the first of them are called, and how many they are. */
  derived: {
    act: text('做了什么'),
    targetTitle: text('对象'),
    targetName: text('对象名称'),
    targetNum: integer('对象数量'),
  },
  columns,
  find: ['user.realName', 'user.account', 'targetId'],
  foundThrough: { type: 'targetType', ids: 'targetId', of: ['examination', 'examitems', 'signup', 'user'] },
  search: ['event', 'userId', 'outcome', 'targetType', 'targetId', 'ip', 'time'],
  // Counted since a day, so that months that have gone are not read.
  views: {
    今天: { time: { since: '$today' } },
    近7天失败: { time: { since: '$today-6' }, outcome: [AuditOutcome.failure, AuditOutcome.denied] },
    近7天告警: { time: { since: '$today-6' }, event: 'alarm' },
    近30天看过号码: { time: { since: '$today-29' }, event: 'reveal' },
  },
  todos: { 近7天告警: { label: '近七日异常告警', since: 'time' } },
  sort: '-seq',
  actions: {
    verify: {
      label: '校验完整性',
      on: 'toolbar',
      call: 'GET verify',
      answer: group({ message: text('说明'), count: count('条数'), hash: text('校验值'), ok: truth('是否完整') }),
    },
  },
})
