import { deadlineShape, dict, integer, list, resource, structured } from '#engine'
import { ExamStatus, ExamUnready, examUnready, NoticeStatus } from '../../schemas/dictionaries.ts'
import { Examination } from '../../schemas/exams/examination.ts'
import { byExam, settings } from '../scopes.ts'
import { examActions, examTransitions } from './examination-actions.ts'
import { examForm } from './examination-form.ts'
import { phaseShape } from './standing.ts'

export const examination = resource(Examination, {
  path: '/blade-exam/examination',
  route: '/exam/examination',
  can: ['view', 'add', 'edit', 'remove', 'export'],
  derived: {
    phases: structured('当前阶段', list(phaseShape)),
    deadline: structured('最近截止', deadlineShape),
    planNum: integer('计划'),
    signNum: integer('报名'),
    waitNum: integer('待审'),
    unready: dict('未就绪事项', examUnready),
  },
  measured: ['planNum', 'signNum', 'waitNum', 'unready'],
  columns: [
    { field: 'examName', with: ['examCode', 'examYear'], width: 214 },
    { field: 'examStatus', as: 'tag', with: ['unready'], width: 92 },
    { field: 'phases', as: 'phases', width: 140 },
    { field: 'deadline', as: 'deadline', width: 158 },
    { field: 'planNum', card: true, width: 76 },
    { field: 'signNum', card: true, width: 76 },
    { field: 'waitNum', width: 72 },
    { field: 'examStartTime', width: 130 },
    { field: 'examType', folded: true },
    { field: 'organizer', folded: true },
    { field: 'signStartTime', folded: true },
    { field: 'signEndTime', folded: true },
    { field: 'releaseTime', folded: true },
  ],
  find: ['examName', 'examCode'],
  choices: ['examStatus', 'shortName', 'examCode'],
  views: {
    进行中: { examStatus: ExamStatus.released },
    草稿: { examStatus: ExamStatus.draft },
    已结束: { examStatus: ExamStatus.closed },
    已归档: { examStatus: ExamStatus.archived },
    未就绪: { examStatus: ExamStatus.released, unready: Object.values(ExamUnready) },
  },
  todos: { 未就绪: { label: '未就绪的考试', needs: 'examination_edit', since: 'releaseTime' } },
  empty: { text: '还没有考试', next: { 新建考试: 'add' } },
  removable: { when: { examStatus: ExamStatus.draft } },
  search: ['examName', 'examCode', 'examType', 'examYear', 'examStatus', 'createTime'],
  form: examForm,
  later: { 成绩与公示: 'examEndTime' },
  addPage: '/exam/new',
  announce: {
    when: { examStatus: ExamStatus.released },
    call: 'GET countMoved?id,fields',
    confirm: '考试已发布。改动时间会通知 {{n}} 人，保存后生成公告草稿，确定保存?',
    draft: {
      said: '已起草公告，请核对后发布',
      of: 'notice',
      by: 'examId',
      where: { noticeStatus: NoticeStatus.draft },
      at: '/exam/:id/notices?chip=草稿',
    },
  },
  children: {
    examitems: { label: '招聘岗位', by: 'examId' },
    examinationitem: { label: '考试项目', by: 'examId' },
    examuser: { label: '工作人员', by: 'examId' },
    typecode: { label: '类别编码', by: 'examId', in: 'form' },
  },
  scope: byExam('id', settings),
  transitions: examTransitions,
  actions: examActions,
})
