import { decimal, dict, entity, filled, flag, integer, optional, type Row, ref, refs, state, text } from '#engine'
import { examSubject, PostStatus, postStatus, postType, recruitUnit } from '../dictionaries.ts'
import { demandFields } from './examitems-demands.ts'

/** How many are wanted, and how many may come. */
const places = {
  planNum: integer('招聘计划数', { minimum: 1 }),
  curPlanNum: filled(integer('核减后计划数', { minimum: 0 })),
  openRatio: decimal('开考比例'),
  noRatio: flag('不设开考比例'),
  maxSignup: optional(integer('报名上限', { minimum: 0 })),
}

/** How the results of its papers make one. */
const marking = {
  examSubject: optional(dict('笔试科目', examSubject)),
  writtenWeight: optional(decimal('笔试权重', { default: '0.60' })),
  interviewWeight: optional(decimal('面试权重', { default: '0.40' })),
  interviewRatio: optional(decimal('面试入围比例', { default: '3.00' })),
}

export const Examitems = entity(
  'examitems',
  '招聘岗位',
  {
    examId: ref('考试', 'examination', { onRemove: 'with' }),
    unit: dict('招聘单位', recruitUnit),
    type: dict('岗位类别', postType),
    code: text('岗位代码', { maxLength: 30 }),
    postName: text('岗位名称', { maxLength: 100 }),
    ...places,
    itemIds: refs('考试项目', 'examinationitem', { within: 'examId' }),
    ...demandFields,
    ...marking,
    postStatus: state('岗位状态', postStatus, { default: PostStatus.active }),
    enable: flag('启用', { default: 1 }),
    sort: optional(integer('排序', { minimum: 0 })),
    remark: optional(text('备注', { maxLength: 500 })),
  },
  {
    label: 'postName',
    version: true,
    history: true,
    uniques: [['examId', 'code']],
    taken: { code: 'exams.positionCodeTaken' },
  },
)
export type Examitems = Row<typeof Examitems>

declare module '#engine' {
  interface Entities {
    examitems: typeof Examitems
  }
}
