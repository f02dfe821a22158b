import { decimal, integer, resource, structured } from '#engine'
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
}

export const examitems = resource(Examitems, {
  path: '/blade-examitem/examitems',
  route: '/exam/examitems',
  can: ['view', 'add', 'edit', 'remove', 'export', 'import'],
  derived: people,
  totals: ['planNum', 'curPlanNum', 'signNum', 'passNum', 'paidNum'],
  columns: [
    'postName',
    { field: 'code', width: 120 },
    'unit',
    'planNum',
    'signNum',
    { field: 'ratio', as: 'heat', width: 220 },
    'passNum',
    'paidNum',
    'openRatio',
    'curPlanNum',
    'examId',
    'type',
    'maxSignup',
    'eduReq',
    'majorReq',
    'ageMax',
    'examSubject',
    { field: 'postStatus', as: 'tag' },
    'enable',
  ],
  search: ['examId', 'unit', 'type', 'code', 'postName', 'examSubject', 'postStatus', 'enable', 'createTime'],
  sort: 'sort',
  form,
  scope: byExam('examId', settings),
  transitions: {
    enableOn: { label: '启用', call: 'POST enable?ids', on: 'rows', when: { enable: 0 }, set: { enable: 1 } },
    enableOff: {
      label: '停用',
      call: 'POST disable?ids',
      on: 'rows',
      when: { enable: 1 },
      set: { enable: 0 },
      confirm: '停用后考生不能再选择这些岗位，确定停用?',
    },
  },
})
