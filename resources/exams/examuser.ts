import { resource } from '#engine'
import { Examuser } from '../../schemas/exams/examuser.ts'
import { arranged, byExam } from '../scopes.ts'

export const examuser = resource(Examuser, {
  path: '/blade-examUser/examuser',
  route: '/exam/examuser',
  columns: ['examId', 'userId', 'userName', 'examRole', 'units', 'codes', 'endTime', 'enable'],
  search: ['examId', 'userId', 'examRole', 'enable', 'createTime'],
  form: ['examId', 'userId', 'examRole', 'units', { field: 'codes', span: 24 }, 'startTime', 'endTime', 'enable'],
  scope: byExam('examId', arranged),
  actions: {
    appoint: { label: '按单位授权', on: 'toolbar', call: 'GET getStaffMatrix?examId', open: '/exam/staff' },
  },
})
