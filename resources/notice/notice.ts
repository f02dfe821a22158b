import { resource } from '#engine'
import { Notice } from '../../schemas/notice/notice.ts'

const columns = [
  { field: 'title', width: 280 },
  { field: 'noticeStatus', as: 'tag' },
  { field: 'scope1', width: 180 },
  'releaseTime',
  'readNum',
  'sureNum',
  'category',
  'noticeType',
  'examId',
  'needSure',
  'isTop',
  'endTime',
] as const

const form = [
  'title',
  'category',
  'noticeType',
  'examId',
  'scope1',
  { field: 'scope2', as: 'stages', when: { scope1: 3 } },
  { field: 'scopeState', when: { scope1: [2, 3] } },
  'releaseTime',
  'endTime',
  { field: 'needSure', when: { noticeType: 2 } },
  'isTop',
  { field: 'content', span: 24 },
] as const

export const notice = resource(Notice, {
  path: '/blade-desk/notice',
  route: '/notice/list',
  columns,
  search: [
    'title',
    'category',
    'noticeType',
    'examId',
    'scope1',
    'releaseTime',
    'needSure',
    'noticeStatus',
    'createTime',
  ],
  form,
  children: [{ label: '附件', resource: 'noticefile', by: 'noticeId' }],
  actions: {
    preview: { label: '预览', call: 'GET preview?id', open: '/notice/preview/:id', code: 'view' },
    reading: {
      label: '阅读情况',
      call: 'GET reading?id',
      when: { noticeStatus: [1, 2] },
      open: '/notice/read?noticeId=:id',
    },
    release: {
      label: '发布',
      call: 'POST release?id',
      when: { noticeStatus: [0, 2] },
      set: { noticeStatus: 1 },
      confirm: '确定发布?',
    },
    recall: {
      label: '撤回',
      call: 'POST recall?id',
      when: { noticeStatus: 1 },
      set: { noticeStatus: 2 },
      confirm: '撤回后考生不再看到，确定撤回?',
      danger: true,
    },
  },
})
