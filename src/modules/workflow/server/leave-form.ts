import { leave } from '#resources/workflow/leave'
import { FlowCategory } from '#schemas/dictionaries'
import { Leave } from '#schemas/workflow/leave'
import { wrongInput } from '../../../crud/input.ts'
import type { FlowForm } from './form.ts'

const day = 86_400_000

/** Leave, whose process is decided by its days and by whom the applicant has chosen. */
export const leaveForm: FlowForm = {
  key: 'leave',
  entity: Leave,
  resource: leave,
  table: 'leave',
  category: FlowCategory.leave,
  forbidsOwn: true,
  filled: now => ({ applyTime: now }),
  check(values, { userId }) {
    if (Number(values.endTime) <= Number(values.startTime))
      throw wrongInput([{ field: 'endTime', msg: '结束时间应晚于开始时间' }])
    if (values.taskUser === userId) throw wrongInput([{ field: 'taskUser', msg: '审批人不能是本人' }])
  },
  facts: row => ({
    taskUser: String(row.taskUser),
    days: Math.ceil((Number(row.endTime) - Number(row.startTime)) / day),
  }),
}
