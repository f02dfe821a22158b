import { cases, resource, when, wide } from '#engine'
import { NoticeScope, NoticeStatus, NoticeType } from '../../schemas/dictionaries.ts'
import { Notice } from '../../schemas/notices/notice.ts'
import { arranged, byExam } from '../scopes.ts'
import { noticeActions, noticeTransitions } from './notice-actions.ts'

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
  { field: 'scope1', as: 'audience' },
  { field: 'scope2', as: 'stages', when: { scope1: NoticeScope.stageCandidates } },
  { field: 'scopeState', when: { scope1: [NoticeScope.examCandidates, NoticeScope.stageCandidates] } },
  'releaseTime',
  'endTime',
  { field: 'needSure', when: { noticeType: NoticeType.notice } },
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
  filters: ['endTime', 'isTop'],
  names: { categoryName: 'category', noticeTypeName: 'noticeType' },
  // The notice of a sending is what its receivers were told.
  editable: { sendId: null },
  removable: { when: { noticeStatus: NoticeStatus.draft } },
  form,
  scope: cases(
    when({ examId: { not: null } }, byExam('examId', arranged)),
    when(
      { examId: null, scope1: { not: [2, 3] } },
      wide('a notice of no exam is for everybody, the public, the staff or those a sending names'),
    ),
  ),
  children: { noticefile: { label: '附件', by: 'noticeId', in: 'form' } },
  actions: noticeActions,
  transitions: noticeTransitions,
})
