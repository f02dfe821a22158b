import { dateTime, entity, filled, optional, type Row, ref, state, text } from '#engine'
import { holdStatus } from '../dictionaries.ts'

/** Data of an exam that must not be erased while something is in dispute. */
export const Datahold = entity(
  'datahold',
  '资料冻结',
  {
    examId: ref('考试', 'examination'),
    reason: text('冻结原因', { maxLength: 200, help: '例如：诉讼、仲裁、信访、纪检调查，写明案号或来文' }),
    holdStatus: state('状态', holdStatus),
    releaseUser: filled(optional(ref('解除人', 'user'))),
    releaseTime: filled(optional(dateTime('解除时间'))),
    releaseReason: filled(optional(text('解除原因', { maxLength: 200 }))),
  },
  { label: 'reason' },
)
export type Datahold = Row<typeof Datahold>

declare module '#engine' {
  interface Entities {
    datahold: typeof Datahold
  }
}
