import { count, group, resource, text, truth } from '#engine'
import { Auditlog } from '../../schemas/audit/auditlog.ts'

const columns = [
  'time',
  { field: 'event', as: 'tag' },
  'userId',
  { field: 'outcome', as: 'tag' },
  'targetType',
  'targetId',
  'ip',
  { field: 'seq', folded: true },
  { field: 'hash', folded: true },
] as const

export const auditlog = resource(Auditlog, {
  path: '/blade-log/audit',
  route: '/log/audit',
  can: ['view', 'export'],
  columns,
  search: ['event', 'userId', 'outcome', 'targetType', 'targetId', 'ip', 'time'],
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
