import { dateTime, dict, entity, filled, flag, optional, type Row, ref, state, text } from '#engine'
import { choiceBy, postType, recruitUnit, reduceState } from '../dictionaries.ts'
import { positionCode } from '../exams/position-code.ts'
import { keeping } from '../keeping.ts'

export const Postreductionname = entity(
  'postreductionname',
  '核减人员名单',
  {
    examId: filled(ref('考试', 'examination')),
    signupId: filled(ref('报名', 'signup')),
    name: filled(text('姓名', { maxLength: 20 })),
    oldUnit: filled(dict('原单位', recruitUnit)),
    oldCode: filled(text('原岗位代码', positionCode)),
    newUnit: filled(optional(dict('改报单位', recruitUnit))),
    newType: filled(optional(dict('改报类别', postType))),
    newCode: filled(optional(text('改报岗位代码', positionCode))),
    nameState: state('名单状态', reduceState),
    choiceTime: filled(optional(dateTime('选择时间'))),
    choiceBy: filled(optional(dict('选择方式', choiceBy))),
    needRefund: filled(flag('须退费')),
    notifyTime: filled(optional(dateTime('通知时间'))),
    remark: filled(optional(text('备注'))),
  },
  {
    label: 'name',
    uniques: [['examId', 'signupId']],
    about: 'signupId',
    personal: ['name'],
    purpose: '岗位核减后改报',
    keep: keeping.hiring,
  },
)
export type Postreductionname = Row<typeof Postreductionname>

declare module '#engine' {
  interface Entities {
    postreductionname: typeof Postreductionname
  }
}
