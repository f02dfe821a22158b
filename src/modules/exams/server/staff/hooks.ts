import type { Hooks } from '../../../../crud/rule-types.ts'
import { mustBeAppointable } from './people.ts'
import { lockStaff } from './write.ts'

/** One appointment by its form: the same people as in the matrix, under the name they have now. */
export const examUserHooks: Hooks = {
  async beforeSubmit({ trx, person }, values, before) {
    await lockStaff(trx, String(values.examId ?? before?.examId), false)
    const userId = String(values.userId ?? before?.userId)
    // Whoever may no longer be appointed can still be taken off, or given an end.
    if (userId === String(before?.userId)) return values
    const names = await mustBeAppointable(trx, person.tenantId, [userId])
    return { ...values, userName: (names.get(userId) ?? '').slice(0, 20) }
  },
}
