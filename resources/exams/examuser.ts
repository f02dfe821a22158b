import { integer, resource } from '#engine'
import { ExamRole } from '../../schemas/dictionaries.ts'
import { Examuser } from '../../schemas/exams/examuser.ts'
import { arranged, byExam } from '../scopes.ts'

export const examuser = resource(Examuser, {
  path: '/blade-examUser/examuser',
  route: '/exam/examuser',
  /** What waits for a reviewer in the units and positions of this line, and what the person has decided in the exam. */
  derived: { waitNum: integer('待审'), doneNum: integer('已审') },
  measured: ['waitNum', 'doneNum'],
  columns: [
    { field: 'userName', with: ['user.account', 'examId'], width: 190 },
    { field: 'examRole', width: 120 },
    { field: 'units', with: ['codes'], width: 230 },
    { field: 'waitNum', width: 84 },
    { field: 'doneNum', width: 84 },
    { field: 'endTime', width: 120 },
    { field: 'enable', as: 'tag', width: 90 },
    { field: 'userId', folded: true },
    { field: 'startTime', folded: true },
  ],
  find: ['userName', 'user.account'],
  views: {
    全部: {},
    初审: { examRole: ExamRole.firstReviewer },
    复审: { examRole: ExamRole.secondReviewer },
    监考: { examRole: ExamRole.proctor },
    已到期: { endTime: { before: '$now' } },
  },
  empty: { text: '还没有人', next: { 按单位授权: 'appoint', 从其他考试复制: 'copy', 新增: 'add' } },
  search: ['examId', 'userId', 'examRole', 'enable', 'createTime'],
  form: ['examId', 'userId', 'examRole', 'units', { field: 'codes', span: 24 }, 'startTime', 'endTime', 'enable'],
  bulk: ['endTime', 'enable'],
  scope: byExam('examId', arranged),
  actions: {
    appoint: {
      label: '按单位授权',
      on: 'toolbar',
      call: 'GET getStaffMatrix?examId',
      open: '/exam/staff',
      still: false,
    },
    copy: {
      label: '从其他考试复制',
      on: 'toolbar',
      call: 'POST copyFrom',
      open: '/exam/staff?copy&examId=:examId',
      code: 'appoint',
    },
  },
})
