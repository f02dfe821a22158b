import { leave } from '#resources/workflow/leave'
import { FlowCategory } from '#schemas/dictionaries'
import { Leave } from '#schemas/workflow/leave'
import { wrongInput } from '../../../crud/input.ts'
import type { Hooks } from '../../../crud/rules.ts'
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
  facts: row => ({
    taskUser: String(row.taskUser),
    days: Math.ceil((Number(row.endTime) - Number(row.startTime)) / day),
  }),
}

/** Rules of leaves: they end after they begin, and nobody decides on their own. */
export const leaveHooks: Hooks<typeof Leave> = {
  async beforeSubmit({ person }, given, before) {
    const { startTime, endTime, taskUser } = { ...before, ...given }
    if (Number(endTime) <= Number(startTime)) throw wrongInput([{ field: 'endTime', msg: '结束时间应晚于开始时间' }])
    if (taskUser === person.userId) throw wrongInput([{ field: 'taskUser', msg: '审批人不能是本人' }])
  },
}
