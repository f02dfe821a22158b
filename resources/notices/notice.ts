import { cases, integer, resource, text, when, wide } from '#engine'
import { NoticeScope, NoticeStatus, NoticeType } from '../../schemas/dictionaries.ts'
import { Notice } from '../../schemas/notices/notice.ts'
import { arranged, byExam } from '../scopes.ts'
import { noticeActions, noticeTransitions } from './notice-actions.ts'

const columns = [
  { field: 'title', with: ['category'], width: 280 },
  { field: 'noticeStatus', as: 'tag', width: 100 },
  { field: 'scope1', with: ['examId'], width: 190 },
  { field: 'releaseTime', card: true, width: 120 },
  { field: 'readNum', as: 'reached', card: true, width: 150 },
  { field: 'noticeType', folded: true },
  { field: 'needSure', folded: true },
  { field: 'isTop', folded: true },
  { field: 'endTime', folded: true },
  { field: 'scope2', as: 'scopeNames', folded: true, width: 200 },
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
  { field: 'endTime', suggest: { from: 'releaseTime', days: 30, at: '17:00' } },
  { field: 'needSure', when: { noticeType: NoticeType.notice } },
  'isTop',
  { field: 'content', span: 24 },
] as const

export const notice = resource(Notice, {
  path: '/blade-desk/notice',
  route: '/notice/list',
  /** How many people in use of the system it is for, and what the exams or stages are called whose people that are. */
  derived: { meantNum: integer('应读人数'), scopeNames: text('范围对象名称') },
  columns,
  empty: { text: '还没有公告', next: { 写公告: 'add' } },
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
  find: ['title'],
  views: {
    已发布: { noticeStatus: NoticeStatus.released, releaseTime: { before: '$now' } },
    草稿: { noticeStatus: NoticeStatus.draft },
    定时发布: { noticeStatus: NoticeStatus.released, releaseTime: { since: '$now' } },
    已撤回: { noticeStatus: NoticeStatus.recalled },
  },
  todos: { 草稿: { label: '待发布的公告', needs: 'notice_release', since: 'updateTime' } },
  main: ['preview'],
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
