import { resource } from '#engine'
import { NoticeStatus } from '../../schemas/dictionaries.ts'
import { Files } from '../../schemas/notices/files.ts'

export const files = resource(Files, {
  path: '/blade-files/files',
  route: '/notice/files',
  columns: [
    'fileName',
    'category',
    'attachId',
    'fileSize',
    'ext',
    'downNum',
    { field: 'filesStatus', as: 'tag' },
    'sort',
  ],
  search: ['fileName', 'category', 'filesStatus', 'createTime'],
  sort: 'sort',
  // What is online comes down before it goes.
  removable: { when: { filesStatus: { not: NoticeStatus.released } } },
  transitions: {
    release: {
      label: '上线',
      call: 'POST release?id',
      when: { filesStatus: [NoticeStatus.draft, NoticeStatus.recalled] },
      set: { filesStatus: NoticeStatus.released },
      confirm: '上线后任何人都能下载，确定上线?',
    },
    recall: {
      label: '下线',
      call: 'POST recall?id',
      when: { filesStatus: NoticeStatus.released },
      set: { filesStatus: NoticeStatus.recalled },
      danger: true,
    },
  },
})
