import type { Examuser } from '#schemas/exams/examuser'
import type { Hooks } from '../../../../crud/rules.ts'
import { mustBeAppointable } from './people.ts'
import { tellAppointed } from './told.ts'
import { lockStaff } from './write.ts'

/** One appointment by its form: the same people as in the matrix, under the name they have now. */
export const examUserHooks: Hooks<typeof Examuser> = {
  async beforeSubmit({ db, set }, given, before) {
    const { examId = '', userId = '' } = { ...before, ...given }
    await lockStaff(db, examId, false)
    // Whoever may no longer be appointed can still be taken off, or given an end.
    if (userId === before?.userId) return
    const names = await mustBeAppointable(db, [userId])
    set({ userName: (names.get(userId) ?? '').slice(0, 20) })
  },
  async afterSubmit({ db }, row, before) {
    if (!before || before.userId !== row.userId) await tellAppointed(db, [row])
  },
}
