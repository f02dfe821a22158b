import { dateTime, dict, dicts, entity, filled, flag, longText, optional, type Row, ref, text } from '#engine'
import { examRole, recruitUnit } from '../dictionaries.ts'

export const Examuser = entity(
  'examuser',
  '考试工作人员',
  {
    examId: ref('考试', 'examination', { onRemove: 'with' }),
    userId: ref('人员', 'user'),
    userName: filled(optional(text('姓名', { maxLength: 20 }))),
    examRole: dict('考试角色', examRole),
    units: optional(dicts('负责单位', recruitUnit, { help: '不填表示全部单位' })),
    codes: optional(longText('负责岗位', { help: '岗位代码，用逗号分隔；不填表示所负责单位的全部岗位' })),
    startTime: optional(dateTime('授权开始')),
    endTime: optional(dateTime('授权结束')),
    enable: flag('启用', { default: 1 }),
  },
  { label: 'userName', version: true, history: true, indexes: [['examId', 'userId']] },
)
export type Examuser = Row<typeof Examuser>

declare module '#engine' {
  interface Entities {
    examuser: typeof Examuser
  }
}
