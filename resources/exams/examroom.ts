import { flag, integer, resource } from '#engine'
import { Examroom } from '../../schemas/exams/examroom.ts'
import { byExam, settings } from '../scopes.ts'

export const examroom = resource(Examroom, {
  path: '/blade-exam/examroom',
  route: '/exam/examroom',
  derived: { proctorNum: integer('监考'), isToday: flag('今天使用') },
  measured: ['proctorNum', 'isToday'],
  totals: ['usedNum', 'capacity', 'reserve'],
  columns: [
    { field: 'roomNo', with: ['roomName', 'itemId', 'examId'], width: 190 },
    { field: 'schoolId', width: 190 },
    { field: 'usedNum', as: 'ofCapacity', card: true, width: 110 },
    { field: 'reserve', width: 100 },
    { field: 'subject', width: 120 },
    { field: 'proctorNum', card: true, width: 84 },
    { field: 'enable', as: 'tag', width: 90 },
    { field: 'capacity', folded: true },
    { field: 'isSpecial', folded: true },
    { field: 'rows', folded: true },
    { field: 'cols', folded: true },
  ],
  find: ['roomNo', 'roomName'],
  views: {
    全部: {},
    特殊考场: { isSpecial: 1 },
    未满: { enable: 1, usedNum: { below: 'capacity' } },
    无监考: { enable: 1, proctorNum: 0 },
    今日无监考: { enable: 1, proctorNum: 0, isToday: 1 },
  },
  todos: { 今日无监考: { label: '今日无监考的考场', needs: 'checkin_appoint' } },
  empty: { text: '还没有考场', next: { 导入考点考场: '/ticket/allot?examId=:examId', 新增: 'add' } },
  search: ['examId', 'itemId', 'schoolId', 'roomNo', 'createTime'],
  sort: 'roomNo',
  bulk: ['enable'],
  scope: byExam('examId', settings),
  main: ['seats', 'edit'],
  actions: {
    seats: {
      label: '看座位',
      call: 'GET getSeats?id',
      open: '/exam/:examId/seats?itemId=:itemId&roomId=:id',
      code: 'view',
    },
  },
})
