import { resource, text, through } from '#engine'
import { HoldStatus } from '../../schemas/dictionaries.ts'
import { Datahold } from '../../schemas/exams/datahold.ts'

export const datahold = resource(Datahold, {
  path: '/blade-exam/datahold',
  route: '/exam/hold',
  can: ['view', 'add', 'export'],
  columns: [
    { field: 'reason', with: ['examId'], width: 300 },
    { field: 'holdStatus', as: 'tag', width: 120 },
    { field: 'createTime', card: true, width: 130 },
    { field: 'releaseUser', with: ['releaseTime'], width: 130 },
    { field: 'releaseReason', width: 200 },
  ],
  form: ['examId', { field: 'reason', span: 24 }],
  main: ['release', 'view'],
  empty: { text: '没有冻结的资料', next: { 新增: 'add' } },
  search: ['examId', 'holdStatus', 'createTime'],
  // Rows of an exam by appointment cannot be written once it is archived, which is when data are erased.
  scope: through('examId'),
  transitions: {
    release: {
      label: '解除冻结',
      call: 'POST release?id',
      when: { holdStatus: HoldStatus.held },
      set: { holdStatus: HoldStatus.released, releaseUser: '$caller', releaseTime: '$now', releaseReason: '$reason' },
      reason: text('解除原因', { maxLength: 200 }),
      danger: true,
    },
  },
})
