import { decimal, flag, integer, resource, structured } from '#engine'
import { PostStatus } from '../../schemas/dictionaries.ts'
import { Examitems } from '../../schemas/exams/examitems.ts'
import { byExam, settings } from '../scopes.ts'
import { outlookShape } from './outlook.ts'

const form = {
  岗位: [
    'examId',
    'unit',
    'type',
    'code',
    'postName',
    'planNum',
    'openRatio',
    'noRatio',
    'maxSignup',
    'itemIds',
    'examSubject',
    'enable',
    'sort',
  ],
  条件: [
    'eduReq',
    'degreeReq',
    'ageMax',
    'sexReq',
    'freshReq',
    'titleReq',
    'expYears',
    'certReq',
    'regionReq',
    { field: 'majorReq', span: 24 },
    { field: 'otherReq', span: 24 },
  ],
  成绩: ['writtenWeight', 'interviewWeight', 'interviewRatio', { field: 'remark', span: 24 }],
} as const

/** How many people stand at a position now, how many for each place, and what reduction would make of it. */
const people = {
  signNum: integer('报名人数'),
  passNum: integer('审核通过数'),
  paidNum: integer('缴费人数'),
  ratio: decimal('竞争比例'),
  outlook: structured('开考预计', outlookShape),
  isShort: flag('不足开考比例'),
  isUnmanned: flag('无人审核'),
}

export const examitems = resource(Examitems, {
  path: '/blade-examitem/examitems',
  route: '/exam/examitems',
  can: ['view', 'add', 'edit', 'remove', 'export', 'import'],
  derived: people,
  measured: ['signNum', 'ratio', 'isShort', 'isUnmanned'],
  totals: ['planNum', 'curPlanNum', 'signNum', 'passNum', 'paidNum'],
  columns: [
    { field: 'postName', with: ['code'], width: 164 },
    { field: 'unit', with: ['type', 'examId'], width: 170 },
    { field: 'postStatus', as: 'tag', width: 100 },
    { field: 'planNum', with: ['curPlanNum'], card: true, width: 112 },
    { field: 'signNum', card: true, width: 104 },
    { field: 'passNum', width: 96 },
    { field: 'paidNum', width: 84 },
    { field: 'ratio', as: 'heat', width: 140 },
    { field: 'openRatio', folded: true },
    { field: 'maxSignup', folded: true },
    { field: 'eduReq', folded: true },
    { field: 'majorReq', folded: true },
    { field: 'ageMax', folded: true },
    { field: 'examSubject', folded: true },
    { field: 'enable', folded: true },
  ],
  find: ['code', 'postName'],
  views: {
    全部: {},
    不足比例: { postStatus: PostStatus.active, isShort: 1 },
    已满: { maxSignup: { atLeast: 1 }, signNum: { atLeast: 'maxSignup' } },
    已核减: { postStatus: [PostStatus.reduced, PostStatus.cancelled] },
    已停用: { enable: 0 },
    无人审核: { enable: 1, isUnmanned: 1 },
  },
  todos: { 无人审核: { label: '无人审核的岗位', needs: 'examuser_add' } },
  empty: { text: '还没有岗位', next: { 导入岗位表: 'import', 新增: 'add' } },
  search: ['examId', 'unit', 'type', 'code', 'postName', 'examSubject', 'postStatus', 'enable', 'createTime'],
  sort: 'sort',
  form,
  bulk: ['openRatio', 'noRatio', 'maxSignup', 'examSubject'],
  scope: byExam('examId', settings),
  actions: {
    signups: {
      label: '看报名',
      call: 'GET getSignups?id',
      open: '/exam/:examId/signups?finalCode=:code',
      code: 'view',
    },
  },
  transitions: {
    enableOn: {
      label: '启用',
      call: 'POST enable?ids',
      on: 'rows',
      when: { enable: 0 },
      set: { enable: 1 },
      done: '{{name}} 已启用',
      undo: { call: 'POST disable?ids' },
    },
    enableOff: {
      label: '停用',
      call: 'POST disable?ids',
      on: 'rows',
      when: { enable: 1 },
      set: { enable: 0 },
      done: '{{name}} 已停用',
      undo: { call: 'POST enable?ids' },
      confirm: '停用后考生不能再选择这些岗位，确定停用?',
    },
  },
})
