import { resource } from '#engine'
import { Examroom } from '../../schemas/exams/examroom.ts'
import { byExam, settings } from '../scopes.ts'

export const examroom = resource(Examroom, {
  path: '/blade-exam/examroom',
  route: '/exam/examroom',
  columns: [
    'examId',
    'itemId',
    'schoolId',
    'roomNo',
    'roomName',
    'rows',
    'cols',
    'capacity',
    'reserve',
    'subject',
    'isSpecial',
    'usedNum',
    'enable',
  ],
  search: ['examId', 'itemId', 'schoolId', 'roomNo', 'createTime'],
  sort: 'roomNo',
  scope: byExam('examId', settings),
})
