import { list, resource, structured } from '#engine'
import { Examination } from '../../schemas/exams/examination.ts'
import { byExam, settings } from '../scopes.ts'
import { examActions, examTransitions } from './examination-actions.ts'
import { examForm } from './examination-form.ts'
import { deadlineShape, phaseShape } from './standing.ts'

export const examination = resource(Examination, {
  path: '/blade-exam/examination',
  route: '/exam/examination',
  can: ['view', 'add', 'edit', 'remove', 'export'],
  derived: {
    phases: structured('当前阶段', list(phaseShape)),
    deadline: structured('最近截止', deadlineShape),
  },
  columns: [
    { field: 'examName', width: 240, fixed: 'left' },
    { field: 'examStatus', as: 'tag' },
    { field: 'phases', as: 'phases', width: 200 },
    { field: 'deadline', as: 'deadline', width: 220 },
    'examCode',
    'examType',
    'examYear',
    'organizer',
    'signStartTime',
    'signEndTime',
    'examStartTime',
    'releaseTime',
  ],
  search: ['examName', 'examCode', 'examType', 'examYear', 'examStatus', 'createTime'],
  form: examForm,
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
