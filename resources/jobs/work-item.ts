import { resource } from '#engine'
import { WorkState } from '../../schemas/dictionaries.ts'
import { WorkItem } from '../../schemas/jobs/work-item.ts'

export const workItem = resource(WorkItem, {
  path: '/blade-job/work-item',
  route: '/job/work-item',
  can: ['view'],
  columns: [
    { field: 'kind', width: 140 },
    { field: 'state', as: 'tag', width: 100 },
    { field: 'result', width: 260 },
    'runAt',
    'tries',
    'endTime',
    { field: 'key', width: 180 },
    'createTime',
    { field: 'progress', folded: true },
    { field: 'total', folded: true },
    { field: 'maxTries', folded: true },
    { field: 'priority', folded: true },
    { field: 'forNode', folded: true },
  ],
  search: ['kind', 'state', 'key', 'createTime'],
  transitions: {
    retry: {
      label: '重试',
      call: 'POST retry?id',
      confirm: '将重新执行该工作，确定重试?',
      when: { state: WorkState.failed },
      guard: '没有同样的工作在等待或运行',
      set: { state: WorkState.waiting, tries: 0, runAt: '$now', endTime: null, result: null },
    },
  },
})
